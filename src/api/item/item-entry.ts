import { toETag } from '../../http/conditional.ts'
import type { Representation } from '../../http/negotiate.ts'
import { contentTypes, toHeaders } from '../../http/respond.ts'
import { andThen } from '../../maybe-promise.ts'
import { toMs } from '../../record/timestamp.ts'
import { type CacheNeeds, createRecordCache, type RecordCache } from '../../store/record-cache.ts'
import type { Store, StoredRecord } from '../../store/store.ts'

/** The headers of one representation, which is all that most records are read in; measured with 60,000 of them. */
const headersBytes = 650

/** A record in one representation, with headers that are built once (ADR 25). */
export interface ReadyItem {
  readonly etag: string
  readonly init: { readonly headers: Headers }
}

/** A record in the cache: its bytes, and the headers of each representation once it was read. */
export class ItemEntry {
  readonly stored: StoredRecord
  readonly isLive: boolean
  /** HTTP dates have whole seconds. */
  readonly lastModifiedMs: number
  #html: ReadyItem | null = null
  #json: ReadyItem | null = null

  constructor(stored: StoredRecord) {
    this.stored = stored
    this.isLive = stored.state === 1
    this.lastModifiedMs = Math.floor(toMs(stored.updated) / 1000) * 1000
  }

  /** Its size in memory besides the object itself. */
  get bytes(): number {
    return this.stored.body.byteLength + headersBytes
  }

  as(representation: Representation, pathHeaders: Headers): ReadyItem {
    if (representation === 'html') {
      this.#html ??= this.#build('html', pathHeaders)
      return this.#html
    }
    this.#json ??= this.#build('json', pathHeaders)
    return this.#json
  }

  #build(representation: Representation, pathHeaders: Headers): ReadyItem {
    const etag = toETag(this.stored.versionTag, representation)
    const headers = toHeaders(pathHeaders, contentTypes[representation], this.isLive ? 'revalidate' : 'private')
    headers.set('ETag', etag)
    headers.set('Last-Modified', new Date(this.lastModifiedMs).toUTCString())
    return { etag, init: { headers } }
  }
}

/** One thread's cache of hot records. */
export function createItemCache(
  store: Pick<Store, 'read'>,
  { versions, budgetBytes }: Pick<CacheNeeds<ItemEntry>, 'versions' | 'budgetBytes'>,
): RecordCache<ItemEntry> {
  return createRecordCache<ItemEntry>({
    versions,
    budgetBytes,
    load: (id) => andThen(store.read(id), (stored) => (stored === null ? null : new ItemEntry(stored))),
    sizeOf: (entry) => entry.bytes,
  })
}
