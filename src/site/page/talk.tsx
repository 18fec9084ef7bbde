import { requireRead } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import type { VideoRecord } from '../../record/record.ts'
import { live } from '../../record/state.ts'
import type { ReadStore } from '../../store/store.ts'
import { type PlayerSource, toPlayerSource } from '../media/player-source.ts'
import { parseStartTime } from '../media/start-time.ts'
import { renderPage } from '../part/layout.tsx'
import { moved, respondText } from '../respond-page.ts'
import { openSite, type Site, type SiteDeps, toAbsolute } from '../site.ts'
import { findRecord, refuseTalk } from '../talk/find-live-record.ts'
import { Player } from '../talk/player.tsx'
import { findRelatedTalks, type RelatedTalks } from '../talk/related-talks.ts'
import { findTalk, type Talk } from '../talk/talk.ts'
import { findTalkDetails, type TalkDetails } from '../talk/talk-details.ts'
import { TalkFacts } from '../talk/talk-facts.tsx'
import { TalkHead } from '../talk/talk-head.tsx'
import { TalkMeta } from '../talk/talk-meta.tsx'
import { TalkProse } from '../talk/talk-prose.tsx'
import { TalkReuse } from '../talk/talk-reuse.tsx'
import { MoreTalks, TalkSide } from '../talk/talk-side.tsx'
import { type RenderMarkdown, toExcerpt } from '../text/markdown.ts'
import { withParameters } from '../urls.ts'

/** For search engines and previews. */
const descriptionLength = 200

/**
 * `/video/<id>/<slug>`: the id decides; any other slug, or none, leads to the right one, unless the path with its slug
 * is one that a record had on the site that it was imported from. It never takes the address of another record.
 */
export async function showTalk(call: Call<'id'>, deps: SiteDeps): Promise<TextAnswer> {
  const { store } = deps
  const site = await openSite(call, deps)
  const id = Number(call.params.id)
  const slug = toGivenSlug(call)
  const record = await findRecord(store, id)
  const isOwn = slug === null || slug === record?.slug
  if (record?.state === live && record.slug === slug) {
    return respondPage(call, await findPage(call, site, store, record, await deps.markdown()))
  }
  const alias = isOwn ? null : requireRead(await store.findAlias(`video/${id}/${slug}`))
  const target = alias ?? (record?.state === live ? record : await refuseTalk(store, id))
  return moved(call, withParameters(site.urls.video(target), { t: call.query().get('t') }))
}

async function findPage(
  call: Call,
  site: Site,
  store: ReadStore,
  record: VideoRecord,
  render: RenderMarkdown,
): Promise<TalkPage> {
  const talk = await findTalk(store, record)
  return {
    ...{ site, talk },
    source: toPlayerSource(record, { ...site.settings, isSecure: site.base.startsWith('https:') }),
    start: parseStartTime(call.query().get('t') ?? '') ?? 0,
    details: await findTalkDetails(store, talk, render),
    related: await findRelatedTalks(store, record.id),
  }
}

function respondPage(call: Call, page: TalkPage): TextAnswer {
  const { site, talk } = page
  const json = site.urls.api(`video/${talk.record.id}`, { format: 'json' })
  const headers = { Link: `<${toAbsolute(site, json)}>; rel="alternate"; type="application/json"` }
  const caching = page.related.isProvisional ? 'never' : 'revalidate'
  return respondText(call, { text: renderTalk(page, json), type: contentTypes.html, headers, caching })
}

/** Null without one: the path may end after the id. */
function toGivenSlug({ params }: Call<'id'>): string | null {
  return 'slug' in params && typeof params.slug === 'string' ? params.slug : null
}

interface TalkPage {
  readonly site: Site
  readonly talk: Talk
  readonly source: PlayerSource
  readonly start: number
  readonly details: TalkDetails
  readonly related: RelatedTalks
}

function renderTalk(page: TalkPage, json: string): string {
  const { site, talk, source } = page
  const { record } = talk
  const description = toExcerpt(record.summary === '' ? record.description : record.summary, descriptionLength)
  const head = {
    title: record.title,
    ...(description === '' ? {} : { description }),
    canonical: site.urls.video(record),
    json,
    more: <TalkMeta site={site} talk={talk} source={source} description={description} />,
  }
  return renderPage(site, head, <TalkBody {...page} />)
}

function TalkBody({ site, talk, source, start, details, related }: TalkPage) {
  return (
    <>
      <div class="talk">
        <Player site={site} talk={talk} source={source} start={start} />
        <article class="talk-text">
          <TalkHead site={site} talk={talk} source={source} />
          <TalkProse details={details} />
          <TalkFacts site={site} talk={talk} details={details} source={source} />
          <TalkReuse site={site} talk={talk} hasKeys={source.files.length > 0} />
        </article>
        <div class="talk-side">
          <TalkSide site={site} talk={talk} related={related} />
        </div>
      </div>
      <MoreTalks site={site} talk={talk} related={related} />
    </>
  )
}
