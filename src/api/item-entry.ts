import { toEntityTag } from '../http/conditional.ts'
import type { Representation } from '../http/negotiate.ts'
import { toMs } from '../record/timestamp.ts'
import type { StoredRecord } from '../store/store.ts'
import { contentTypes, itemHeaders } from './path-headers.ts'

/** A ready answer beside its body; measured with 100,000 of them. */
const answerBytes = 900

/** What all records' answers have: each header that need not be set is a sixtieth of what a record costs to read. */
const commonHeaders = {
  live: toCommonHeaders('public, max-age=0, must-revalidate'),
  draft: toCommonHeaders('private, no-store'),
}

/** A record ready to be answered: its bytes, and for each representation headers that are built once. */
export class ItemEntry {
  readonly stored: StoredRecord
  readonly isLive: boolean
  /** HTTP dates have whole seconds. */
  readonly lastModifiedMs: number
  #html: Ready | null = null
  #json: Ready | null = null

  constructor(stored: StoredRecord) {
    this.stored = stored
    this.isLive = stored.state === 1
    this.lastModifiedMs = Math.floor(toMs(stored.updated) / 1000) * 1000
  }

  /** What it takes in memory: the record's bytes, and a ready answer with bytes of its own. */
  get bytes(): number {
    return 2 * this.stored.body.byteLength + answerBytes
  }

  as(representation: Representation): Ready {
    if (representation === 'html') {
      this.#html ??= this.#build('html')
      return this.#html
    }
    this.#json ??= this.#build('json')
    return this.#json
  }

  /**
   * The whole answer. Copies of one are cheaper than new ones, and share its bytes among them; but many records are
   * read once and not kept, so the first reader gets an answer of his own.
   */
  copy(representation: Representation): Response {
    const ready = this.as(representation)
    if (ready.answer === null) {
      if (!ready.isRead) {
        ready.isRead = true
        return new Response(this.stored.body, ready.init)
      }
      ready.answer = new Response(this.stored.body, ready.init)
    }
    return ready.answer.clone() as Response
  }

  #build(representation: Representation): Ready {
    const tag = toEntityTag(this.stored.mark, representation)
    const headers = new Headers(commonHeaders[this.isLive ? 'live' : 'draft'][representation])
    headers.set('ETag', tag)
    headers.set('Last-Modified', new Date(this.lastModifiedMs).toUTCString())
    return { tag, init: { headers }, isRead: false, answer: null }
  }
}

export interface Ready {
  readonly tag: string
  readonly init: { readonly headers: Headers }
  isRead: boolean
  answer: Response | null
}

function toCommonHeaders(cacheControl: string): Readonly<Record<Representation, Headers>> {
  const toHeaders = (representation: Representation) => {
    const headers = new Headers(itemHeaders)
    headers.set('Content-Type', contentTypes[representation])
    headers.set('Cache-Control', cacheControl)
    return headers
  }
  return { html: toHeaders('html'), json: toHeaders('json') }
}
