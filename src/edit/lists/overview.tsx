import { requireRead } from '../../http/problem.ts'
import type { Call, Caller, TextAnswer } from '../../http/route.ts'
import { troubledStates } from '../../record/link/link.ts'
import { type FindingCode, isFindingCode } from '../../record/quality/finding-codes.ts'
import type { CountedFindings, EventFindings, FindingTotal } from '../../record/query/findings.ts'
import { hasRole } from '../../record/role.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import type { ReadStore } from '../../store/store.ts'
import { DateTime, PostForm, renderEditPage, requireCaller, respondEditPage } from '../edit-page.tsx'
import {
  changedBy,
  changedOn,
  drafts,
  findingTexts,
  type KnownFilters,
  listTitles,
  parkedDrafts,
  toFindingList,
  toToday,
  withNote,
  withoutChapters,
  withoutSlides,
  withoutTranscript,
  withRecordings,
} from './known-lists.ts'
import { findScheduleNotice } from './publish-later.tsx'
import { countList } from './read-list.ts'

const pageTitle = 'Work lists'

/** `/edit`: every work list with its count. */
export async function showOverview(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const caller = requireCaller(call)
  const today = toToday(Date.now())
  const counts = await countLists(deps.store, caller.name, today, call.signal)
  const body = (
    <div class="edit-page overview">
      <header class="list-head">
        <h1>{pageTitle}</h1>
        <FindForm site={site} caller={caller} />
      </header>
      <HiddenNotice {...{ site, caller }} parameters={call.query()} />
      <section class="notice kept-unsaved" aria-label="Unsaved changes" data-kept-unsaved={site.urls.editHome} hidden />
      {await findScheduleNotice(site, deps.store, call.signal)}
      <div class="overview-groups">
        <WorkGroup {...{ site, counts, today }} name={caller.name} />
        <Group title="Looks wrong" entries={[...toFindingEntries(site, counts, wrong), toLinksEntry(site, counts)]} />
        <Group
          title="Something is missing"
          entries={[...toFindingEntries(site, counts, missing), ...toCompanionEntries(site, counts)]}
        />
        <EventGroup site={site} counts={counts} />
      </div>
      <HiddenLists {...{ site, caller, counts }} />
    </div>
  )
  return respondEditPage(call, renderEditPage({ site, caller, section: 'lists' }, pageTitle, body))
}

/** What viewers notice first comes first. */
const wrong: readonly FindingCode[] = [
  ...(['video_gone', 'video_private', 'video_not_embeddable', 'video_moved', 'file_gone'] as const),
  ...(['same_video', 'playlist_address', 'odd_duration', 'placeholder_text', 'several_speakers'] as const),
  ...(['outside_event', 'shouting_title', 'speaker_in_tags', 'insecure_address', 'link_gone'] as const),
  ...(['transcript_repeats', 'transcript_length'] as const),
]
const missing: readonly FindingCode[] = [
  ...(['missing_source', 'missing_embed', 'missing_speakers', 'missing_recorded', 'missing_language'] as const),
  ...(['missing_duration', 'missing_description', 'missing_tags', 'missing_thumbnail'] as const),
  ...(['missing_summary', 'missing_licence', 'missing_media'] as const),
]

export function FindForm({ site: { urls }, caller }: { readonly site: Site; readonly caller: Caller }) {
  return (
    <form class="find-form" action={urls.workList()}>
      <label for="find">Find talks</label>
      <input
        id="find"
        type="search"
        name="q"
        data-key="/"
        dir="auto"
        placeholder="Title, speaker, tag, event"
        autocomplete="off"
      />
      <button type="submit" class="button quiet">
        Find
      </button>
      <span class="find-links">
        <a href={urls.workList()}>All talks</a>
        {hasRole(caller.role, 'editor') && <a href={urls.table()}>Upload a table</a>}
      </span>
    </form>
  )
}

interface Entry {
  readonly text: string
  readonly href: string
  readonly count: number
  /** How many talks were done today. */
  readonly done?: number
}

interface GroupProps {
  readonly site: Site
  readonly counts: OverviewCounts
}

function WorkGroup({
  site: { urls },
  counts,
  name,
  today,
}: GroupProps & { readonly name: string; readonly today: string }) {
  const { parked } = counts.lists
  const entries: readonly Entry[] = [
    { text: listTitles.drafts, href: urls.workList(drafts), count: counts.lists.drafts },
    { text: listTitles.parked, href: urls.workList(parkedDrafts), count: parked },
    { text: listTitles.whiteboard, href: urls.workList(withNote), count: counts.lists.whiteboard },
    { text: listTitles.recordings, href: urls.workList(withRecordings), count: counts.lists.recordings },
    {
      text: listTitles.today,
      href: urls.workList({ ...changedOn(today), ordering: '-updated' }),
      count: counts.lists.today,
    },
    {
      text: listTitles.mine,
      href: urls.workList({ ...changedBy(name, today), ordering: '-updated' }),
      count: counts.lists.mine,
    },
  ]
  return <Group title="To finish" entries={entries} />
}

/** Hidden ones are left out. The same video is counted by pairs, as the page shows them that it links to. */
function toFindingEntries(
  { urls }: Site,
  { findings, pairs, done: all }: OverviewCounts,
  codes: readonly FindingCode[],
): Entry[] {
  return codes.flatMap((code) => {
    const [count, done] = [findings.get(code), all.get(code) ?? 0]
    if (count === undefined) return []
    if (code === 'same_video') return [{ text: 'Pairs with the same video', href: urls.duplicates(), count: pairs }]
    return [{ text: findingTexts[code].title, href: urls.workList(toFindingList(code)), count, done }]
  })
}

/** Counts addresses, like the page that it links to. */
const toLinksEntry = ({ urls }: Site, { addresses: count }: OverviewCounts): Entry => ({
  ...{ text: 'Dead and moved addresses, by event and host', href: urls.links(), count },
})

const toCompanionEntries = ({ urls }: Site, { lists }: OverviewCounts): readonly Entry[] => [
  { text: listTitles.slides, href: urls.workList(withoutSlides), count: lists.slides },
  { text: listTitles.chapters, href: urls.workList(withoutChapters), count: lists.chapters },
  { text: listTitles.transcript, href: urls.workList(withoutTranscript), count: lists.transcript },
]

interface HiddenProps extends GroupProps {
  readonly caller: Caller
}

/** Lists that nobody is asked to work on, folded away. */
function HiddenLists({ site, caller, counts: { hidden } }: HiddenProps) {
  if (hidden.length === 0) return null
  return (
    <details class="hidden-lists">
      <summary>{toCounted(hidden.length, 'hidden list')}</summary>
      <ul>
        {hidden.map(({ code, count, by, at }) => (
          <li key={code}>
            <a href={site.urls.workList(toFindingList(code))}>
              {findingTexts[code].title} <span class="count">{toNumber(count)}</span>
            </a>
            <span class="muted">
              hidden by <bdi>{by}</bdi>, <DateTime at={at} />
            </span>
            {hasRole(caller.role, 'publisher') && <ShowAgain {...{ site, caller, code }} />}
          </li>
        ))}
      </ul>
    </details>
  )
}

function ShowAgain({ site, caller, code }: Pick<HiddenProps, 'site' | 'caller'> & { readonly code: FindingCode }) {
  return (
    <PostForm caller={caller} action={site.urls.hideFindings} hidden={{ code }}>
      <button
        type="submit"
        name="do"
        value="show"
        class="button quiet small"
        aria-label={`Show again: ${findingTexts[code].title}`}
      >
        Show again
      </button>
    </PostForm>
  )
}

/** After a list was hidden or shown again; the URL has a code only. */
function HiddenNotice({
  site,
  caller,
  parameters,
}: Omit<HiddenProps, 'counts'> & { readonly parameters: URLSearchParams }) {
  const [hidden, shown] = [parameters.get('hidden') ?? '', parameters.get('shown') ?? '']
  if (isFindingCode(shown)) {
    return (
      <p class="edit-notice" role="status">
        The list “{findingTexts[shown].title}” is shown again.
      </p>
    )
  }
  if (!isFindingCode(hidden)) return null
  return (
    <div class="edit-notice" role="status">
      <p>The list “{findingTexts[hidden].title}” is hidden for everybody.</p>
      {hasRole(caller.role, 'publisher') && <ShowAgain {...{ site, caller }} code={hidden} />}
    </div>
  )
}

function Group({ title, entries }: { readonly title: string; readonly entries: readonly Entry[] }) {
  return (
    <section>
      <h2>{title}</h2>
      <ul class="counted">
        {entries.map(({ text, href, count, done = 0 }) => (
          <li key={href} class={count === 0 ? 'is-empty' : undefined}>
            <a href={href}>
              {text} <span class="count">{toNumber(count)}</span>
            </a>
            {done > 0 && <p class="done">{toNumber(done)} done today</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function EventGroup({ site, counts: { events } }: GroupProps) {
  return (
    <section class="events">
      <h2>
        Events that need the most work{' '}
        {events.length > 0 && (
          <span class="unit" aria-hidden="true">
            issues
          </span>
        )}
      </h2>
      {events.length === 0 ? (
        <p class="muted">Nothing to do here.</p>
      ) : (
        <>
          <ul class="counted">
            {events.map(({ category, slug, total, findings }) => (
              <li key={slug}>
                <a href={site.urls.workList({ category: slug })}>
                  <span dir="auto">{category}</span> <Total count={total} />
                </a>
                <p class="muted">{toWords(findings)}</p>
              </li>
            ))}
          </ul>
          <p>
            <a href={site.urls.eventFindings()}>All events</a>
          </p>
        </>
      )}
    </section>
  )
}

function Total({ count }: { readonly count: number }) {
  return (
    <span class="count">
      {toNumber(count)}
      <span class="hidden-text"> {count === 1 ? 'issue' : 'issues'}</span>
    </span>
  )
}

const shownWords = 3

/** The most frequent findings. */
function toWords(findings: readonly FindingTotal[]): string {
  const words = findings.slice(0, shownWords).map(({ code }) => findingTexts[code].badge)
  // Unbreakable, so that the dots never stand on a line alone.
  return `${words.join(', ')}${findings.length > shownWords ? ',\u00a0…' : ''}`
}

const shownEvents = 8

type CountedName =
  | 'drafts'
  | 'parked'
  | 'whiteboard'
  | 'slides'
  | 'chapters'
  | 'transcript'
  | 'recordings'
  | 'today'
  | 'mine'

interface OverviewCounts {
  readonly lists: { readonly [name in CountedName]: number }
  /** Without hidden ones. */
  readonly findings: ReadonlyMap<FindingCode, number>
  /** Of talks with the same video. */
  readonly pairs: number
  /** Dead or moved. */
  readonly addresses: number
  readonly hidden: CountedFindings['hidden']
  readonly done: ReadonlyMap<FindingCode, number>
  /** The events with the most findings. */
  readonly events: readonly EventFindings[]
}

/** The length of each list; the store counts one in about a millisecond (decision 53). */
async function countLists(store: ReadStore, name: string, today: string, signal: AbortSignal): Promise<OverviewCounts> {
  const count = (list: KnownFilters) => countList(store, list, signal)
  const { totals, hidden } = requireRead(await store.countFindings({ page: 1, pageSize: 1 }, signal))
  const events = requireRead(await store.listEventFindings({ order: 'total', page: 1, pageSize: shownEvents }, signal))
  const pairs = requireRead(await store.listDuplicatePairs({ reason: 'same_video', page: 1, pageSize: 1 }, signal))
  const addresses = { states: troubledStates, page: 1, pageSize: 1 }
  return {
    pairs: pairs.count,
    addresses: requireRead(await store.listLinks(addresses, signal)).count,
    lists: {
      drafts: await count(drafts),
      parked: await count(parkedDrafts),
      whiteboard: await count(withNote),
      slides: await count(withoutSlides),
      chapters: await count(withoutChapters),
      transcript: await count(withoutTranscript),
      recordings: await count(withRecordings),
      today: await count(changedOn(today)),
      mine: await count(changedBy(name, today)),
    },
    findings: new Map(totals.map((total) => [total.code, total.count])),
    hidden,
    done: requireRead(await store.countDone({ since: `${today}T00:00:00.000` }, signal)),
    events: events.lines,
  }
}
