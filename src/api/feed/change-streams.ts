import type { Logger } from '../../http/logger.ts'
import type { Metrics } from '../../http/metrics.ts'
import type { HttpCall } from '../../http/route.ts'
import type { Store } from '../../store/store.ts'
import { createChangePages } from './change-pages.ts'
import { type Beginning, ChangeStream } from './change-stream.ts'
import { createChangeTail } from './change-tail.ts'

export interface StreamNeeds {
  readonly store: Store
  readonly metrics: Metrics
  readonly log: Logger
  readonly maxStreams: number
  readonly heartbeatSeconds: number
  readonly stallSeconds: number
  /** For durations: it never jumps. */
  uptimeMs(): number
}

/** The readers of the live feed on one thread. */
export interface ChangeStreams {
  /** Whether there are as many as there may be, over all threads. */
  isFull(): boolean
  /** A body that tells everything from its beginning on; `last` is the last change now. Null where it is full. */
  open(call: HttpCall, beginning: Beginning, last: number): ReadableStream<Uint8Array> | null
  /** Ends all, and lets in no more. */
  close(): void
}

/** So many readers are served in one go, then requests have a while: all at once would make everybody wait. */
const slice = 4
const whileMs = 1
const minTickMs = 20
const maxTickMs = 250

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))

export function createChangeStreams(needs: StreamNeeds): ChangeStreams {
  const { store, metrics, uptimeMs } = needs
  const streams = new Set<ChangeStream>()
  const catchingUp = new Set<ChangeStream>()
  const tail = createChangeTail(store)
  const pages = createChangePages(store)
  const turnstile = createPacer(slice, whileMs)
  let isTicking = false
  let isClosed = false
  let seenTokens = store.tokensCounter()

  function add(stream: ChangeStream): void {
    streams.add(stream)
    metrics.set('streams', streams.size)
    if (!isTicking) void run()
  }

  function remove(stream: ChangeStream): void {
    streams.delete(stream)
    metrics.set('streams', streams.size)
  }

  /** Whether it got something. */
  function serve(stream: ChangeStream): boolean {
    // One that was ended may still ask, until its connection is closed.
    if (!stream.isAsking || !streams.has(stream)) return false
    const chunk = tail.read(stream.cursor, stream.visibility, stream.store)
    if (chunk === 'gone') {
      if (!catchingUp.has(stream)) void catchUp(stream)
    } else if (chunk !== null) stream.give(chunk, uptimeMs())
    return chunk !== null && chunk !== 'gone'
  }

  /** A reader from further back is served by pages from the store, one for each time that it asks. */
  async function catchUp(stream: ChangeStream): Promise<void> {
    catchingUp.add(stream)
    await turnstile.pass()
    const page = await pages.read(stream.cursor, stream.visibility, stream.store)
    catchingUp.delete(stream)
    // After a failure the next tick tries again; and where a token was revoked, it first asks whose.
    if (page === null || !Object.is(store.tokensCounter(), seenTokens)) return
    if (!stream.isAsking || !streams.has(stream)) return
    if (page.store === stream.store) stream.give(page, uptimeMs())
    else stream.reset(page.store, page.last, uptimeMs())
  }

  async function run(): Promise<void> {
    isTicking = true
    while (streams.size > 0) {
      try {
        await tick()
      } catch (error) {
        needs.log.error('change feed error', { error: error instanceof Error ? error.message : String(error) })
      }
      await Bun.sleep(Math.min(maxTickMs, Math.max(minTickMs, streams.size)))
    }
    isTicking = false
  }

  async function tick(): Promise<void> {
    const tokens = store.tokensCounter()
    const mayBeRevoked = tokens !== seenTokens
    let isKnown = true
    // What fails is tried again by the next tick.
    await tail.refresh()
    let served = 0
    for (const stream of streams) {
      const isTrusted = mayBeRevoked ? await findTrust(stream) : true
      let hasGiven = false
      if (isTrusted === null) isKnown = false
      else if (isTrusted) hasGiven = serve(stream)
      else end(stream)
      judge(stream)
      // By itself: who is up to date must not wait for those who are behind. Between any two, requests that came.
      if (++served % slice === 0) await Bun.sleep(whileMs)
      else if (hasGiven) await nextTurn()
    }
    if (isKnown) seenTokens = tokens
  }

  /** Null while the store cannot say: then there is nothing new for this reader, and the next tick asks again. */
  async function findTrust(stream: ChangeStream): Promise<boolean | null> {
    try {
      return await stream.isTrusted
    } catch {
      return null
    }
  }

  function end(stream: ChangeStream): void {
    stream.end()
    remove(stream)
  }

  /** A sign of life for who waits, an end for who takes nothing. */
  function judge(stream: ChangeStream): void {
    const silentMs = uptimeMs() - stream.givenMs
    if (stream.isAsking && silentMs >= needs.heartbeatSeconds * 1000) stream.giveHeartbeat(uptimeMs())
    else if (!stream.isAsking && silentMs >= needs.stallSeconds * 1000) stream.drop()
  }

  return {
    isFull: () => isClosed || metrics.sumOf('streams') >= needs.maxStreams,
    open(call, beginning, last) {
      if (isClosed) return null
      // Counted before it is looked whether there was room: of threads that look at once, each then sees the others.
      metrics.set('streams', streams.size + 1)
      if (metrics.sumOf('streams') > needs.maxStreams) {
        metrics.set('streams', streams.size)
        return null
      }
      if (streams.size === 0) tail.reset(last, beginning.store)
      const stream = new ChangeStream(call, beginning, uptimeMs(), serve, remove)
      add(stream)
      return stream.body
    },
    close() {
      isClosed = true
      for (const stream of [...streams]) end(stream)
    },
  }
}

/** Lets so many pass in one go, in the order in which they came; the others wait a while. */
interface Pacer {
  pass(): Promise<void>
}

function createPacer(atOnce: number, whileMs: number): Pacer {
  const waiting: (() => void)[] = []
  let isOpen = true

  async function letPass(): Promise<void> {
    isOpen = false
    while (waiting.length > 0) {
      for (const go of waiting.splice(0, atOnce)) go()
      await Bun.sleep(whileMs)
    }
    isOpen = true
  }

  return {
    pass: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
        if (isOpen) void letPass()
      }),
  }
}
