import type { Metrics } from './metrics.ts'
import { Refused } from './problem/problem.ts'
import type { Call, TextAnswer } from './route.ts'

/** Smaller bodies are not counted, since the kernel buffers them. */
const minCountedBytes = 256 * 1024
const chunkBytes = 256 * 1024
/** Bun sends smaller bodies with their head in one system call. */
const minStreamedLength = 15 * 1024
/** Above this length the additional system calls do not matter, and a stream would copy the body once more. */
const maxStreamedLength = 1 << 20

/**
 * Creates the response for an answer. Large bodies are sent with backpressure and count as waiting until the client has
 * read them. One more is refused while too many bytes wait over all threads, but never because of its own size alone.
 */
export type SendAnswer = (answer: TextAnswer, call: Call) => Response

export function createSendAnswer(metrics: Pick<Metrics, 'set' | 'sumOf'>, maxBytes: number): SendAnswer {
  let waitingBytes = 0

  function count(bytes: number): void {
    waitingBytes += bytes
    metrics.set('waiting_bytes', waitingBytes)
  }
  // An earlier thread with this number may have died with bytes still counted.
  count(0)

  function toCountedBody(text: string, signal: AbortSignal): ReadableStream<Uint8Array> {
    // Counted before the check, so that two threads that check at once see each other's bytes.
    count(text.length)
    const waiting = metrics.sumOf('waiting_bytes')
    if (waiting > maxBytes && waiting > text.length) {
      count(-text.length)
      throw new Refused({ code: 'too_much_waiting' })
    }
    let isCounted = true
    const release = () => {
      if (isCounted) count(-text.length)
      isCounted = false
    }
    // If a client disconnects before the first byte, the stream is neither pulled nor cancelled.
    signal.addEventListener('abort', release, { once: true })
    if (signal.aborted) release()
    return toChunks(Buffer.from(text, 'latin1'), release)
  }

  return ({ status, headers, pieces, isBinary = false }, call) => {
    if (pieces.length === 0) return new Response(null, { status, headers })
    if (call.method !== 'GET') return new Response(Buffer.from(pieces.join(''), 'latin1'), { status, headers })
    const isCounted = lengthOf(pieces) >= minCountedBytes
    const body = isCounted ? toCountedBody(pieces.join(''), call.signal) : toWholeBody(pieces, isBinary)
    return new Response(body, { status, headers })
  }
}

/**
 * The body of an asynchronous response. Bun writes each part of the head of such a response with its own system call,
 * about forty in all, unless the body is small or a stream. A stream that ends below its high-water mark is sent in one
 * call, with its length (ADR 14).
 */
export function toWholeBody(pieces: readonly string[], isBinary = false): string | Buffer | ReadableStream {
  const length = lengthOf(pieces)
  const toChunk = (piece: string) => (isBinary ? Buffer.from(piece, 'latin1') : piece)
  if (length < minStreamedLength || length > maxStreamedLength) return toChunk(pieces.join(''))
  const source: Bun.DirectUnderlyingSource = {
    type: 'direct',
    pull(sink) {
      for (const piece of pieces) sink.write(toChunk(piece))
      sink.close()
    },
  }
  return new ReadableStream(source, { highWaterMark: length + 1 })
}

function lengthOf(pieces: readonly string[]): number {
  return pieces.reduce((length, piece) => length + piece.length, 0)
}

/** Pulls the next chunk when the client has read the previous one. */
function toChunks(bytes: Uint8Array, onEnd: () => void): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(bytes.subarray(at, at + chunkBytes))
        at += chunkBytes
        if (at < bytes.length) return
        controller.close()
        onEnd()
      },
      cancel: onEnd,
    },
    { highWaterMark: 0 },
  )
}
