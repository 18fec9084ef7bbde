import { hasExpired } from '../../http/auth/auth.ts'
import type { Release } from '../../http/limits.ts'
import type { HttpCall } from '../../http/route.ts'
import type { MaybePromise } from '../../promises.ts'
import { toAsciiJson } from '../../record/json.ts'
import type { FeedFilter } from '../../store/change-log.ts'
import type { Chunk } from './change-tail.ts'
import { toEventId } from './events-page.ts'

const encoder = new TextEncoder()
/** The first bytes: the delay before a client reconnects, in milliseconds. */
const greeting = encoder.encode('retry: 2000\n\n')
/** The idle timeout of the connection after the stream has ended. */
const idleSeconds = 30
/** A comment, which clients ignore. */
const heartbeat = encoder.encode(':\n\n')

/** Where a stream begins. */
export interface Beginning {
  readonly filter: FeedFilter
  readonly cursor: number
  readonly store: string
  /** The client knows another store, so the stream begins with a reset event. */
  readonly isReset: boolean
}

const toReset = (store: string, last: number) =>
  encoder.encode(`event: reset\nid: ${toEventId(store, last)}\ndata: ${toAsciiJson({ store, next: last })}\n\n`)

interface StreamDeps {
  readonly call: HttpCall
  /** Counts bytes as waiting for the client. */
  hold(bytes: number): Release
  onAsk(stream: ChangeStream): void
  onEnd(stream: ChangeStream): void
}

/**
 * One client of the live feed, with backpressure: it gets the next chunk only after it has read the previous one, so
 * nothing is buffered for a client that does not read.
 */
export class ChangeStream {
  readonly filter: FeedFilter
  /** The client has everything up to this change of this store. */
  cursor: number
  store: string
  /** When something was last sent. */
  givenMs: number
  readonly body: ReadableStream<Uint8Array>
  /** Resolves the pending pull; null while the client has not read everything. */
  #ask: (() => void) | null = null
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  readonly #call: HttpCall
  readonly #hold: StreamDeps['hold']
  /** Releases the bytes that were sent last. */
  #release: Release = () => {}

  constructor({ call, hold, onAsk, onEnd }: StreamDeps, { filter, cursor, store, isReset }: Beginning, nowMs: number) {
    this.#call = call
    this.#hold = hold
    this.filter = filter
    this.cursor = cursor
    this.store = store
    this.givenMs = nowMs
    call.setTimeout(0)
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
          controller.enqueue(isReset ? Buffer.concat([greeting, toReset(store, cursor)]) : greeting)
        },
        pull: () =>
          new Promise<void>((resolve) => {
            this.#release()
            this.#ask = resolve
            onAsk(this)
          }),
        cancel: () => {
          this.#release()
          this.#controller = null
          this.#settle()
          onEnd(this)
        },
      },
      { highWaterMark: 0 },
    )
  }

  /** Whether the token of the client has expired, as far as this thread knows without a read. */
  hasExpired(nowMs: number): boolean {
    const caller = this.#call.caller()
    return caller !== null && hasExpired(caller, nowMs)
  }

  get isTrusted(): MaybePromise<boolean> {
    return this.#call.isStillTrusted()
  }

  /** Whether the client has read everything that was sent. */
  get isAsking(): boolean {
    return this.#ask !== null
  }

  give({ bytes, upTo }: Chunk, nowMs: number): void {
    this.cursor = Math.max(this.cursor, upTo)
    if (bytes.length > 0) this.#send(bytes, nowMs)
  }

  /** The store was replaced: the client must start over, and the stream continues from here. */
  reset(store: string, last: number, nowMs: number): void {
    this.store = store
    this.cursor = last
    this.#send(toReset(store, last), nowMs)
  }

  giveHeartbeat(nowMs: number): void {
    this.#send(heartbeat, nowMs)
  }

  /** Ends the response if the client reads, else closes the connection. */
  end(): void {
    const controller = this.#controller
    if (controller === null) return
    this.#controller = null
    if (this.#ask === null) return this.drop()
    this.#call.setTimeout(idleSeconds)
    controller.close()
    this.#settle()
  }

  /** Closes the connection by an idle timeout of a second. */
  drop(): void {
    this.#call.setTimeout(1)
  }

  #send(bytes: Uint8Array, nowMs: number): void {
    this.givenMs = nowMs
    this.#release = this.#hold(bytes.length)
    this.#controller?.enqueue(bytes)
    this.#settle()
  }

  #settle(): void {
    const ask = this.#ask
    this.#ask = null
    ask?.()
  }
}
