import type { Caller } from '../../http/auth/caller.ts'
import { Refused, requireRead } from '../../http/problem.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { parsePage } from '../../record/query/query.ts'
import { hasRole } from '../../record/role.ts'

import { toCounted, toNumber } from '../../record/text/counted.ts'
import { Pager } from '../../site/part/pager.tsx'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import { withParameters } from '../../site/urls.ts'
import type { BatchKind, BatchLine, NamePair } from '../../store/batch-reads.ts'
import type { LogPage } from '../../store/change-log.ts'
import { Moment, renderEditPage, requireCaller, respondEditPage } from '../edit-page.tsx'

const pageTitle = 'Bulk changes'
const pageSize = 30

/** `/edit/batches`: changes of many talks, newest first. Publishers see all, others their own. */
export async function showBatches(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const caller = requireCaller(call)
  const page = parsePage(call.query().get('page'))
  if (page === null) throw new Refused({ code: 'no_such_page' })
  const by = readAuthorFilter(call, caller)
  const log = requireRead(await deps.store.listBatches({ page, pageSize, by, id: null }, call.signal))
  if (log.lines.length === 0 && log.page > 1) throw new Refused({ code: 'no_such_page' })
  const names = requireRead(await deps.store.findBatchNames({ ids: log.lines.map(({ id }) => id) }))
  const html = renderEditPage(
    { site, caller, section: 'batches' },
    pageTitle,
    <Batches {...{ site, caller, log, names, by }} />,
  )
  return respondEditPage(call, html)
}

const kindTexts: { readonly [kind in BatchKind]: string } = {
  import: 'Import',
  'rename category': 'Event renamed',
  'rename speaker': 'Speaker renamed',
  'rename tag': 'Tag renamed',
  'merge category': 'Events merged',
  'merge speaker': 'Speakers merged',
  'merge tag': 'Tags merged',
  'merge video': 'Talks merged',
  undo: 'Undo',
  bulk: 'Fields changed',
  restore: 'Reverted changes by one author',
  table: 'Table uploaded',
}

interface BatchTitleProps {
  readonly batch: Pick<BatchLine, 'kind' | 'undoes'>
  readonly names: readonly NamePair[]
}

/** What a batch did, in words: `Speakers merged: Ada L. → Ada Lovelace`. */
export function BatchTitle({ batch: { kind, undoes }, names }: BatchTitleProps) {
  return (
    <>
      {undoes === null ? kindTexts[kind] : `Undo of bulk change ${undoes}`}
      {names.map((pair, i) => (
        <span key={i}>
          {i === 0 ? ': ' : ', '}
          <Name text={pair.from} /> <span aria-hidden="true">→</span>
          <span class="hidden-text"> to </span> <Name text={pair.to} />
        </span>
      ))}
    </>
  )
}

/** The progress of a batch that is running or was stopped. */
export function toProgressText({ state, done, total }: Pick<BatchLine, 'state' | 'done' | 'total'>): string {
  return `${state === 'running' ? 'Running:' : 'Stopped after'} ${toNumber(done)} of ${toCounted(total, 'talk')}.`
}

/** The author whose batches are shown; null for all. */
function readAuthorFilter(call: Call, caller: Caller): string | null {
  const author = call.query().get('by') ?? ''
  if (!hasRole(caller.role, 'publisher')) return caller.name
  return author === '' ? null : author
}

interface BatchesProps {
  readonly site: Site
  readonly caller: Caller
  readonly log: LogPage<BatchLine>
  readonly names: ReadonlyMap<number, readonly NamePair[]>
  readonly by: string | null
}

function Batches({ site, caller, log, names, by }: BatchesProps) {
  const { urls } = site
  const last = Math.ceil(log.count / pageSize)
  const seesAll = hasRole(caller.role, 'publisher')
  return (
    <div class="edit-page">
      <h1>{pageTitle}</h1>
      <p class="muted">
        {seesAll
          ? 'Changes to many talks at once, including imports, renames, merges and undos.'
          : 'You see your own bulk changes. Publishers see all of them.'}
      </p>
      {seesAll && <AuthorFilter action={urls.batches()} by={by} own={caller.name} />}
      {log.lines.length === 0 ? (
        <p>{by === null || !seesAll ? 'There are no bulk changes.' : `There are no bulk changes by ${by}.`}</p>
      ) : (
        <BatchTable site={site} lines={log.lines} names={names} />
      )}
      <Pager page={log.page} last={last} toHref={(page) => urls.batches({ by: seesAll ? by : null, page })} />
    </div>
  )
}

interface BatchTableProps extends Pick<BatchesProps, 'site' | 'names'> {
  readonly lines: readonly BatchLine[]
}

function BatchTable({ site, lines, names }: BatchTableProps) {
  return (
    <div class="edit-table batch-table">
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">What</th>
            <th scope="col" class="number">
              Talks
            </th>
            <th scope="col">Author</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <BatchRow key={line.id} site={site} line={line} names={names.get(line.id) ?? []} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface BatchRowProps {
  readonly site: Site
  readonly line: BatchLine
  readonly names: readonly NamePair[]
}

function BatchRow({ site: { urls }, line, names }: BatchRowProps) {
  return (
    <tr>
      <td class="when">
        <Moment at={line.at} />
      </td>
      <td class="what">
        <a href={urls.batch(line.id)}>
          <BatchTitle batch={line} names={names} />
        </a>
        {line.reason !== null && (
          <span class="reason" dir="auto">
            {line.reason}
          </span>
        )}
      </td>
      <td class="number">
        {toNumber(line.changed)}
        <span class="narrow-only"> {line.changed === 1 ? 'talk' : 'talks'}</span>
      </td>
      <td>
        <span class="narrow-only">by </span>
        <bdi>{line.by}</bdi>
      </td>
      <td>
        {toStateText(line)}
        {line.undone_by !== null && <a href={urls.batch(line.undone_by)}>undone</a>}
      </td>
    </tr>
  )
}

function toStateText(batch: BatchLine): string {
  if (batch.state === 'done') return batch.undone_by === null ? 'Done' : ''
  return `${toProgressText(batch)} `
}

interface AuthorFilterProps {
  /** The path of the list. */
  readonly action: string
  readonly by: string | null
  /** The name of the caller. */
  readonly own: string
}

/** Narrows a list to one author. */
function AuthorFilter({ action, by, own }: AuthorFilterProps) {
  return (
    <form class="change-filter" action={action}>
      <label>
        Author <input type="text" name="by" value={by ?? ''} autocomplete="off" dir="auto" />
      </label>
      <button type="submit" class="button quiet">
        Show
      </button>
      {by === own ? null : <a href={withParameters(action, { by: own })}>Mine</a>}
      {by === null ? null : <a href={action}>All</a>}
    </form>
  )
}

function Name({ text }: { readonly text: string | null }) {
  return text === null ? <em>a name that no longer exists</em> : <bdi>{text}</bdi>
}
