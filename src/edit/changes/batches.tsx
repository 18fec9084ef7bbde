import { Refused, requireRead } from '../../http/problem.ts'
import type { Call, Caller, TextAnswer } from '../../http/route.ts'
import { hasRole } from '../../record/command.ts'
import { parsePage } from '../../record/query/query.ts'
import { toNumber } from '../../record/text/counted.ts'
import { Pager } from '../../site/part/pager.tsx'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import type { BatchLine, LogPage, NamePair } from '../../store/change-log.ts'
import { Moment, renderEditPage, requireCaller, respondEditPage } from '../edit-page.tsx'
import { AuthorFilter } from './author-filter.tsx'
import { BatchTitle } from './batch-title.tsx'
import { changesTexts } from './changes-texts.ts'

const { batches: texts, batch: batchTexts } = changesTexts
const pageSize = 30

/** `/edit/batches`: changes of many talks, newest first. Publishers see all, others their own. */
export async function showBatches(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const caller = requireCaller(call)
  const page = parsePage(call.query().get('page'))
  if (page === null) throw new Refused({ code: 'no_such_page' })
  const by = toAuthorName(call, caller)
  const log = requireRead(await deps.store.listBatches({ page, pageSize, by, id: null }, call.signal))
  if (log.lines.length === 0 && log.page > 1) throw new Refused({ code: 'no_such_page' })
  const names = requireRead(await deps.store.findBatchNames({ ids: log.lines.map(({ id }) => id) }))
  const html = renderEditPage(
    { site, caller, section: 'batches' },
    texts.title,
    <Batches {...{ site, caller, log, names, by }} />,
  )
  return respondEditPage(call, html)
}

/** The author whose batches are shown; null for all. */
function toAuthorName(call: Call, caller: Caller): string | null {
  const wanted = call.query().get('by') ?? ''
  if (!hasRole(caller.role, 'publisher')) return caller.name
  return wanted === '' ? null : wanted
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
      <h1>{texts.title}</h1>
      <p class="muted">{seesAll ? texts.text : texts.own}</p>
      {seesAll && <AuthorFilter action={urls.batches()} by={by} own={caller.name} />}
      {log.lines.length === 0 ? (
        <p>{by === null || !seesAll ? texts.none : texts.noneBy(by)}</p>
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
            <th scope="col">{texts.when}</th>
            <th scope="col">{texts.what}</th>
            <th scope="col" class="number">
              {texts.count}
            </th>
            <th scope="col">{texts.author}</th>
            <th scope="col">{texts.state}</th>
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
        <span class="narrow-only"> {texts.talks(line.changed)}</span>
      </td>
      <td>
        <span class="narrow-only">{texts.by} </span>
        <bdi>{line.by}</bdi>
      </td>
      <td>
        {toStateText(line)}
        {line.undone_by !== null && <a href={urls.batch(line.undone_by)}>{texts.undone}</a>}
      </td>
    </tr>
  )
}

function toStateText({ state, done, total, undone_by }: BatchLine): string {
  if (state === 'done') return undone_by === null ? batchTexts.state.done : ''
  return `${batchTexts.state[state](done, total)} `
}
