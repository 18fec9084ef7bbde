import type { Prepared } from './prepared.ts'

/** What the thread that reads is told. */
export type ReadOrder =
  | { readonly is: 'read'; readonly given: string; readonly dumpStart: string }
  /** So much of what it sent is in use now. */
  | { readonly is: 'taken'; readonly length: number }

/** What it sends. */
export type ReadPart =
  | { readonly is: 'talks'; readonly text: string }
  | { readonly is: 'end' }
  | { readonly is: 'failed'; readonly text: string; readonly code: string | null }

/** Nothing more has been read yet: time to store what there is. */
export interface Lull {
  readonly is: 'lull'
}

/** A source that a thread of its own reads, so that the next talks are read while those before them are stored. */
export interface Reading {
  all(): AsyncIterable<Prepared | Lull>
  stop(): void
}

/** Has the thread begin at once. */
export function beginReading(worker: Worker, given: string, dumpStart: string): Reading {
  const parts: ReadPart[] = []
  let wake: () => void = () => undefined
  const tell = (order: ReadOrder) => worker.postMessage(order)

  function add(part: ReadPart): void {
    parts.push(part)
    wake()
  }

  async function next(): Promise<ReadPart> {
    for (let part = parts.shift(); ; part = parts.shift()) {
      if (part !== undefined) return part
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }

  /** What was sent while we were at work gets in; whether there was any. */
  async function isLull(): Promise<boolean> {
    if (parts.length === 0) await Bun.sleep(0)
    return parts.length === 0
  }

  worker.onmessage = ({ data }: MessageEvent<ReadPart>) => add(data)
  worker.onerror = ({ message }) => add({ is: 'failed', text: message, code: null })
  tell({ is: 'read', given, dumpStart })

  return {
    stop: () => void worker.terminate(),
    async *all() {
      try {
        for (;;) {
          if (await isLull()) yield { is: 'lull' }
          const part = await next()
          if (part.is === 'end') return
          if (part.is === 'failed') throw toError(part)
          tell({ is: 'taken', length: part.text.length })
          // Our own thread wrote it.
          yield* JSON.parse(part.text) as Prepared[]
        }
      } finally {
        worker.terminate()
      }
    },
  }
}

/** As it was thrown over there. */
function toError({ text, code }: Extract<ReadPart, { is: 'failed' }>): Error {
  return Object.assign(new Error(text), code === null ? {} : { code })
}
