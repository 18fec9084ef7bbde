import type { Database } from '../database.ts'
import { createLookup, toChunks } from '../read/lookup-many.ts'
import type { PageAddress } from '../site-reads.ts'
import type { SlowReads } from '../store.ts'

interface AddressRow extends PageAddress {
  readonly name: string
}

/** Finds what links of pages need. Known until the store changes: a page has the same few names as the last one. */
export function createPageAddresses(
  db: Database,
  changesCounter: () => number,
): Pick<SlowReads, 'findCategorySlugs' | 'findNameIds'> {
  const find = {
    category: createAddresses(db, 'category', 'title', changesCounter),
    speaker: createAddresses(db, 'speaker', 'name', changesCounter),
    tag: createAddresses(db, 'tag', 'name', changesCounter),
  }
  return {
    async findCategorySlugs(titles) {
      const found = await find.category(titles)
      return new Map(Array.from(found, ([title, { slug }]) => [title, slug]))
    },
    findNameIds: ({ kind, names }) => find[kind](names),
  }
}

/** More are forgotten: the names of a whole archive may be millions. */
const maxKnown = 10_000

function createAddresses(
  db: Database,
  table: 'category' | 'speaker' | 'tag',
  column: 'title' | 'name',
  changesCounter: () => number,
) {
  const lookup = createLookup<AddressRow, string>(
    db,
    (names) => `SELECT id, slug, ${column} AS name FROM ${table} WHERE ${column} IN ${names}`,
  )
  /** Null for a name that the store does not have. */
  const known = new Map<string, PageAddress | null>()
  let counter = changesCounter()

  async function read(names: readonly string[]): Promise<void> {
    for await (const chunk of toChunks(names)) {
      const rows = await lookup(chunk)
      for (const name of chunk) known.set(name, null)
      for (const { id, slug, name } of rows) known.set(name, { id, slug })
    }
  }

  return async (names: readonly string[]): Promise<ReadonlyMap<string, PageAddress>> => {
    // Loaded before the read: a change meanwhile clears what is known at the next call.
    const current = changesCounter()
    if (current !== counter || known.size > maxKnown) known.clear()
    counter = current
    const distinct = new Set(names)
    await read([...distinct].filter((name) => !known.has(name)))
    const found = new Map<string, PageAddress>()
    for (const name of distinct) {
      const address = known.get(name) ?? null
      if (address !== null) found.set(name, address)
    }
    return found
  }
}
