import type { Store } from '../../store/store.ts'
import type { Visibility } from '../list/envelope.ts'
import type { Chunk } from './change-tail.ts'
import { toEventsPage } from './events-page.ts'

const pageSize = 500

/** Pages of the change feed for readers who are behind. */
export interface ChangePages {
  /** What comes after this change, for a reader who knows this store; null where the store cannot say. */
  read(after: number, visibility: Visibility, store: string): Promise<ChangePage | null>
}

/** With the store that it is of, and the last change there. */
export interface ChangePage extends Chunk {
  readonly store: string
  readonly last: number
}

/**
 * After a cut all readers come back at the same place, so a page that was read is there for the others for a while.
 * Nobody misses anything by getting one that is so old: it says how far it reaches.
 */
export function createChangePages(store: Pick<Store, 'listChanges'>, keptMs = 100): ChangePages {
  const pages = new Map<string, Promise<ChangePage | null>>()

  async function load(since: number, visibility: Visibility): Promise<ChangePage | null> {
    const page = await store.listChanges({ since, limit: pageSize, drafts: visibility === 'all' })
    if (typeof page === 'string') return null
    const { changes, last } = page
    const upTo = changes.length === pageSize ? (changes.at(-1)?.seq ?? since) : last
    return { bytes: Buffer.from(toEventsPage(page).text, 'latin1'), upTo, store: page.store, last }
  }

  return {
    read(after, visibility, store) {
      // What was read for those who know an older store is not for those who know a newer one.
      const key = `${store} ${after} ${visibility}`
      const known = pages.get(key)
      if (known !== undefined) return known
      const page = load(after, visibility)
      pages.set(key, page)
      const forget = () => pages.delete(key)
      // A failure is nothing to keep.
      page.then((chunk) => (chunk === null ? forget() : setTimeout(forget, keptMs)), forget)
      return page
    },
  }
}
