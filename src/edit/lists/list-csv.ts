import { Refused, retryRead, toQueryProblem } from '../../http/problem.ts'
import { toHeaders } from '../../http/respond.ts'
import type { Answer, ChunkedAnswer, HttpCall } from '../../http/route.ts'
import { type Cursor, parseCursor } from '../../record/query/ordering.ts'
import { toSlug } from '../../record/text/slug.ts'
import { openSite, type Site, type SiteHttpDeps, toAbsolute } from '../../site/site.ts'
import { requireCaller } from '../edit-page.tsx'
import { toListTitle, toToday } from './known-lists.ts'
import { parseNamedList, toCleanParameters, toListFilters, toListName, type WorkQuery } from './list-query.ts'
import { findListEvent, type ListRow, type RowPage, readRows } from './read-list.ts'

/** The fields that the cells are made from. */
const fields = [
  ...(['id', 'title', 'state', 'category', 'speakers', 'tags', 'language'] as const),
  ...(['recorded', 'duration', 'source_url', 'whiteboard', 'updated'] as const),
] as const
type Row = ListRow<(typeof fields)[number]>
type Page = RowPage<(typeof fields)[number]>

const columns = [
  ...['id', 'title', 'state', 'event', 'speakers', 'tags', 'language', 'recorded', 'duration', 'source_url'],
  ...['findings', 'whiteboard', 'updated', 'by', 'edit'],
]

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
  const heading = `${csvByteOrderMark}${toCsvLine(columns)}`
  return { status: 200, headers, next: createNext({ ...first, text: heading + first.text }, read) }

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

const csvByteOrderMark = '\ufeff'

/** One record of RFC 4180. */
export function toCsvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
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
    retryRead(() => readRows<(typeof fields)[number]>(store, { ...query, pageSize }, fields, signal), signal)
  const page = await read(usualSize)
  return page.rows === null ? read(smallSize) : page
}

function toCells(site: Site, { record, by, findings }: Row) {
  return [
    ...[record.id, record.title, record.state === 1 ? 'live' : 'draft', record.category],
    ...[record.speakers.join('; '), record.tags.join('; '), record.language, record.recorded, record.duration],
    ...[record.source_url, findings.join(' '), record.whiteboard, `${record.updated}Z`, by],
    toAbsolute(site, site.urls.edit(record.id)),
  ]
}

/** Spreadsheets take a cell that begins with one of these for a formula. */
const formulaStarts = ['=', '+', '-', '@', '\t', '\r']

/**
 * Puts an apostrophe before what a spreadsheet would run as a formula. Quotes every cell: in many languages a spreadsheet
 * splits lines at `;`, so the text after one would become a cell of its own.
 */
function toCell(value: string | number | null): string {
  const text = String(value ?? '')
  const inert = typeof value === 'string' && formulaStarts.includes(text.charAt(0)) ? `'${text}` : text
  return `"${inert.replaceAll('"', '""')}"`
}
