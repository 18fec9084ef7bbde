import type { Incoming } from './incoming.ts'

/** Who asks -> reading thread. */
export type ReadOrder =
  | { readonly is: 'begin'; readonly given: string; readonly dumpStart: string }
  /** One part was taken. */
  | { readonly is: 'more' }

/** Reading thread -> who asks. */
export type ReadNotice =
  | { readonly is: 'read'; readonly part: readonly Incoming[] }
  | { readonly is: 'end' }
  | { readonly is: 'failed'; readonly problem: string }

/** So much is read ahead: about as much as is stored at a time. */
export const maxPartsAhead = 16

/**
 * What the reading thread reads from a source, while this one stores what came before: half of an import is reading,
 * parsing and mapping. The thread is begun at once.
 */
export function readAhead(program: URL, given: string, dumpStart: string): AsyncIterable<Incoming> {
  const worker = new Worker(program)
  const notices = toQueue<ReadNotice>()
  worker.onmessage = ({ data }: MessageEvent<ReadNotice>) => notices.put(data)
  worker.onerror = ({ message }) => notices.put({ is: 'failed', problem: message })
  const tell = (order: ReadOrder) => worker.postMessage(order)
  tell({ is: 'begin', given, dumpStart })
  return {
    async *[Symbol.asyncIterator]() {
      try {
        for (let notice = await notices.take(); notice.is !== 'end'; notice = await notices.take()) {
          if (notice.is === 'failed') throw new Error(notice.problem)
          tell({ is: 'more' })
          yield* notice.part
        }
      } finally {
        worker.terminate()
      }
    },
  }
}

/** What was put is taken in the same order; who takes waits until there is something. */
function toQueue<T>() {
  const waiting: T[] = []
  let wake: (() => void) | null = null
  return {
    put(value: T): void {
      waiting.push(value)
      wake?.()
    },
    async take(): Promise<T> {
      for (;;) {
        const value = waiting.shift()
        if (value !== undefined) return value
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
