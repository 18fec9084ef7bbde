import { toETag } from '../../http/content/conditional.ts'
import type { Representation } from '../../http/content/negotiate.ts'
import { contentTypes, toHeaders } from '../../http/respond.ts'
import { andThen } from '../../maybe-promise.ts'
import { toMs } from '../../record/timestamp.ts'
import { type CacheDeps, createRecordCache, type RecordCache } from '../../store/record-cache.ts'
import type { Store, StoredRecord } from '../../store/store.ts'

/** Memory of the headers of one representation, measured with 60,000 records; few records are read in both. */
const headersBytes = 650

/** The ETag and prepared headers of a record in one representation (decision 25). */
export interface ReadyItem {
  readonly etag: string
  readonly init: { readonly headers: Headers }
}

/** A cached record: its bytes, and the headers of each representation, built on first use. */
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

  /** Size in memory without the object itself. */
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

/** The record cache of one HTTP thread (decision 25). */
export function createItemCache(
  store: Pick<Store, 'read'>,
  { counters, budgetBytes }: Pick<CacheDeps<ItemEntry>, 'counters' | 'budgetBytes'>,
): RecordCache<ItemEntry> {
  return createRecordCache<ItemEntry>({
    counters,
    budgetBytes,
    load: (id) => andThen(store.read(id), (stored) => (stored === null ? null : new ItemEntry(stored))),
    sizeOf: (entry) => entry.bytes,
  })
}
