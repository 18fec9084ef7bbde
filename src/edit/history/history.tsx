import { Refused, requireRead } from '../../http/problem.ts'
import type { Call, Caller, TextAnswer } from '../../http/route.ts'
import { toKind } from '../../record/companion/kinds.ts'
import type { JsonObject } from '../../record/json.ts'
import { parsePage } from '../../record/query/query.ts'
import { parseRecordId } from '../../record/record.ts'
import { hasRole } from '../../record/role.ts'
import { Pager } from '../../site/part/list-controls.tsx'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import type { TalkPages } from '../../site/urls.ts'
import type { VersionLine } from '../../store/change-log.ts'
import type { ReadStore } from '../../store/store.ts'
import { kindBadges } from '../changes/changes.tsx'
import { createDiffBudget, type DiffBudget, ShortDiff } from '../diff.tsx'
import { DateTime, PostForm, renderEditPage, requireCaller, respondEditPage } from '../edit-page.tsx'
import { readTalkPages } from '../lists/list-place.ts'
import type { OtherChange } from '../save/notices.tsx'
import {
  type CurrentTalk,
  findCompanionName,
  findTalkVersion,
  isCurrent,
  mayRestore,
  type NumberedVersion,
  readLines,
  requireTalk,
  toRestoreTitle,
} from './read-versions.ts'
import { KeptNotice, listKeptChanges, parseUndone, toNothingText } from './undo.tsx'

const pageSize = 20

/** Outside the form that compares versions: forms cannot be nested. */
const undoFormId = 'undo-version'

/** `/edit/video/<id>/history`: every version of a talk with what it changed, newest first. */
export async function showHistory(call: Call<'id'>, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const caller = requireCaller(call)
  const id = Number(call.params.id)
  const page = parsePage(call.query().get('page'))
  if (page === null) throw new Refused({ code: 'no_such_page' })
  const talk = await requireTalk(deps.store, id)
  const log = requireRead(await deps.store.listHistory({ id, page, pageSize }, call.signal))
  if (log.lines.length === 0) throw new Refused({ code: 'no_such_page' })
  const versions = await readVersions(deps.store, id, log.lines)
  const pages = readTalkPages(call, site.urls)
  const notice = await findNotice(call, deps.store, talk)
  const props = { site, caller, pages, talk, versions, page: log.page, count: log.count, notice }
  const html = renderEditPage({ site, caller }, `History of ${talk.record.title}`, <HistoryPage {...props} />)
  return respondEditPage(call, html)
}

const firstKinds = { live: 'New talk, live', draft: 'New talk, draft' } as const
interface VersionFactsProps {
  readonly site: Site
  readonly version: NumberedVersion
}

/** `Version 3 · Nov 17, 2026, 04:30 UTC by ann: heard it`. */
export function VersionFacts({ site, version: { line, record } }: VersionFactsProps) {
  const kind = line.version === 1 ? firstKinds[record.state === 1 ? 'live' : 'draft'] : kindBadges[line.kind]
  return (
    <span class="version-facts">
      <strong>Version {line.version}</strong> <DateTime at={line.at} /> by{' '}
      <a href={site.urls.changes({ by: line.by })}>
        <bdi>{line.by}</bdi>
      </a>
      {kind !== null && (
        <>
          {' '}
          <span class="badge">{kind}</span>
        </>
      )}
      {line.batch !== null && (
        <>
          {' · '}
          <a href={site.urls.batch(line.batch)}>Bulk change {line.batch}</a>
        </>
      )}
      {line.reason !== null && (
        <q class="reason" dir="auto">
          {line.reason}
        </q>
      )}
    </span>
  )
}

/** The result of a restore or an undo: the version, or that nothing had to change. */
type Notice =
  | { readonly restored: number }
  | { readonly undone: number; readonly isStored: boolean; readonly kept: readonly OtherChange[] }
  | 'unchanged'
  | null

async function findNotice(call: Call, store: ReadStore, { stored, record }: CurrentTalk): Promise<Notice> {
  const undone = parseUndone(call)
  if (undone !== null) {
    const kept = await listKeptChanges(store, {
      id: stored.id,
      number: undone,
      now: { version: stored.version, record },
    })
    return { undone, isStored: call.query().has('made'), kept }
  }
  const restored = parseRecordId(call.query().get('restored') ?? '')
  if (restored !== null) return { restored }
  return call.query().get('saved') === 'unchanged' ? 'unchanged' : null
}

interface Step {
  readonly version: NumberedVersion
  /** Null for the first. */
  readonly before: NumberedVersion | null
  /** What a diff compares. */
  readonly seen: { readonly before: JsonObject; readonly after: JsonObject }
}

/** Newest first, each with the one before it. Versions that have just been erased are left out. */
async function readVersions(store: ReadStore, id: number, lines: readonly VersionLine[]): Promise<Step[]> {
  const steps: Step[] = []
  let after = await findTalkVersion(store, id, lines[0]?.version ?? 0)
  for (const { version } of lines) {
    const before = await findTalkVersion(store, id, version - 1)
    if (after !== null) steps.push({ version: after, before, seen: await readSeen(store, id, after, before) })
    after = before
  }
  return steps
}

async function readSeen(
  store: ReadStore,
  id: number,
  { line, record }: NumberedVersion,
  before: NumberedVersion | null,
): Promise<Step['seen']> {
  const name = findCompanionName(line)
  if (name === null) return { before: { ...before?.record }, after: { ...record } }
  const read = (number: number) => readLines(store, id, number, [name])
  return { before: await read(line.version - 1), after: await read(line.version) }
}

interface HistoryProps {
  readonly site: Site
  readonly caller: Caller
  readonly pages: TalkPages
  readonly talk: CurrentTalk
  readonly versions: readonly Step[]
  readonly page: number
  /** The number of all versions, which is that of the newest one. */
  readonly count: number
  readonly notice: Notice
}

function HistoryPage({ site, caller, pages, talk, versions, page, count, notice }: HistoryProps) {
  const [newest] = versions
  const budget = createDiffBudget()
  const chosen = { to: newest?.version.line.version ?? 1, from: newest?.before?.line.version ?? 1 }
  return (
    <div class="edit-page">
      <header class="change-head">
        <p class="muted">History</p>
        <h1 dir="auto">{talk.record.title}</h1>
        <p>
          <a href={pages.edit}>Edit</a>
        </p>
      </header>
      {notice !== null && <NoticeLine {...{ caller, pages, notice, count }} />}
      {hasRole(caller.role, 'editor') && (
        <PostForm caller={caller} action={pages.history()} attributes={{ id: undoFormId }}>
          {null}
        </PostForm>
      )}
      <form class="version-list" action={pages.compare()}>
        {pages.list !== null && <input type="hidden" name="list" value={pages.list} />}
        {count > 1 && <CompareButton />}
        <ol reversed>
          {versions.map((step) => (
            <VersionItem
              key={step.version.line.version}
              {...{ site, caller, pages, talk, step, chosen, isAlone: count === 1, budget }}
            />
          ))}
        </ol>
      </form>
      <Pager page={page} last={Math.ceil(count / pageSize)} toHref={(to) => pages.history({ page: to })} />
    </div>
  )
}

function CompareButton() {
  return (
    <p class="compare-bar">
      <button type="submit" class="button quiet">
        Compare
      </button>
      <span class="muted">the marked versions</span>
    </p>
  )
}

interface NoticeProps extends Pick<HistoryProps, 'caller' | 'pages' | 'count'> {
  readonly notice: NonNullable<Notice>
}

function NoticeLine({ caller, pages, notice, count }: NoticeProps) {
  if (notice === 'unchanged') {
    return (
      <p class="done-notice" role="status">
        Nothing to change: the talk already matches that version.
      </p>
    )
  }
  const seen = count > 1 && <a href={pages.compare({ from: count - 1, to: count })}>See what that changed</a>
  if ('restored' in notice) {
    return (
      <p class="done-notice" role="status">
        Version {notice.restored} restored. {seen}
      </p>
    )
  }
  const { undone, isStored, kept } = notice
  return (
    <div class="done-notice" role="status">
      {isStored ? (
        <p>
          Version {undone} undone. {seen}
        </p>
      ) : (
        <p>{toNothingText(kept)}</p>
      )}
      <KeptNotice caller={caller} kept={kept} />
    </div>
  )
}

interface VersionItemProps {
  readonly site: Site
  readonly caller: Caller
  readonly pages: TalkPages
  readonly talk: CurrentTalk
  readonly step: Step
  /** The versions that are preselected for a comparison. */
  readonly chosen: { readonly from: number; readonly to: number }
  /** Whether there is nothing to compare it with. */
  readonly isAlone: boolean
  readonly budget: DiffBudget
}

/** One version: who made it, when and why, and what it changed. */
function VersionItem(props: VersionItemProps) {
  const { site, step, chosen, isAlone } = props
  const { version, before, seen } = step
  const { line } = version
  return (
    <li id={`version-${line.version}`}>
      <div class="version-head">
        {!isAlone && <VersionChoice number={line.version} chosen={chosen} />}
        <VersionFacts site={site} version={version} />
        {isCurrent(props.talk, line) && <span class="badge">{toCurrentText(line)}</span>}
        <VersionLinks {...props} />
      </div>
      {before !== null && <ShortDiff {...seen} budget={props.budget} href={toChangeHref(props, line.version)} />}
    </li>
  )
}

/** Each companion has a current version beside that of the talk. */
function toCurrentText(line: VersionLine): string {
  const name = findCompanionName(line)
  return name === null ? 'current' : `current ${toKind(name).label.toLowerCase()}`
}

const toChangeHref = ({ pages }: VersionItemProps, to: number) => pages.compare({ from: to - 1, to })

function VersionChoice({ number, chosen }: { readonly number: number; readonly chosen: VersionItemProps['chosen'] }) {
  return (
    <span class="version-choice">
      <label>
        <input
          type="radio"
          name="from"
          value={number}
          checked={chosen.from === number}
          aria-label={`From version ${number}`}
        />
        <span aria-hidden="true">From</span>
      </label>
      <label>
        <input
          type="radio"
          name="to"
          value={number}
          checked={chosen.to === number}
          aria-label={`To version ${number}`}
        />
        <span aria-hidden="true">To</span>
      </label>
    </span>
  )
}

function VersionLinks({ pages, caller, talk, step: { version, before } }: VersionItemProps) {
  const { version: number } = version.line
  const isOld = !isCurrent(talk, version.line)
  return (
    <span class="version-links">
      {isOld && <a href={pages.compare({ from: number, to: talk.newest })}>Compare with the current version</a>}
      {isOld && mayRestore(caller, talk.record, version) && (
        <a href={pages.version(number)} aria-label={toRestoreTitle(number, findCompanionName(version.line))}>
          Restore
        </a>
      )}
      {before !== null && mayRestore(caller, talk.record, before) && (
        <button
          type="submit"
          form={undoFormId}
          formaction={pages.version(number)}
          name="do"
          value="undo"
          class="button quiet small"
          aria-label={`Undo what version ${number} changed`}
        >
          Undo
        </button>
      )}
    </span>
  )
}
