import { Refused } from '../../http/problem/problem.ts'
import { requireRead } from '../../http/problem/read-problems.ts'
import { orNotModified, toHeaders } from '../../http/respond.ts'
import type { Answer, ChunkedAnswer, HttpCall } from '../../http/route.ts'
import type { DumpPiece, DumpQuery } from '../../store/site-reads.ts'
import type { Failure, Store } from '../../store/store.ts'

export interface DumpNeeds {
  readonly store: Pick<Store, 'readDump' | 'changesCounter'>
}

/** A query thread that is busy has other clients to serve first. */
const retryMs = 500
const maxTries = 10

const noRoom = { code: 'full', detail: 'There is no room for the dump. Read the list of records instead.' } as const

/** `/dump/videos.ndjson.gz`: all live records, one per line (ADR 49). */
export async function showDump(call: HttpCall, { store }: DumpNeeds): Promise<Answer> {
  const first = await readPiece(store, { version: null, position: 0 }, call.signal)
  if (first === null) throw new Refused({ code: 'unreadable' })
  const headers = toHeaders(call.route.headers, 'application/gzip', 'revalidate')
  headers.set('ETag', `"${first.version}"`)
  headers.set('Content-Disposition', 'attachment; filename="videos.ndjson.gz"')
  const answer = orNotModified(call, { status: 200, headers, pieces: [] })
  if (answer.status === 304 || call.method === 'HEAD') return answer
  return { status: 200, headers, next: createNext(store, first) }
}

/** Null if the dump was thrown away, or if this node may not know that it must be. */
async function readPiece(store: DumpNeeds['store'], query: DumpQuery, signal?: AbortSignal): Promise<DumpPiece | null> {
  for (let tries = 1; ; tries++) {
    if (Number.isNaN(store.changesCounter())) return null
    const piece = await store.readDump(query, signal)
    if (piece === 'full') throw new Refused(noRoom)
    if (!isPassing(piece) || tries === maxTries) return requireRead(piece)
    await Bun.sleep(retryMs)
  }
}

const isPassing = (piece: DumpPiece | null | Failure) => piece === 'busy' || piece === 'late'

/** A dump that is thrown away ends the connection. */
function createNext(store: DumpNeeds['store'], first: DumpPiece): ChunkedAnswer['next'] {
  let piece: DumpPiece | null = null
  let position = 0
  return async () => {
    if (piece?.isLast === true) return null
    piece = piece === null ? first : await readPiece(store, { version: first.version, position })
    if (piece === null) throw new Error('the dump was thrown away')
    position += piece.bytes.length
    return Buffer.from(piece.bytes, 'latin1')
  }
}
