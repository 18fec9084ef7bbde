import { Refused } from '../../http/problem/problem.ts'
import { requireRead } from '../../http/problem/read-problems.ts'
import { orNotModified, toHeaders } from '../../http/respond.ts'
import type { Answer, HttpCall } from '../../http/route.ts'
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
  return new Response(toStream(store, first), { headers })
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

/** Reads the next piece when the client has taken the one before. A dump that is thrown away ends the connection. */
function toStream(store: DumpNeeds['store'], first: DumpPiece): ReadableStream<Uint8Array> {
  let piece = first
  let position = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (position > 0) {
          const next = await readPiece(store, { version: piece.version, position })
          if (next === null) return controller.error(new Error('the dump was thrown away'))
          piece = next
        }
        position += piece.bytes.length
        controller.enqueue(Buffer.from(piece.bytes, 'latin1'))
        if (piece.isLast) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}
