import type { Caller } from '../../http/auth/caller.ts'
import { requireRead } from '../../http/problem.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { type FindingCode, findingCodes, missingKinds, toMissingCode } from '../../record/quality/finding-codes.ts'
import type { EventFindings, FindingTotal } from '../../record/query/findings.ts'
import { hasRole } from '../../record/role.ts'
import { toNumber } from '../../record/text/counted.ts'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import type { ReadStore } from '../../store/store.ts'
import { renderEditPage, requireCaller, respondEditPage } from '../edit-page.tsx'
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
} from './known-lists.ts'
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
      <section class="notice kept-unsaved" aria-label="Unsaved changes" data-kept-unsaved={site.urls.editHome} hidden />
      <div class="overview-groups">
        <WorkGroup {...{ site, counts, today }} name={caller.name} />
        <Group title="Something is missing" entries={toFindingEntries(site, counts, missing)} />
        <Group title="Looks wrong" entries={toWrongEntries(site, counts)} />
        <EventGroup site={site} counts={counts} />
      </div>
    </div>
  )
  return respondEditPage(call, renderEditPage({ site, caller, section: 'lists' }, pageTitle, body))
}

const missing: readonly FindingCode[] = missingKinds.map(toMissingCode)
/** The last one is `same_video`. */
const wrong = findingCodes.filter((code) => !missing.includes(code))

function FindForm({ site: { urls }, caller }: { readonly site: Site; readonly caller: Caller }) {
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
      <a href={urls.workList()}>All talks</a>
      {hasRole(caller.role, 'editor') && <a href={urls.table()}>Upload a table</a>}
    </form>
  )
}

interface Entry {
  readonly text: string
  readonly href: string
  readonly count: number
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

function toFindingEntries({ urls }: Site, { findings }: OverviewCounts, codes: readonly FindingCode[]): Entry[] {
  return codes.map((code) => ({
    text: findingTexts[code].title,
    href: urls.workList(toFindingList(code)),
    count: findings.get(code) ?? 0,
  }))
}

/** Talks with the same video link to the page that shows them side by side. */
function toWrongEntries(site: Site, counts: OverviewCounts): Entry[] {
  const others = wrong.filter((code) => code !== 'same_video')
  const duplicates = {
    text: 'Same video as another talk',
    href: site.urls.duplicates(),
    count: counts.findings.get('same_video') ?? 0,
  }
  return [...toFindingEntries(site, counts, others), duplicates]
}

function Group({ title, entries }: { readonly title: string; readonly entries: readonly Entry[] }) {
  return (
    <section>
      <h2>{title}</h2>
      <ul class="counted">
        {entries.map(({ text, href, count }) => (
          <li key={href} class={count === 0 ? 'is-empty' : undefined}>
            <a href={href}>
              {text} <span class="count">{toNumber(count)}</span>
            </a>
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
            findings
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
      <span class="hidden-text"> {count === 1 ? 'finding' : 'findings'}</span>
    </span>
  )
}

const shownWords = 3

/** The most frequent findings. */
function toWords(findings: readonly FindingTotal[]): string {
  const words = findings.slice(0, shownWords).map(({ code }) => findingTexts[code].badge)
  return [...words, ...(findings.length > shownWords ? ['…'] : [])].join(', ')
}

const shownEvents = 8

interface OverviewCounts {
  readonly lists: { readonly [name in 'drafts' | 'parked' | 'whiteboard' | 'today' | 'mine']: number }
  readonly findings: ReadonlyMap<FindingCode, number>
  /** The events with the most findings. */
  readonly events: readonly EventFindings[]
}

/** The length of each list; the store counts one in about a millisecond (decision 53). */
async function countLists(store: ReadStore, name: string, today: string, signal: AbortSignal): Promise<OverviewCounts> {
  const count = (list: KnownFilters) => countList(store, list, signal)
  const { totals } = requireRead(await store.countFindings({ page: 1, pageSize: 1 }, signal))
  const events = requireRead(await store.listEventFindings({ order: 'total', page: 1, pageSize: shownEvents }, signal))
  return {
    lists: {
      drafts: await count(drafts),
      parked: await count(parkedDrafts),
      whiteboard: await count(withNote),
      today: await count(changedOn(today)),
      mine: await count(changedBy(name, today)),
    },
    findings: new Map(totals.map((total) => [total.code, total.count])),
    events: events.lines,
  }
}
