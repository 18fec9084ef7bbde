import { andThen, type MaybePromise } from '../maybe-promise.ts'
import { toNetwork } from './host.ts'
import type { Quota, Release } from './limits.ts'
import { Refused } from './problem.ts'
import type { ChunkedAnswer, HttpCall, TextAnswer } from './route.ts'

/** Smaller bodies are not counted, since the kernel buffers them. */
const minCountedBytes = 256 * 1024
const chunkBytes = 256 * 1024
/** Bun sends smaller bodies with their head in one system call. */
const minStreamedLength = 15 * 1024
/** Above this length the additional system calls do not matter, and a stream would copy the body once more. */
const maxStreamedLength = 1 << 20

type SentCall = Pick<HttpCall, 'method' | 'signal' | 'clientAddress' | 'isStillTrusted'>

/**
 * Creates the response for an answer. Large bodies are sent with backpressure and count as waiting until the client has
 * read them. One more is refused while too many bytes wait over all threads or for one address, but never because of
 * its own size alone. A body that is read while it is sent counts as one chunk until its end.
 */
export type SendAnswer = (answer: TextAnswer | ChunkedAnswer, call: SentCall) => Response

/** By which a slow reader is counted. */
export const toAddressKey = (call: Pick<HttpCall, 'clientAddress'>) => `address ${toNetwork(call.clientAddress())}`

export function createSendAnswer(waiting: Quota): SendAnswer {
  function take(bytes: number, call: SentCall): Release {
    const taken = waiting.take(bytes, [toAddressKey(call)])
    if (taken === 'full') throw new Refused({ code: 'overloaded' })
    if (taken === 'share full') throw new Refused({ code: 'overloaded', detail: yoursWait })
    return taken
  }

  function toCountedBody(text: string, call: SentCall): ReadableStream<Uint8Array> {
    const release = take(text.length, call)
    const bytes = Buffer.from(text, 'latin1')
    let at = 0
    const next = () => {
      if (at >= bytes.length) return null
      at += chunkBytes
      return bytes.subarray(at - chunkBytes, at)
    }
    return toStream(next, call, release)
  }

  return (answer, call) => {
    const { status, headers } = answer
    if ('next' in answer) return new Response(toStream(answer.next, call, take(chunkBytes, call)), { status, headers })
    const { pieces, isBinary = false } = answer
    if (pieces.length === 0) return new Response(null, { status, headers })
    // Bun leaves the body out, and states its length.
    if (call.method === 'HEAD') return new Response(Buffer.from(pieces.join(''), 'latin1'), { status, headers })
    const isCounted = lengthOf(pieces) >= minCountedBytes
    const body = isCounted ? toCountedBody(pieces.join(''), call) : toWholeBody(pieces, isBinary)
    return new Response(body, { status, headers })
  }
}

const yoursWait =
  'Too many large responses are waiting for your IP address to read them. Read those first, or request less with page_size.'

/** An answer with a body of any size in bytes. */
export function toBytesAnswer(bytes: Uint8Array, init: { readonly status?: number; readonly headers: Headers }) {
  if (bytes.byteLength < minCountedBytes) return new Response(bytes, init)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return { status: init.status ?? 200, headers: new Headers(init.headers), pieces: [text], isBinary: true }
}

/**
 * The body of an asynchronous response. Bun writes each part of the head of such a response with its own system call,
 * about forty in all, unless the body is small or a stream. A stream that ends below its high-water mark is sent in one
 * call, with its length (decision 14).
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

/**
 * Asks for the next chunk when the client has read the one before, and only while the token or session of the request is
 * valid. A body that breaks off ends the connection without its end.
 */
function toStream(next: ChunkedAnswer['next'], call: SentCall, onEnd: Release): ReadableStream<Uint8Array> {
  // If a client disconnects before the first byte, the stream is neither pulled nor cancelled.
  call.signal.addEventListener('abort', onEnd, { once: true })
  if (call.signal.aborted) onEnd()

  function give(controller: ReadableStreamDefaultController<Uint8Array>): MaybePromise<void> {
    return andThen(call.isStillTrusted(), (isTrusted) => {
      if (!isTrusted) throw new Error('the token or session is no longer valid')
      return andThen(next(), (chunk) => {
        if (chunk !== null) return controller.enqueue(chunk)
        onEnd()
        controller.close()
      })
    })
  }

  /** A stream that fails is not cancelled. */
  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      await give(controller)
    } catch (error) {
      onEnd()
      throw error
    }
  }

  return new ReadableStream<Uint8Array>({ pull, cancel: onEnd }, { highWaterMark: 0 })
}
