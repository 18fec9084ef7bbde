import type { Child } from '#jsx/jsx-runtime'
import { render } from '#jsx/render'
import { type Problem, requireRead } from '../../http/problem.ts'
import { contentTypes, toHeaders, toProblemAnswer, toUtf8Body } from '../../http/respond.ts'
import type { Call, TextAnswer, ToErrorAnswer } from '../../http/route.ts'
import type { Watch } from '../../record/link/watch.ts'
import { parseStartTime } from '../../record/player/start-time.ts'
import { toPlausibleDuration } from '../../record/quality/finding-codes.ts'
import { Title } from '../part/cards.tsx'
import { type FrameDeps, moved, openSite, respondText, type Site, type SiteDeps, toAbsolute } from '../site.ts'
import { Player } from '../talk/player.tsx'
import {
  findLiveRecord,
  findPart,
  findTalk,
  findWatch,
  type Played,
  readContent,
  refuseTalk,
  type Talk,
  toPlayed,
} from '../talk/talk.ts'
import { toLength } from '../text/format.ts'
import { withParameters } from '../urls.ts'
import { explainProblem, isForPrograms } from './error.tsx'

/** `/embed/<id>`: the player alone, for frames on other sites. */
export async function showEmbed(call: Call<'id'>, deps: SiteDeps): Promise<TextAnswer> {
  const { store } = deps
  const id = Number(call.params.id)
  const site = await openSite(call, deps)
  const found = await findLiveRecord(store, id)
  const merged = found === null ? requireRead(await store.findMerged(id)) : null
  if (merged !== null) return moved(call, withParameters(site.urls.embed(merged.id), { t: call.query().get('t') }))
  const record = found ?? (await refuseTalk(store, id))
  const talk = await findTalk(store, record)
  const asked = parseStartTime(call.query().get('t') ?? '')
  const watch = await findWatch(store, record)
  const played = toPlayed(site, record, watch, await findPart(store, id), asked)
  const { chapters } = await readContent(store, played.owner.id, 'chapters')
  const chaptersOf = chapters.length === 0 ? null : played.owner.id
  const text = renderFrame(site, record.title, <EmbedBody {...{ site, talk, asked, played, watch, chaptersOf }} />)
  return respondText(call, { text, type: contentTypes.html })
}

interface EmbedBodyProps {
  readonly site: Site
  readonly talk: Talk
  /** The time in the address. */
  readonly asked: number | null
  readonly played: Played
  readonly watch: Watch
  readonly chaptersOf: number | null
}

function EmbedBody({ site, talk, asked, played: { source, start, end }, watch, chaptersOf }: EmbedBodyProps) {
  const { record, languageCode } = talk
  const length = toPlausibleDuration(record.duration)
  const facts = [record.speakers.join(', '), ...(length === null ? [] : [toLength(length)])].filter(Boolean).join(' · ')
  const page = withParameters(toAbsolute(site, site.urls.video(record)), { t: asked === 0 ? null : asked })
  return (
    <>
      <div class="frame-head">
        <h1 lang={languageCode} dir="auto">
          <a href={page} target="_blank" rel="noopener">
            <Title text={record.title} />
          </a>
        </h1>
        {facts !== '' && <p dir="auto">{facts}</p>}
      </div>
      <Player {...{ site, talk, source, start, end, chaptersOf }} dead={watch.dead} isFramed />
    </>
  )
}

/** A small page that says why there is no player. */
export function toEmbedErrorAnswer(deps: FrameDeps): ToErrorAnswer {
  return async (problem, call) => {
    const { headers } = call.route
    if (isForPrograms(problem, call)) return toProblemAnswer(problem, headers, call.requestId())
    const answer = toProblemAnswer(problem, toHeaders(headers, null, 'never'), call.requestId())
    answer.headers.set('Content-Type', contentTypes.html)
    const site = await openSite(call, deps)
    return { ...answer, ...toUtf8Body(renderError(site, problem)) }
  }
}

function renderError(site: Site, problem: Problem): string {
  const { title } = explainProblem(problem)
  return renderFrame(
    site,
    title,
    <div class="embed-error">
      <h1>{title}</h1>
      <p>
        <a href={toAbsolute(site, site.urls.home)} target="_blank" rel="noopener">
          Go to the home page
        </a>
      </p>
    </div>,
  )
}

/** A page without header, footer and search. */
function renderFrame({ urls, assets }: Site, title: string, body: Child): string {
  return `<!doctype html>${render(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="stylesheet" href={urls.asset(assets.css)} />
        <script type="module" src={urls.asset(assets.script)} />
      </head>
      <body class="embed">
        <main>{body}</main>
      </body>
    </html>,
  )}`
}
