import type { Child } from '#jsx/jsx-runtime'
import { requireRead } from '../../http/problem.ts'
import type { Call, Caller, TextAnswer } from '../../http/route.ts'
import { parseRecordId } from '../../record/record.ts'
import { hasRole } from '../../record/role.ts'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import { toLongDay } from '../../site/text/format.ts'
import type { UrlParameters } from '../../site/urls.ts'
import type {
  Activity,
  ActivityCursor,
  ActivityPage,
  BatchActivity,
  CategoryActivity,
  DismissalActivity,
  ProfileActivity,
  VersionActivity,
} from '../../store/activity-reads.ts'
import type { BatchContent } from '../../store/batch-reads.ts'
import type { ReadStore } from '../../store/store.ts'
import { renderEditPage, requireCaller, respondEditPage } from '../edit-page.tsx'
import { toFullLabel } from '../form/field-hints.ts'
import { BatchSentence } from './batch-sentence.tsx'
import { readTitles } from './batch-view.ts'

const linesPerPage = 50

/** `/edit/changes`: who did what, newest first. */
export async function showChanges(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const caller = requireCaller(call)
  const filters = await readChangeFilters(call, deps.store)
  const view = await readView(deps.store, filters)
  const title = filters.event === null ? 'Changes' : `Changes to talks at ${filters.event.title}`
  const html = renderEditPage(
    { site, caller, section: 'changes' },
    title,
    <Changes {...{ site, caller, filters, view, title }} />,
  )
  return respondEditPage(call, html)
}

/** The lines of a page, with the titles of their talks and what their batches did. */
interface ChangesView extends ActivityPage {
  readonly titles: ReadonlyMap<number, string>
  readonly contents: ReadonlyMap<number, BatchContent>
}

async function readView(store: ReadStore, filters: ChangeFilters): Promise<ChangesView> {
  const { by, event, batch, day, cursor, problems } = filters
  if (problems.length > 0) return { lines: [], next: null, titles: new Map(), contents: new Map() }
  const query = { by, category: event?.slug ?? null, batch, day, cursor, limit: linesPerPage }
  const { lines, next } = requireRead(await store.listActivity(query))
  const records = lines.flatMap((line) => (line.is === 'version' ? [line.id] : []))
  const batches = lines.flatMap((line) => (line.is === 'batch' ? [line.id] : []))
  const contents = requireRead(await store.findBatchContents({ ids: batches }))
  return { lines, next, titles: await readTitles(store, records), contents }
}

interface ChangesProps {
  readonly site: Site
  readonly caller: Caller
  readonly filters: ChangeFilters
  readonly view: ChangesView
  readonly title: string
}

function Changes({ site, caller, filters, view, title }: ChangesProps) {
  const { urls } = site
  const { event, cursor, problems } = filters
  return (
    <div class="edit-page">
      <header class="change-head">
        <h1 dir="auto">{title}</h1>
        {event !== null && (
          <p>
            <a href={urls.changesFeed(event.slug)}>Feed of public changes</a>
          </p>
        )}
      </header>
      <ChangeForm {...{ site, caller, filters }} />
      {problems.map((problem) => (
        <p key={problem} class="edit-problem" role="alert">
          {problem}
        </p>
      ))}
      {view.lines.length === 0 && problems.length === 0 && <p>No changes match these filters.</p>}
      <Days {...{ site, caller, view }} />
      <p class="steps">
        {cursor !== null && <a href={urls.changes(toFilterParameters(filters, null))}>Newest changes</a>}
        {view.next !== null && (
          <a rel="next" href={urls.changes(toFilterParameters(filters, view.next))}>
            Older changes
          </a>
        )}
      </p>
    </div>
  )
}

function Days({ site, caller, view }: Pick<ChangesProps, 'site' | 'caller' | 'view'>) {
  const days = [...new Set(view.lines.map(({ at }) => at.slice(0, 10)))]
  return (
    <>
      {days.map((day) => (
        <section key={day} class="change-day">
          <h2>{toLongDay(day)}</h2>
          <ul>
            {view.lines
              .filter(({ at }) => at.startsWith(day))
              .map((line, i) => (
                <ChangeLine key={i} {...{ site, caller, line, view }} />
              ))}
          </ul>
        </section>
      ))}
    </>
  )
}

/** An event that changes are narrowed to. */
interface FilteredEvent {
  readonly slug: string
  readonly title: string
}

/** What the URL narrows a list of changes to. */
interface ChangeFilters {
  readonly by: string | null
  readonly event: FilteredEvent | null
  readonly batch: number | null
  readonly day: string | null
  readonly cursor: ActivityCursor | null
  /** As typed, for the form. */
  readonly typed: { readonly event: string; readonly day: string }
  /** Errors in the filters; with any, no changes are listed. */
  readonly problems: readonly string[]
}

/** Reads the filters of a request. An event is named by its slug or its title. */
async function readChangeFilters(call: Call, store: ReadStore): Promise<ChangeFilters> {
  const query = call.query()
  const typed = { event: (query.get('category') ?? '').trim(), day: (query.get('day') ?? '').trim() }
  const event = typed.event === '' ? null : await findEvent(store, typed.event)
  const isDay = typed.day === '' || isRealDay(typed.day)
  const by = (query.get('by') ?? '').trim()
  return {
    by: by === '' ? null : by,
    event,
    batch: parseRecordId(query.get('batch') ?? ''),
    day: isDay && typed.day !== '' ? typed.day : null,
    cursor: parseCursor(query.get('cursor') ?? ''),
    typed,
    problems: [
      ...(typed.event !== '' && event === null ? [`There is no event “${typed.event}”.`] : []),
      ...(isDay ? [] : ['Enter the date as YYYY-MM-DD.']),
    ],
  }
}

async function findEvent(store: ReadStore, text: string): Promise<FilteredEvent | null> {
  const bySlug = requireRead(await store.findCategory({ slug: text, visibility: 'all' }))
  if (bySlug !== null) return bySlug.row
  const slug = requireRead(await store.findCategorySlugs([text])).get(text)
  const byTitle = slug === undefined ? null : requireRead(await store.findCategory({ slug, visibility: 'all' }))
  return byTitle === null ? null : byTitle.row
}

function isRealDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** `12_2026-11-17T04:30:00.000_1`; anything else means the first page. */
function parseCursor(text: string): ActivityCursor | null {
  const [, seq, at = '', shown] = /^(\d{1,16})_([\d:.T-]{1,23})_(\d{1,9})$/.exec(text) ?? []
  return seq === undefined ? null : { seq: Number(seq), at, shown: Number(shown) }
}

const toCursorText = ({ seq, at, shown }: ActivityCursor) => `${seq}_${at}_${shown}`

/** The parameters of a list with the same filters. */
function toFilterParameters({ by, event, batch, day }: ChangeFilters, cursor: ActivityCursor | null): UrlParameters {
  return { by, category: event?.slug, batch, day, cursor: cursor === null ? null : toCursorText(cursor) }
}

interface ChangeFormProps {
  readonly site: Site
  readonly caller: Caller
  readonly filters: ChangeFilters
}

/** The filters of the list, as a form that is sent by GET, so that the list has a URL. */
function ChangeForm({ site: { urls }, caller, filters }: ChangeFormProps) {
  const { by, batch, typed } = filters
  const isNarrowed = by !== null || batch !== null || typed.event !== '' || typed.day !== ''
  return (
    <form class="change-filter" action={urls.changes()}>
      <label>
        Author <input type="text" name="by" value={by ?? ''} autocomplete="off" dir="auto" />
      </label>
      <label>
        Event{' '}
        <input
          type="text"
          name="category"
          value={typed.event}
          placeholder="title or short name"
          autocomplete="off"
          dir="auto"
        />
      </label>
      <label>
        Day <input type="date" name="day" value={typed.day} />
      </label>
      {batch !== null && (
        <span>
          Only changes of <a href={urls.batch(batch)}>bulk change {batch}</a>
          <input type="hidden" name="batch" value={batch} />
        </span>
      )}
      <button type="submit" class="button quiet">
        Show
      </button>
      {by !== caller.name && <a href={urls.changes(toFilterParameters({ ...filters, by: caller.name }, null))}>Mine</a>}
      {isNarrowed && <a href={urls.changes()}>All changes</a>}
    </form>
  )
}

interface ChangeLineProps {
  readonly site: Site
  readonly caller: Caller
  readonly line: Activity
  readonly view: {
    readonly titles: ReadonlyMap<number, string>
    readonly contents: ReadonlyMap<number, BatchContent>
  }
}

/** One change: when, who, what and why. */
function ChangeLine({ site, caller, line, view }: ChangeLineProps) {
  switch (line.is) {
    case 'version':
      return <VersionChange site={site} line={line} title={view.titles.get(line.id)} />
    case 'batch':
      return <BatchChange {...{ site, caller, line }} content={view.contents.get(line.id)} />
    case 'category':
      return <EventChange site={site} line={line} />
    case 'profile':
      return <ProfileChange site={site} line={line} />
    case 'dismissal':
      return <DismissalChange site={site} line={line} />
    case 'erasure':
      return (
        <Line at={line.at}>
          <span class="muted">Talk {line.id} was erased.</span>
        </Line>
      )
  }
}

interface LineProps {
  readonly at: string
  readonly author?: { readonly site: Site; readonly by: string }
  readonly reason?: string | null
  readonly children: Child
}

function Line({ at, author, reason = null, children }: LineProps) {
  return (
    <li class="change-line">
      <time datetime={`${at}Z`}>{at.slice(11, 16)}</time>
      <div>
        {children}
        {author !== undefined && (
          <span class="change-by">
            {' '}
            by{' '}
            <a href={author.site.urls.changes({ by: author.by })}>
              <bdi>{author.by}</bdi>
            </a>
          </span>
        )}
        {reason !== null && (
          <q class="reason" dir="auto">
            {reason}
          </q>
        )}
      </div>
    </li>
  )
}

export const kindBadges = { created: 'Published', withdrawn: 'Withdrawn', updated: null } as const

interface VersionChangeProps {
  readonly site: Site
  readonly line: VersionActivity
  /** Absent if the talk has just been erased. */
  readonly title: string | undefined
}

function VersionChange({ site, line, title }: VersionChangeProps) {
  if (title === undefined) return <Line at={line.at}>Talk {line.id}, erased since</Line>
  const { id, version, kind, changed, batch } = line
  const badge = version === 1 ? 'New' : kindBadges[kind]
  return (
    <Line at={line.at} author={{ site, by: line.by }} reason={line.reason}>
      <a href={site.urls.edit(id)} dir="auto">
        {title}
      </a>{' '}
      {badge !== null && <span class="badge">{badge}</span>}{' '}
      {version > 1 && (
        <>
          <span class="change-fields">{changed.map(toFullLabel).join(', ')}</span>{' '}
          <a href={site.urls.compare(id, { from: version - 1, to: version })} aria-label={`Diff of ${title}`}>
            Diff
          </a>{' '}
        </>
      )}
      {batch !== null && <a href={site.urls.changes({ batch })}>Bulk change {batch}</a>}
    </Line>
  )
}

interface BatchChangeProps {
  readonly site: Site
  readonly caller: Caller
  readonly line: BatchActivity
  /** Absent if the batch has just been removed. */
  readonly content: BatchContent | undefined
}

/** Links to the page of the batch, or to its changes for callers who may not see that page. */
function BatchChange({ site, caller, line, content }: BatchChangeProps) {
  if (content === undefined) return null
  const maySeeBatch = hasRole(caller.role, 'publisher') || caller.name === line.by
  return (
    <Line at={line.at} author={{ site, by: line.by }} reason={line.reason}>
      <a href={maySeeBatch ? site.urls.batch(line.id) : site.urls.changes({ batch: line.id })}>
        <BatchSentence content={content} talks={line.records} />
      </a>
    </Line>
  )
}

function EventChange({ site, line }: { readonly site: Site; readonly line: CategoryActivity }) {
  const isNew = line.version === 1
  return (
    <Line at={line.at} author={{ site, by: line.by }} reason={line.reason}>
      {isNew ? 'New event' : 'Event'}:{' '}
      <a href={site.urls.editName('category', line.slug)} dir="auto">
        {line.title}
      </a>{' '}
      {!isNew && <span class="change-fields">{line.changed.map(toFullLabel).join(', ')}</span>}
    </Line>
  )
}

function ProfileChange({ site, line }: { readonly site: Site; readonly line: ProfileActivity }) {
  return (
    <Line at={line.at} author={{ site, by: line.by }} reason={line.reason}>
      Speaker:{' '}
      <a href={site.urls.editName('speaker', line.id)} dir="auto">
        {line.name}
      </a>{' '}
      <span class="change-fields">{line.changed.map(toFullLabel).join(', ')}</span>
    </Line>
  )
}

const differentTexts = { speaker: 'Different speakers', tag: 'Different tags', video: 'Different talks' } as const

function DismissalChange({ site, line }: { readonly site: Site; readonly line: DismissalActivity }) {
  return (
    <Line at={line.at} author={{ site, by: line.by }}>
      {differentTexts[line.of]}:{' '}
      {line.names.map((name, i) => (
        <span key={i}>
          {i > 0 && ', '}
          {name === null ? <em>a name that no longer exists</em> : <bdi>{name}</bdi>}
        </span>
      ))}
    </Line>
  )
}
