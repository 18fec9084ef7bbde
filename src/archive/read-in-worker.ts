import type { PreparedEntry } from './prepared.ts'
import type * as Here from './read-inline.ts'
import type { OpenedSource, OpenSource } from './source.ts'

/** What the thread that reads is told. */
export type ReadOrder =
  | { readonly is: 'read'; readonly given: string; readonly dumpStart: string }
  /** So much of what it sent is in use now. */
  | { readonly is: 'taken'; readonly length: number }

/** What it sends: first what it has found, then talks, then that there are no more. */
export type ReadPart =
  | Pick<OpenSource, 'is' | 'name' | 'formerName' | 'total'>
  | Exclude<OpenedSource, OpenSource>
  | { readonly is: 'talks'; readonly text: string }
  | { readonly is: 'end' }
  | { readonly is: 'failed'; readonly text: string; readonly code: string | null }

/** A source that a thread of its own reads, so that the next talks are read while those before them are stored. */
export async function openInWorker(worker: Worker, given: string, dumpStart: string): Promise<OpenedSource> {
  const inbox = createInbox(worker)
  const tell = (order: ReadOrder) => worker.postMessage(order)
  tell({ is: 'read', given, dumpStart })
  const found = await inbox.next()
  const close = () => void worker.terminate()
  if (found.is === 'source') return { ...found, has: createLookup(given, dumpStart), all: readAll, close }
  close()
  if (found.is === 'dump' || found.is === 'refused') return found
  throw found.is === 'failed' ? toError(found) : new Error(`The thread that reads began with ${found.is}.`)

  async function* readAll(): ReturnType<OpenSource['all']> {
    for (;;) {
      if (await inbox.isEmpty()) yield { is: 'lull' }
      const part = await inbox.next()
      if (part.is === 'failed') throw toError(part)
      if (part.is !== 'talks') return
      tell({ is: 'taken', length: part.text.length })
      // Our own thread wrote it.
      yield* JSON.parse(part.text) as PreparedEntry[]
    }
  }
}

function createInbox(worker: Worker) {
  const parts: ReadPart[] = []
  let wake: () => void = () => undefined

  function add(part: ReadPart): void {
    parts.push(part)
    wake()
  }

  worker.onmessage = ({ data }: MessageEvent<ReadPart>) => add(data)
  worker.onerror = ({ message }) => add({ is: 'failed', text: message, code: null })
  return {
    async next(): Promise<ReadPart> {
      for (let part = parts.shift(); ; part = parts.shift()) {
        if (part !== undefined) return part
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    /** Whether nothing has come; what was sent while we were at work gets in first. */
    async isEmpty(): Promise<boolean> {
      if (parts.length === 0) await Bun.sleep(0)
      return parts.length === 0
    },
  }
}

/** Hardly ever asked of a store that is new, so what it takes is loaded then. */
function createLookup(given: string, dumpStart: string): OpenSource['has'] {
  let opened: OpenedSource | undefined
  return (path) => {
    const { openInline: openHere } = require('./read-inline.ts') as typeof Here // its own types, which `require` cannot carry
    opened ??= openHere(given, dumpStart)
    return opened.is === 'source' && opened.has(path)
  }
}

/** As it was thrown over there. */
function toError({ text, code }: Extract<ReadPart, { is: 'failed' }>): Error {
  return Object.assign(new Error(text), code === null ? {} : { code })
}
