import type { HttpCall } from '../../http/route.ts'
import type { MaybePromise } from '../../maybe-promise.ts'
import { toAsciiJson } from '../../record/json/body-bytes.ts'
import type { Visibility } from '../list/envelope.ts'
import type { Chunk } from './change-tail.ts'
import { toEventId } from './events-page.ts'

const encoder = new TextEncoder()
/** The first bytes: how long to wait before coming back, in milliseconds. */
const greeting = encoder.encode('retry: 2000\n\n')
/** After its end the connection is one like any other. */
const idleSeconds = 30
/** A comment, which clients ignore. */
const heartbeat = encoder.encode(':\n\n')

/** Where a reader begins. */
export interface Beginning {
  readonly visibility: Visibility
  readonly cursor: number
  readonly store: string
  /** It knows another store, and is told so first. */
  readonly isReset: boolean
}

const toReset = (store: string, last: number) =>
  encoder.encode(`event: reset\nid: ${toEventId(store, last)}\ndata: ${toAsciiJson({ store, next: last })}\n\n`)

/**
 * One reader of the live feed. It is given something only when it asks, which it does when it has taken what it got, so
 * nothing piles up for one that does not read.
 */
export class ChangeStream {
  readonly visibility: Visibility
  /** The reader knows everything up to this change of this store. */
  cursor: number
  store: string
  /** When it was last given something. */
  givenMs: number
  readonly body: ReadableStream<Uint8Array>
  /** Settles its question for more; null while it still has something to take. */
  #ask: (() => void) | null = null
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  readonly #call: HttpCall

  constructor(
    call: HttpCall,
    { visibility, cursor, store, isReset }: Beginning,
    nowMs: number,
    onAsk: (stream: ChangeStream) => void,
    onEnd: (stream: ChangeStream) => void,
  ) {
    this.#call = call
    this.visibility = visibility
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
            this.#ask = resolve
            onAsk(this)
          }),
        cancel: () => {
          this.#controller = null
          this.#settle()
          onEnd(this)
        },
      },
      { highWaterMark: 0 },
    )
  }

  get isTrusted(): MaybePromise<boolean> {
    return this.#call.isStillTrusted()
  }

  /** Whether it has taken all that it got. */
  get isAsking(): boolean {
    return this.#ask !== null
  }

  give({ bytes, upTo }: Chunk, nowMs: number): void {
    this.cursor = Math.max(this.cursor, upTo)
    if (bytes.length > 0) this.#send(bytes, nowMs)
  }

  /** The store is another one now: what the reader knows is of no use, and it goes on from here. */
  reset(store: string, last: number, nowMs: number): void {
    this.store = store
    this.cursor = last
    this.#send(toReset(store, last), nowMs)
  }

  giveHeartbeat(nowMs: number): void {
    this.#send(heartbeat, nowMs)
  }

  /** Ends it in good order where the reader is there to see it, else cuts the connection. */
  end(): void {
    const controller = this.#controller
    if (controller === null) return
    this.#controller = null
    if (this.#ask === null) return this.drop()
    this.#call.setTimeout(idleSeconds)
    controller.close()
    this.#settle()
  }

  /** A connection that has to be silent no longer than a second is closed by the server. */
  drop(): void {
    this.#call.setTimeout(1)
  }

  #send(bytes: Uint8Array, nowMs: number): void {
    this.givenMs = nowMs
    this.#controller?.enqueue(bytes)
    this.#settle()
  }

  #settle(): void {
    const ask = this.#ask
    this.#ask = null
    ask?.()
  }
}
