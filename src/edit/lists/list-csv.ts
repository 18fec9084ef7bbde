import { Refused, retryRead, toQueryProblem } from '../../http/problem.ts'
import { toHeaders } from '../../http/respond.ts'
import type { Answer, ChunkedAnswer, HttpCall } from '../../http/route.ts'
import { type FieldName, fieldNames, isWritableName, writableNames } from '../../record/fields.ts'
import { type Cursor, parseCursor } from '../../record/query/ordering.ts'
import { toCellText } from '../../record/table/cells.ts'
import { byteOrderMark, toCsvLine } from '../../record/table/csv.ts'
import { toSlug } from '../../record/text/slug.ts'
import { toZoned } from '../../record/timestamp.ts'
import { openSite, type Site, type SiteHttpDeps, toAbsolute } from '../../site/site.ts'
import { requireCaller } from '../edit-page.tsx'
import { toListTitle, toToday } from './known-lists.ts'
import { parseNamedList, toCleanParameters, toListFilters, toListName, type WorkQuery } from './list-query.ts'
import { findListEvent, type ListRow, type RowPage, readRows } from './read-list.ts'

/** The columns that a person looks for come first; those of all other fields follow, so that a table can be uploaded again. */
const firstColumns = [
  ...([
    'id',
    'title',
    'state',
    'category',
    'speakers',
    'tags',
    'language',
    'recorded',
    'duration',
    'source_url',
  ] as const),
  ...(['findings', 'whiteboard', 'updated', 'by', 'edit'] as const),
]
const columns = [...firstColumns, ...writableNames.filter((name) => !firstColumns.some((column) => column === name))]
/** Curators call a category an event. */
const heading = columns.map((column) => (column === 'category' ? 'event' : column))

type Row = ListRow<FieldName>
type Page = RowPage<FieldName>

/** Rows per read. A page of the small size is always answered, however large its records are. */
const [usualSize, smallSize] = [100, 20] as const

/** `/edit/list.csv?…`: all talks of a work list. An error in the middle of the file ends the connection, so that clients notice it. */
export async function showListCsv(call: HttpCall, deps: SiteHttpDeps): Promise<Answer> {
  const site = await openSite(call, deps)
  const parameters = new URLSearchParams(toListName(toCleanParameters(call.query())))
  const parsed = parseNamedList(parameters)
  if (!parsed.ok) throw new Refused(toQueryProblem(parsed))
  const { query } = parsed
  const event = await findListEvent(deps.store, parameters, null)
  const title = toListTitle(toListFilters(parameters), requireCaller(call).name, toToday(Date.now()), event)
  const headers = toHeaders(call.route.headers, 'text/csv; charset=utf-8; header=present', 'private')
  headers.set('Content-Disposition', `attachment; filename="${toSlug(title)}.csv"`)
  if (call.method === 'HEAD') return { status: 200, headers, pieces: [] }
  const read = async (cursor: Cursor) => toChunk(site, await readPage(deps, { ...query, page: cursor }, call.signal))
  // Read before the headers are sent, so that a refusal is a page.
  const first = await read({ is: 'start' })
  const begin = `${byteOrderMark}${toCsvLine(heading)}`
  return { status: 200, headers, next: createNext({ ...first, text: begin + first.text }, read) }

  function toChunk(of: Site, { rows, nextCursor }: Page): CsvChunk {
    const text = (rows ?? []).map((row) => toCsvLine(toCells(of, row))).join('')
    return { text, cursor: nextCursor === null ? null : parseCursor(nextCursor, query.order) }
  }
}

interface CsvChunk {
  readonly text: string
  /** Where the next chunk begins; null after the last. */
  readonly cursor: Cursor | null
}

/** Chunks one by one, so that memory stays flat. */
function createNext(first: CsvChunk, read: (cursor: Cursor) => Promise<CsvChunk>): ChunkedAnswer['next'] {
  let last: CsvChunk | null = null
  return async () => {
    if (last?.cursor === null) return null
    last = last === null ? first : await read(last.cursor)
    return Buffer.from(last.text)
  }
}

/** In small pages if the records are too large. */
async function readPage({ store }: SiteHttpDeps, query: WorkQuery, signal: AbortSignal): Promise<Page> {
  const read = (pageSize: number) =>
    retryRead(() => readRows<FieldName>(store, { ...query, pageSize }, fieldNames, signal), signal)
  const page = await read(usualSize)
  return page.rows === null ? read(smallSize) : page
}

function toCells(site: Site, { record, by, findings }: Row) {
  const others = {
    id: record.id,
    findings: findings.join(' '),
    updated: toZoned(record.updated),
    by,
    edit: toAbsolute(site, site.urls.edit(record.id)),
  }
  return columns.map((column) => (isWritableName(column) ? toCellText(column, record[column]) : others[column]))
}
