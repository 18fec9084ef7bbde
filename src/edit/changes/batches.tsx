import { Refused, requireRead } from '../../http/problem.ts'
import type { Call, Caller, TextAnswer } from '../../http/route.ts'
import { maxSelected } from '../../record/bulk.ts'
import { parsePage } from '../../record/query/query.ts'
import { hasRole, mayStop, mayUndo } from '../../record/role.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { Pager } from '../../site/part/list-controls.tsx'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import { withParameters } from '../../site/urls.ts'
import type { BatchContent, BatchLine } from '../../store/batch-reads.ts'
import type { LogPage } from '../../store/change-log.ts'
import { DateTime, PostForm, renderEditPage, requireCaller, respondEditPage } from '../edit-page.tsx'
import { BatchSentence } from './batch-sentence.tsx'

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
  const contents = requireRead(await deps.store.findBatchContents({ ids: log.lines.map(({ id }) => id) }))
  const html = renderEditPage(
    { site, caller, section: 'batches' },
    pageTitle,
    <Batches {...{ site, caller, log, contents, by }} />,
  )
  return respondEditPage(call, html)
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
  readonly contents: ReadonlyMap<number, BatchContent>
  readonly by: string | null
}

function Batches({ site, caller, log, contents, by }: BatchesProps) {
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
        <BatchTable {...{ site, caller, contents }} lines={log.lines} />
      )}
      <Pager page={log.page} last={last} toHref={(page) => urls.batches({ by: seesAll ? by : null, page })} />
    </div>
  )
}

interface BatchTableProps extends Pick<BatchesProps, 'site' | 'caller' | 'contents'> {
  readonly lines: readonly BatchLine[]
}

function BatchTable({ site, caller, lines, contents }: BatchTableProps) {
  return (
    <div class="edit-table batch-table">
      <table>
        <thead>
          <tr>
            <th scope="col" class="number">
              Number
            </th>
            <th scope="col">What</th>
            <th scope="col">Who</th>
            <th scope="col">When</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {lines.flatMap((line) => {
            const content = contents.get(line.id)
            return content === undefined ? [] : [<BatchRow key={line.id} {...{ site, caller, line, content }} />]
          })}
        </tbody>
      </table>
    </div>
  )
}

interface BatchRowProps extends Pick<BatchesProps, 'site' | 'caller'> {
  readonly line: BatchLine
  readonly content: BatchContent
}

function BatchRow({ site: { urls }, caller, line, content }: BatchRowProps) {
  const { id, changed, reason, by, at } = line
  return (
    <tr>
      <td class="number">{id}</td>
      <td class="what">
        <a href={urls.batch(id)}>
          <BatchSentence content={content} talks={changed} />
        </a>
        {reason !== null && (
          <q class="reason" dir="auto">
            {reason}
          </q>
        )}
      </td>
      <td class="by">
        <span class="narrow-only">by </span>
        <bdi>{by}</bdi>
      </td>
      <td class="when">
        <DateTime at={at} />
      </td>
      <td class="state">
        <RowState {...{ urls, caller, line }} />
      </td>
    </tr>
  )
}

/** How far it is, and the button that the caller may press. */
function RowState({ urls, caller, line }: Pick<BatchRowProps, 'caller' | 'line'> & { readonly urls: Site['urls'] }) {
  const { id, state, changed, undoes, undone_by, by } = line
  if (undone_by !== null) return <a href={urls.batch(undone_by)}>Undone</a>
  const isUndoable = undoes === null && (state === 'done' || (state === 'stopped' && changed > 0))
  return (
    <>
      {state !== 'done' && `${toProgressText(line)} `}
      {state === 'running' && mayStop(caller, by) && (
        <StopForm {...{ caller, id }} action={urls.batch(id)} total={null} />
      )}
      {isUndoable && mayUndo(caller, by) && (
        <UndoForm {...{ caller, id }} action={urls.batch(id)} isRest={false} isMain={false} />
      )}
    </>
  )
}

interface UndoFormProps {
  readonly caller: Caller
  readonly id: number
  readonly action: string
  /** Whether it was undone before, so that only the rest can be undone. */
  readonly isRest: boolean
  readonly isMain: boolean
}

/** The idempotency key makes a double click one undo. */
export function UndoForm({ caller, id, action, isRest, isMain }: UndoFormProps) {
  return (
    <PostForm caller={caller} action={action} hidden={{ key: crypto.randomUUID() }}>
      <button
        type="submit"
        name="do"
        value="undo"
        class={isMain ? 'button' : 'button quiet'}
        aria-label={isRest ? `Undo the rest of bulk change ${id}` : `Undo bulk change ${id}`}
      >
        {isRest ? 'Undo the rest' : 'Undo'}
      </button>
    </PostForm>
  )
}

/** Changes of more talks are written in slices, but for those of events, which are one transaction. */
const inSlices = 'If you stop it, the talks that are done may stay changed; you can undo them afterwards.'

interface StopFormProps extends Pick<UndoFormProps, 'caller' | 'id' | 'action'> {
  /** How many talks it may change; null leaves out what a stop means. */
  readonly total: number | null
}

export function StopForm({ caller, id, action, total }: StopFormProps) {
  return (
    <PostForm caller={caller} action={action}>
      <button type="submit" name="do" value="stop" class="button quiet" aria-label={`Stop bulk change ${id}`}>
        Stop
      </button>
      {total !== null && <p class="muted">{total > maxSelected ? inSlices : 'If you stop it, nothing is changed.'}</p>}
    </PostForm>
  )
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
