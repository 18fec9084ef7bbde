import type { Quota, Release } from '../../http/limits.ts'
import type { Logger } from '../../http/logger.ts'
import type { HttpCall } from '../../http/route.ts'
import { toAddressKey } from '../../http/send.ts'
import type { FeedFilter } from '../../store/change-log.ts'
import type { Store } from '../../store/store.ts'
import { type Beginning, ChangeStream } from './change-stream.ts'
import { type Chunk, createChangeTail } from './change-tail.ts'
import { toEventsPage } from './events-page.ts'

interface StreamDeps {
  readonly store: Store
  /** Open streams over all threads: in total, per address and per token. */
  readonly streamQuota: Quota
  /** Bytes that slow readers have not read yet. */
  readonly waiting: Quota
  readonly log: Logger
  readonly maxStreams: number
  readonly heartbeatSeconds: number
  readonly stallSeconds: number
  /** Monotonic, for durations. */
  uptimeMs(): number
  /** The wall clock. */
  now(): number
}

/** The clients of the live feed on one thread. */
export interface ChangeStreams {
  /** Whether the limit over all threads is reached. */
  isFull(): boolean
  /** Opens a stream; `last` is the last change now. `share full`: this client or token has too many. */
  open(call: HttpCall, beginning: Beginning, last: number): ReadableStream<Uint8Array> | 'full' | 'share full'
  /** Ends all streams and refuses new ones. */
  close(): void
}

/** Limit per address, and per token. */
export const maxOwnStreams = 100
/** Streams that are served before the thread pauses for `pauseMs`, so that requests do not wait for all of them. */
const slice = 4
const pauseMs = 1
const minTickMs = 20
const maxTickMs = 250

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))

export function createChangeStreams(deps: StreamDeps): ChangeStreams {
  const { store, streamQuota, waiting, uptimeMs, now } = deps
  /** Each with what it holds of the quota. */
  const streams = new Map<ChangeStream, Release>()
  const catchingUp = new Set<ChangeStream>()
  const tail = createChangeTail(store)
  const pages = createChangePages(store)
  const pacer = createPacer(slice, pauseMs)
  let isTicking = false
  let isClosed = false
  let seenTokens = store.tokensCounter()

  const isFull = () => isClosed || streamQuota.total() >= deps.maxStreams

  function remove(stream: ChangeStream): void {
    streams.get(stream)?.()
    streams.delete(stream)
  }

  /** Returns whether something was sent. */
  function serve(stream: ChangeStream): boolean {
    // A stream that was ended may still pull until its connection is closed.
    if (!stream.isAsking || !streams.has(stream)) return false
    const chunk = tail.read(stream.cursor, stream.filter, stream.store)
    if (chunk === 'gone') {
      if (!catchingUp.has(stream)) void catchUp(stream)
    } else if (chunk !== null) stream.give(chunk, uptimeMs())
    return chunk !== null && chunk !== 'gone'
  }

  /** Serves a client that is behind the tail with pages from the store, one per pull. */
  async function catchUp(stream: ChangeStream): Promise<void> {
    catchingUp.add(stream)
    await pacer.pass()
    const page = await pages.read(stream.cursor, stream.filter, stream.store)
    catchingUp.delete(stream)
    // The next tick retries after a failure. If tokens have changed, it first checks whether this one was revoked.
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
        deps.log.error('change feed error', { error: error instanceof Error ? error.message : String(error) })
      }
      await Bun.sleep(Math.min(maxTickMs, Math.max(minTickMs, streams.size)))
    }
    isTicking = false
  }

  async function tick(): Promise<void> {
    const tokens = store.tokensCounter()
    const mayBeRevoked = tokens !== seenTokens
    let isKnown = true
    // The next tick retries after a failure.
    await tail.refresh()
    let served = 0
    for (const stream of streams.keys()) {
      const isTrusted = mayBeRevoked || stream.hasExpired(now()) ? await findTrust(stream) : true
      let hasGiven = false
      if (isTrusted === null) isKnown = false
      else if (isTrusted) hasGiven = serve(stream)
      else end(stream)
      judge(stream)
      // Pauses here and not in the pacer: clients that are up to date must not wait for those that catch up.
      if (++served % slice === 0) await Bun.sleep(pauseMs)
      else if (hasGiven) await nextTurn()
    }
    if (isKnown) seenTokens = tokens
  }

  /** Null while the store cannot be read: the client gets nothing new, and the next tick retries. */
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

  /** Sends a heartbeat to a client that waits, and disconnects one that does not read. */
  function judge(stream: ChangeStream): void {
    const silentMs = uptimeMs() - stream.givenMs
    if (stream.isAsking && silentMs >= deps.heartbeatSeconds * 1000) stream.giveHeartbeat(uptimeMs())
    else if (!stream.isAsking && silentMs >= deps.stallSeconds * 1000) stream.drop()
  }

  return {
    isFull,
    open(call, beginning, last) {
      if (isFull()) return 'full'
      const address = toAddressKey(call)
      const taken = streamQuota.take(1, [address, ...toTokenKeys(call)])
      if (typeof taken === 'string') return taken
      if (streams.size === 0) tail.reset(last, beginning.store)
      const hold = (bytes: number) => waiting.hold(bytes, [address])
      const stream = new ChangeStream({ call, hold, onAsk: serve, onEnd: remove }, beginning, uptimeMs())
      streams.set(stream, taken)
      if (!isTicking) void run()
      return stream.body
    },
    close() {
      isClosed = true
      for (const stream of [...streams.keys()]) end(stream)
    },
  }
}

/** A token may be used from many addresses. */
function toTokenKeys(call: HttpCall): readonly string[] {
  const caller = call.caller()
  return caller === null ? [] : [`token ${caller.tokenId ?? caller.name}`]
}

/** Lets `size` callers pass at a time, in order, with a pause between. */
interface Pacer {
  pass(): Promise<void>
}

function createPacer(size: number, pauseMs: number): Pacer {
  const waiting: (() => void)[] = []
  let isOpen = true

  async function letPass(): Promise<void> {
    isOpen = false
    while (waiting.length > 0) {
      for (const go of waiting.splice(0, size)) go()
      await Bun.sleep(pauseMs)
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

const pageSize = 500

/** Pages of the change feed for readers that are behind. */
interface ChangePages {
  /** The changes after `after`, for a reader that knows this store; null if the store cannot be read. */
  read(after: number, filter: FeedFilter, store: string): Promise<ChangePage | null>
}

/** With its store and the last change there. */
interface ChangePage extends Chunk {
  readonly store: string
  readonly last: number
}

/**
 * Caches pages briefly: after an interruption all readers reconnect at the same position. A slightly old page does no
 * harm, since it states how far it reaches.
 */
export function createChangePages(store: Pick<Store, 'listChanges'>, keptMs = 100): ChangePages {
  const pages = new Map<string, Promise<ChangePage | null>>()

  async function load(since: number, filter: FeedFilter): Promise<ChangePage | null> {
    const page = await store.listChanges({ since, limit: pageSize, ...filter })
    if (typeof page === 'string') return null
    const { changes, last } = page
    const upTo = changes.length === pageSize ? (changes.at(-1)?.seq ?? since) : last
    return { bytes: Buffer.from(toEventsPage(page, filter.visibility).text, 'latin1'), upTo, store: page.store, last }
  }

  return {
    read(after, filter, store) {
      // The store is part of the key: a page that was read for an older store is wrong for a newer one.
      const key = `${store} ${after} ${filter.visibility} ${filter.by ?? ''}`
      const known = pages.get(key)
      if (known !== undefined) return known
      const page = load(after, filter)
      pages.set(key, page)
      const forget = () => pages.delete(key)
      // Failures are not cached.
      page.then((chunk) => (chunk === null ? forget() : setTimeout(forget, keptMs)), forget)
      return page
    },
  }
}
