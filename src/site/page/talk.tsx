import { requireRead } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import type { DeadRecording } from '../../record/link/watch.ts'
import type { PlayerSource } from '../../record/player/player-source.ts'
import { parseStartTime } from '../../record/player/start-time.ts'
import { toPlausibleDuration } from '../../record/quality/finding-codes.ts'
import type { VocabularyName } from '../../record/query/vocabulary.ts'
import type { VideoRecord } from '../../record/record.ts'
import { live } from '../../record/state.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import type { ReadStore } from '../../store/store.ts'
import { toTalkJsonLd } from '../machine/json-ld.ts'
import { TalkCard, TalkGrid } from '../part/cards.tsx'
import { renderPage } from '../part/layout.tsx'
import { moved, openSite, respondText, type Site, type SiteDeps, toAbsolute } from '../site.ts'
import { Player } from '../talk/player.tsx'
import {
  findPart,
  findRecord,
  findRelatedTalks,
  findTalk,
  findTalkDetails,
  findTalkProblem,
  findWatch,
  hasPlayer,
  type Part,
  type Played,
  type RelatedTalks,
  type Talk,
  type TalkDetails,
  toPlayed,
} from '../talk/talk.ts'
import { findSlides, TalkFacts, TalkHead, TalkProse } from '../talk/talk-article.tsx'
import { ChapterList, PartNote } from '../talk/talk-chapters.tsx'
import { TalkReuse } from '../talk/talk-reuse.tsx'
import { findTranscript, type ShownTranscript, TalkTranscript } from '../talk/talk-transcript.tsx'
import { type RenderMarkdown, toExcerpt } from '../text/markdown.ts'
import { withParameters } from '../urls.ts'
import { showGone, showMissing } from './missing.tsx'

/** For search engines and previews. */
const descriptionLength = 200

/**
 * `/video/<id>/<slug>`: the id decides, and a wrong or missing slug redirects to the right one. A path that a record had
 * on the site it was imported from (an alias) redirects to that record, but never replaces the URL of another record.
 */
export async function showTalk(call: Call<'id'>, deps: SiteDeps): Promise<TextAnswer> {
  const { store } = deps
  const site = await openSite(call, deps)
  const id = Number(call.params.id)
  const slug = toSlug(call)
  const record = await findRecord(store, id)
  const isOwn = slug === null || slug === record?.slug
  if (record?.state === live && record.slug === slug) {
    return respondPage(call, await findPage(call, site, store, record, await deps.markdown()))
  }
  const alias = isOwn ? null : requireRead(await store.findAlias(`video/${id}/${slug}`))
  const target = alias ?? (record?.state === live ? record : requireRead(await store.findMerged(id)))
  if (target === null) return showNoTalk(call, deps, id, record)
  const query = call.query()
  const kept = { t: query.get('t'), say: query.get('say'), transcript: query.get('transcript') }
  return moved(call, withParameters(site.urls.video(target), kept))
}

async function showNoTalk(call: Call, deps: SiteDeps, id: number, record: VideoRecord | null): Promise<TextAnswer> {
  const problem = await findTalkProblem(deps.store, id)
  return problem.code === 'gone' ? showGone(call, deps, problem, record) : showMissing(call, deps, problem)
}

async function findPage(
  call: Call,
  site: Site,
  store: ReadStore,
  found: VideoRecord,
  render: RenderMarkdown,
): Promise<TalkPage> {
  const talk = await findTalk(store, found)
  const { record } = talk
  const asked = parseStartTime(call.query().get('t') ?? '')
  const part = await findPart(store, record.id)
  const watch = await findWatch(store, record)
  const played = toPlayed(site, record, watch, part, asked)
  return {
    ...{ site, talk, asked, part, played, dead: watch.dead },
    own: toPlayed(site, record, watch, null, asked).source,
    details: await findTalkDetails(store, talk, render, played.owner === record),
    related: await findRelatedTalks(store, record.id),
    speakerCounts: await countTalks(store, talk),
    transcript: await findTranscript(store, record, talk.languageCode, call.query()),
  }
}

function respondPage(call: Call, page: TalkPage): TextAnswer {
  const { site, talk } = page
  const json = site.urls.api(`video/${talk.record.id}`, { format: 'json' })
  const alternates = [
    `<${toAbsolute(site, json)}>; rel="alternate"; type="application/json"`,
    `<${toAbsolute(site, site.urls.markdown(talk.record.id))}>; rel="alternate"; type="text/markdown"`,
  ]
  const headers = { Link: alternates.join(', ') }
  const caching = page.related.isProvisional ? 'never' : 'revalidate'
  return respondText(call, { text: renderTalk(page, json), type: contentTypes.html, headers, caching })
}

/** Null if the path ends after the id. */
function toSlug({ params }: Call<'id'>): string | null {
  return 'slug' in params && typeof params.slug === 'string' ? params.slug : null
}

interface TalkPage {
  readonly site: Site
  readonly talk: Talk
  /** The time in the address. */
  readonly asked: number | null
  readonly part: Part | null
  readonly played: Played
  /** Recordings that nobody can watch any more. */
  readonly dead: readonly DeadRecording[]
  /** Where the talk itself can be watched. */
  readonly own: PlayerSource
  readonly details: TalkDetails
  readonly related: RelatedTalks
  readonly speakerCounts: readonly VocabularyName[]
  readonly transcript: ShownTranscript | null
}

function renderTalk(page: TalkPage, json: string): string {
  const { site, talk } = page
  const { record } = talk
  const description = toExcerpt(record.summary === '' ? record.description : record.summary, descriptionLength)
  const head = {
    title: record.title,
    ...(description === '' ? {} : { description }),
    canonical: site.urls.video(record),
    json,
    edit: site.urls.edit(record.id),
    more: <TalkMeta {...page} description={description} />,
  }
  return renderPage(site, head, <TalkBody {...page} />)
}

function TalkBody(props: TalkPage) {
  const { site, talk, asked, part, played, dead, details, related, speakerCounts, transcript } = props
  const { source, start, end, owner } = played
  const isWhole = owner === talk.record
  const chaptersOf = isWhole && details.chapters.length === 0 ? null : owner.id
  return (
    <>
      <div class={related.next === null && related.event.length === 0 ? 'talk alone' : 'talk'}>
        <Player
          {...{ site, talk, source, start, end, chaptersOf, dead }}
          spoken={isWhole ? (transcript?.languages ?? []) : []}
        />
        <article class="talk-text">
          <TalkHead
            {...{ site, talk, source, owner }}
            slides={findSlides(details)}
            start={asked ?? 0}
            note={part && <PartNote site={site} part={part} isPlayed={!isWhole} />}
          />
          <TalkProse
            details={details}
            chapters={<ChapterList site={site} chapters={details.chapters} hasTimes={isWhole && hasPlayer(source)} />}
          />
          {transcript !== null && (
            <TalkTranscript page={site.urls.video(talk.record)} shown={transcript} asked={asked} />
          )}
          <TalkFacts {...{ site, talk, details, source, dead }} />
          <TalkReuse site={site} talk={talk} hasKeys={source.files.length > 0} />
        </article>
        {(related.next !== null || related.event.length > 0) && (
          <div class="talk-side">
            <TalkSide site={site} talk={talk} related={related} />
          </div>
        )}
      </div>
      <MoreTalks site={site} talk={talk} related={related} speakerCounts={speakerCounts} />
    </>
  )
}

interface RelatedProps {
  readonly site: Site
  readonly talk: Talk
  readonly related: RelatedTalks
}

/** Beside the talk: the next talks of its event. */
function TalkSide({ site, talk, related: { next, event } }: RelatedProps) {
  const rest = event.filter(({ record }) => record.id !== next?.record.id)
  return (
    <>
      {next !== null && (
        <section class="watch-next">
          <h2>Watch next</h2>
          <TalkCard site={site} talk={next} hasEvent={false} />
        </section>
      )}
      {rest.length > 0 && (
        <section>
          <h2 dir="auto">
            {talk.categorySlug === null ? (
              `More from ${talk.record.category}`
            ) : (
              <a href={site.urls.category(talk.categorySlug)}>{`More from ${talk.record.category}`}</a>
            )}
          </h2>
          <ul class="talk-rows">
            {rest.map((eventTalk) => (
              <li key={eventTalk.record.id}>
                <TalkCard site={site} talk={eventTalk} hasEvent={false} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** One row on a wide screen. */
const speakersShown = 4

/** Below the talk: more by its speakers, and similar talks. */
function MoreTalks({ site, talk, related: { speakers, similar }, speakerCounts }: MoreTalksProps) {
  const [name] = talk.record.speakers
  const isOne = talk.record.speakers.length === 1
  return (
    <>
      {(speakers.length > 0 || speakerCounts.length > 0) && (
        <section class="more-talks">
          <div class="section-head">
            <h2 dir="auto">{isOne ? `More by ${name}` : 'More by these speakers'}</h2>
            <AllTalks site={site} counts={speakerCounts} isOne={isOne} />
          </div>
          {speakers.length > 0 && (
            <TalkGrid site={site} talks={speakers.slice(0, speakersShown)} ownSpeaker={isOne ? name : undefined} />
          )}
        </section>
      )}
      {similar.length > 0 && (
        <section class="more-talks">
          <div class="section-head">
            <h2>Similar talks</h2>
          </div>
          <TalkGrid site={site} talks={similar} />
        </section>
      )}
    </>
  )
}

interface MoreTalksProps extends RelatedProps {
  readonly speakerCounts: readonly VocabularyName[]
}

/** Links to all talks of the speakers who have others. */
function AllTalks({
  site,
  counts,
  isOne,
}: {
  readonly site: Site
  readonly counts: readonly VocabularyName[]
  readonly isOne: boolean
}) {
  return (
    <p class="all-talks">
      {counts.map((speaker) => (
        <a key={speaker.id} href={site.urls.speaker(speaker)}>
          {isOne ? (
            `All ${toCounted(speaker.count, 'talk')}`
          ) : (
            <>
              All {toNumber(speaker.count)} by <bdi>{speaker.name}</bdi>
            </>
          )}
        </a>
      ))}
    </p>
  )
}

/** Others are left out of the links. */
const maxCounted = 3

/** The speakers with other talks, with their numbers. */
async function countTalks(store: ReadStore, { speakers }: Talk): Promise<readonly VocabularyName[]> {
  const counted: VocabularyName[] = []
  for (const { page } of speakers.slice(0, maxCounted)) {
    const found = page && requireRead(await store.findName({ kind: 'speaker', id: page.id, visibility: 'live' }))
    if (found !== null && found.count > 1) counted.push(found)
  }
  return counted
}

interface TalkMetaProps extends TalkPage {
  readonly description: string
}

/** Metadata for other sites: Open Graph, oEmbed, JSON-LD. */
function TalkMeta({ site, talk, own: source, played, details, description, transcript }: TalkMetaProps) {
  const { record } = talk
  // Times in the address of a part are those of the longer recording.
  const hasTimes = played.owner === record
  const chapters = hasTimes ? details.chapters : []
  const { urls, settings } = site
  const url = toAbsolute(site, urls.video(record))
  const duration = toPlausibleDuration(record.duration)
  const properties: readonly (readonly [string, string | undefined])[] = [
    ['og:type', 'video.other'],
    ['og:site_name', settings.name],
    ['og:title', record.title],
    ['og:description', description === '' ? undefined : description],
    ['og:url', url],
    ['og:image', settings.hasThumbnails && record.thumbnail_url !== '' ? record.thumbnail_url : undefined],
    ['og:video', source.files[0]?.url],
    ['og:video:type', source.files[0]?.type],
    ['video:duration', duration === null ? undefined : String(duration)],
    ['video:release_date', record.recorded ?? undefined],
  ]
  const oEmbed = (format: 'json' | 'xml') => urls.oEmbed({ url, format })
  return (
    <>
      {properties.map(([property, content]) =>
        content === undefined ? null : <meta key={property} property={property} content={content} />,
      )}
      <link
        rel="alternate"
        type="application/json+oembed"
        href={toAbsolute(site, oEmbed('json'))}
        title={record.title}
      />
      <link rel="alternate" type="text/markdown" href={urls.markdown(record.id)} />
      <link rel="alternate" type="text/xml+oembed" href={toAbsolute(site, oEmbed('xml'))} title={record.title} />
      <script
        type="application/ld+json"
        dangerouslySetInnerHTML={{
          __html: toTalkJsonLd(site, talk, { source, description, chapters, hasTimes, transcript }),
        }}
      />
    </>
  )
}
