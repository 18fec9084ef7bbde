import type { Metrics } from './metrics.ts'
import { Refused } from './problem.ts'
import type { Call, TextAnswer } from './route.ts'

/** Smaller bodies are not counted: the kernel buffers them whether the client reads or not. */
const minCountedBytes = 256 * 1024
const chunkBytes = 256 * 1024
/** Bun sends smaller bodies with their head in one system call. */
const minStreamedLength = 15 * 1024
/** Above this length a few more system calls do not matter, and the stream would copy the body once more. */
const maxStreamedLength = 1 << 20

/**
 * Makes the response of an answer as plain data. Large bodies are sent as fast as the client reads and count until
 * then; refuses one when too many bytes wait for slow clients, over all threads, unless it alone is too large.
 */
export type SendAnswer = (answer: TextAnswer, call: Call) => Response

export function createSendAnswer(metrics: Pick<Metrics, 'set' | 'sumOf'>, maxBytes: number): SendAnswer {
  let waitingBytes = 0

  function count(bytes: number): void {
    waitingBytes += bytes
    metrics.set('waiting_bytes', waitingBytes)
  }
  // The thread that had this number before may have ended with bytes still counted.
  count(0)

  function toCountedBody(text: string, signal: AbortSignal): ReadableStream<Uint8Array> {
    // Counted before the check: of two threads that check at once, each sees the other's bytes.
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
    // A client that disconnects before the first byte pulls nothing and cancels nothing.
    signal.addEventListener('abort', release, { once: true })
    if (signal.aborted) release()
    return toChunks(Buffer.from(text, 'latin1'), release)
  }

  return ({ status, headers, pieces }, call) => {
    if (pieces.length === 0) return new Response(null, { status, headers })
    if (call.method !== 'GET') return new Response(pieces.join(''), { status, headers })
    const isCounted = lengthOf(pieces) >= minCountedBytes
    const body = isCounted ? toCountedBody(pieces.join(''), call.signal) : toWholeBody(pieces)
    return new Response(body, { status, headers })
  }
}

/**
 * An ASCII body, in pieces, for a response that was waited for. Bun writes each part of such a head with a system call
 * of its own, about forty in all, unless the body is small or a stream; a stream that ends below its high-water mark
 * goes out in one call, with its length (ADR 14).
 */
export function toWholeBody(pieces: readonly string[]): string | ReadableStream {
  const length = lengthOf(pieces)
  if (length < minStreamedLength || length > maxStreamedLength) return pieces.join('')
  const source: Bun.DirectUnderlyingSource = {
    type: 'direct',
    pull(sink) {
      for (const piece of pieces) sink.write(piece)
      sink.close()
    },
  }
  return new ReadableStream(source, { highWaterMark: length + 1 })
}

function lengthOf(pieces: readonly string[]): number {
  return pieces.reduce((length, piece) => length + piece.length, 0)
}

/** Pulls the next chunk when the client has taken the one before it. */
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
