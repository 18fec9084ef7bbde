import { requireRead, retryRead } from '../../http/problem.ts'
import { orNotModified, toHeaders } from '../../http/respond.ts'
import type { Answer, HttpCall } from '../../http/route.ts'
import { createInTurn } from '../../promises.ts'
import { type Cursor, type OrderStep, parseCursor } from '../../record/query/ordering.ts'
import type { ListQuery } from '../../record/query/query.ts'
import type { ReadStore } from '../../store/store.ts'

interface DumpDeps {
  readonly store: Pick<ReadStore, 'list' | 'listChanges'>
}

const order: readonly OrderStep[] = [{ field: 'id', isDescending: false }]
const liveRecords: Omit<ListQuery, 'page' | 'pageSize'> = {
  filters: { visibility: 'live', speakers: [], tags: [], has: [] },
  match: 'all',
  order,
  fields: null,
  facets: [],
  hasHighlight: false,
}

/** Records per read. The smaller number always succeeds, however large the records are. */
const [usualSize, safeSize] = [100, 20] as const

/**
 * `/dump/videos.ndjson.gz`: all live records, one per line. The pages of a list, compressed while the client reads them
 * (decision 81). Each HTTP thread compresses one chunk at a time, so that many downloads take no more CPU than one.
 */
export function createDump(): (call: HttpCall, deps: DumpDeps) => Promise<Answer> {
  const inTurn = createInTurn()
  return async (call, { store }) => {
    const newest = { since: null, limit: 1, visibility: 'live', by: null } as const
    const { last, store: storeId } = requireRead(await store.listChanges(newest, call.signal))
    const headers = toHeaders(call.route.headers, 'application/gzip', 'revalidate')
    // Weak: records may change while the client reads.
    headers.set('ETag', `W/"${storeId}.${last}"`)
    headers.set('Content-Disposition', 'attachment; filename="videos.ndjson.gz"')
    const answer = orNotModified(call, { status: 200, headers, pieces: [] })
    if (answer.status === 304 || call.method === 'HEAD') return answer
    const bytes = readLines(store, call.signal).pipeThrough(new CompressionStream('gzip')).getReader()
    return { status: 200, headers, next: () => inTurn(async () => (await bytes.read()).value ?? null) }
  }
}

/** Reads a page after the previous one is compressed. */
function readLines(store: DumpDeps['store'], signal: AbortSignal): ReadableStream<Uint8Array<ArrayBuffer>> {
  const read = (page: Cursor, pageSize: number) =>
    retryRead(async () => requireRead(await store.list({ ...liveRecords, page, pageSize }, signal)), signal)
  let cursor: Cursor = { is: 'start' }
  return new ReadableStream(
    {
      async pull(controller) {
        const usual = await read(cursor, usualSize)
        const { records, nextCursor } = usual.records === null ? await read(cursor, safeSize) : usual
        controller.enqueue(Buffer.from((records ?? []).map(toLine).join(''), 'latin1'))
        const next = nextCursor === null ? null : parseCursor(nextCursor, order)
        if (next === null) controller.close()
        else cursor = next
      },
    },
    { highWaterMark: 0 },
  )
}

/** Notes for curators: 255 characters, escaped as up to 12 each. Quotes inside texts are escaped, so only the field matches. */
const whiteboard = /"whiteboard":"(?:[^"\\]|\\.){1,3100}"/

/** The public record: all fields, with empty notes for curators. */
function toLine(text: string): string {
  return `${text.replace(whiteboard, '"whiteboard":""')}\n`
}
