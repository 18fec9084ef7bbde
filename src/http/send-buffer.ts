import type { Metrics } from './metrics.ts'

/** Smaller ones are not worth counting: the system takes them from us whether anybody reads or not. */
export const minCountedBytes = 256 * 1024
const chunkBytes = 256 * 1024

/** Large answers on their way to their readers. */
export interface SendBuffer {
  /**
   * A body of ASCII that goes out as fast as its reader takes it, and is counted until then. Null where too much waits
   * for slow readers already, over all threads; an answer that alone is too much is sent.
   */
  send(text: string, signal: AbortSignal): ReadableStream<Uint8Array> | null
}

export function createSendBuffer(metrics: Pick<Metrics, 'set' | 'sumOf'>, maxBytes: number): SendBuffer {
  let held = 0

  function hold(bytes: number): void {
    held += bytes
    metrics.set('waiting_bytes', held)
  }
  // A thread before this one may have ended with something in its hands.
  hold(0)

  return {
    send(text, signal) {
      // Counted before it is looked whether there was room: of threads that look at once, each then sees the others.
      hold(text.length)
      const waiting = metrics.sumOf('waiting_bytes')
      if (waiting > maxBytes && waiting > text.length) {
        hold(-text.length)
        return null
      }
      let isHeld = true
      const release = () => {
        if (isHeld) hold(-text.length)
        isHeld = false
      }
      // Whoever has gone before the first byte asks for none, and cancels nothing.
      signal.addEventListener('abort', release, { once: true })
      if (signal.aborted) release()
      return toStream(Buffer.from(text, 'latin1'), release)
    },
  }
}

/** Asked for the next chunk when the last one has been taken. */
function toStream(bytes: Uint8Array, onEnd: () => void): ReadableStream<Uint8Array> {
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
