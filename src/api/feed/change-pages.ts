import type { FeedFilter } from '../../store/change-log.ts'
import type { Store } from '../../store/store.ts'
import type { Chunk } from './change-tail.ts'
import { toEventsPage } from './events-page.ts'

const pageSize = 500

/** Pages of the change feed for readers that are behind. */
export interface ChangePages {
  /** The changes after `after`, for a reader that knows this store; null if the store cannot be read. */
  read(after: number, filter: FeedFilter, store: string): Promise<ChangePage | null>
}

/** With its store and the last change there. */
export interface ChangePage extends Chunk {
  readonly store: string
  readonly last: number
}

/**
 * Caches pages briefly: after an interruption all readers reconnect at the same position. A slightly old page is no
 * problem, since it states how far it reaches.
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
