import type { Quota, Release } from '../../http/limits.ts'
import type { Logger } from '../../http/logger.ts'
import { toAddressKey } from '../../http/respond.ts'
import type { HttpCall } from '../../http/route.ts'
import type { FeedFilter } from '../../store/change-log.ts'
import type { Store } from '../../store/store.ts'
import { type Beginning, ChangeStream } from './change-stream.ts'
import { type ChangeTail, type Chunk, createChangeTail } from './change-tail.ts'
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
  return new ThreadStreams(deps)
}

class ThreadStreams implements ChangeStreams {
  readonly #deps: StreamDeps
  /** Each with its share of the quota. */
  readonly #streams = new Map<ChangeStream, Release>()
  readonly #catchingUp = new Set<ChangeStream>()
  readonly #tail: ChangeTail
  readonly #pages: ChangePages
  readonly #pacer = createPacer(slice, pauseMs)
  #isTicking = false
  #isClosed = false
  #seenTokens: number

  constructor(deps: StreamDeps) {
    this.#deps = deps
    this.#tail = createChangeTail(deps.store)
    this.#pages = createChangePages(deps.store)
    this.#seenTokens = deps.store.tokensCounter()
  }

  isFull(): boolean {
    const { streamQuota, maxStreams } = this.#deps
    return this.#isClosed || streamQuota.total() >= maxStreams
  }

  open(call: HttpCall, beginning: Beginning, last: number): ReadableStream<Uint8Array> | 'full' | 'share full' {
    const { streamQuota, waiting, uptimeMs } = this.#deps
    if (this.isFull()) return 'full'
    const address = toAddressKey(call)
    const taken = streamQuota.take(1, [address, ...toTokenKeys(call)])
    if (typeof taken === 'string') return taken
    if (this.#streams.size === 0) this.#tail.reset(last, beginning.store)
    const stream = new ChangeStream(
      {
        call,
        hold: (bytes) => waiting.hold(bytes, [address]),
        onAsk: (asking) => void this.#serve(asking),
        onEnd: (ended) => this.#remove(ended),
      },
      beginning,
      uptimeMs(),
    )
    this.#streams.set(stream, taken)
    if (!this.#isTicking) void this.#run()
    return stream.body
  }

  close(): void {
    this.#isClosed = true
    for (const stream of [...this.#streams.keys()]) this.#end(stream)
  }

  #remove(stream: ChangeStream): void {
    this.#streams.get(stream)?.()
    this.#streams.delete(stream)
  }

  #end(stream: ChangeStream): void {
    stream.end()
    this.#remove(stream)
  }

  /** Returns whether something was sent. */
  #serve(stream: ChangeStream): boolean {
    // A stream that was ended may still pull until its connection is closed.
    if (!stream.isAsking || !this.#streams.has(stream)) return false
    const chunk = this.#tail.read(stream.cursor, stream.filter, stream.store)
    if (chunk === 'gone') {
      if (!this.#catchingUp.has(stream)) void this.#catchUp(stream)
    } else if (chunk !== null) stream.give(chunk, this.#deps.uptimeMs())
    return chunk !== null && chunk !== 'gone'
  }

  /** Serves a client that is behind the tail with pages from the store, one per pull. */
  async #catchUp(stream: ChangeStream): Promise<void> {
    const { store, uptimeMs } = this.#deps
    this.#catchingUp.add(stream)
    await this.#pacer.pass()
    const page = await this.#pages.read(stream.cursor, stream.filter, stream.store)
    this.#catchingUp.delete(stream)
    // The next tick retries after a failure. If tokens have changed, it first checks whether this one was revoked.
    if (page === null || !Object.is(store.tokensCounter(), this.#seenTokens)) return
    if (!stream.isAsking || !this.#streams.has(stream)) return
    if (page.store === stream.store) stream.give(page, uptimeMs())
    else stream.reset(page.store, page.last, uptimeMs())
  }

  async #run(): Promise<void> {
    this.#isTicking = true
    while (this.#streams.size > 0) {
      try {
        await this.#tick()
      } catch (error) {
        this.#deps.log.error('change feed error', { error: error instanceof Error ? error.message : String(error) })
      }
      await Bun.sleep(Math.min(maxTickMs, Math.max(minTickMs, this.#streams.size)))
    }
    this.#isTicking = false
  }

  async #tick(): Promise<void> {
    const tokens = this.#deps.store.tokensCounter()
    const mayBeRevoked = tokens !== this.#seenTokens
    let isKnown = true
    // The next tick retries after a failure.
    await this.#tail.refresh()
    let served = 0
    for (const stream of this.#streams.keys()) {
      const isTrusted = mayBeRevoked || stream.hasExpired(this.#deps.now()) ? await findTrust(stream) : true
      let hasGiven = false
      if (isTrusted === null) isKnown = false
      else if (isTrusted) hasGiven = this.#serve(stream)
      else this.#end(stream)
      this.#checkSilence(stream)
      // Pauses here and not in the pacer: clients that are up to date must not wait for those that catch up.
      if (++served % slice === 0) await Bun.sleep(pauseMs)
      else if (hasGiven) await nextTurn()
    }
    if (isKnown) this.#seenTokens = tokens
  }

  /** Sends a heartbeat to a client that waits, and disconnects one that does not read. */
  #checkSilence(stream: ChangeStream): void {
    const { uptimeMs, heartbeatSeconds, stallSeconds } = this.#deps
    const silentMs = uptimeMs() - stream.givenMs
    if (stream.isAsking && silentMs >= heartbeatSeconds * 1000) stream.giveHeartbeat(uptimeMs())
    else if (!stream.isAsking && silentMs >= stallSeconds * 1000) stream.drop()
  }
}

/** Null while the store cannot be read: the client gets nothing new, and the next tick retries. */
async function findTrust(stream: ChangeStream): Promise<boolean | null> {
  try {
    return await stream.isTrusted
  } catch {
    return null
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
