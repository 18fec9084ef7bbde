import { toETag } from '../../http/conditional.ts'
import type { Representation } from '../../http/negotiate.ts'
import { toMs } from '../../record/timestamp.ts'
import type { StoredRecord } from '../../store/store.ts'
import { contentTypes, itemHeaders } from '../path-headers.ts'
import type { Ready } from './ready-answers.ts'

/** Headers of one representation, which is what most are read in; measured with 60,000 of them. */
const headersBytes = 650

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

  /** What it takes in memory beside itself. */
  get bytes(): number {
    return this.stored.body.byteLength + headersBytes
  }

  /** What was made of it so far. */
  get readies(): readonly Ready[] {
    return [this.#html, this.#json].filter((ready) => ready !== null)
  }

  as(representation: Representation): Ready {
    if (representation === 'html') {
      this.#html ??= this.#build('html')
      return this.#html
    }
    this.#json ??= this.#build('json')
    return this.#json
  }

  #build(representation: Representation): Ready {
    const tag = toETag(this.stored.versionTag, representation)
    const headers = new Headers(commonHeaders[this.isLive ? 'live' : 'draft'][representation])
    headers.set('ETag', tag)
    headers.set('Last-Modified', new Date(this.lastModifiedMs).toUTCString())
    return { tag, init: { headers }, reads: 0, answer: null, answerBytes: 0 }
  }
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
