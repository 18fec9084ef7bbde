import type { EntryKind } from '../../record/name.ts'
import { listSlugs } from '../../record/text/slug.ts'
import type { Database } from '../database.ts'

/** Maximum number of cached numbers. */
const maxNumbers = 10_000

/** Caches the last free number of each slug: slugs become free only when a record is erased. */
export function createFreeSlugs(isTaken: (slug: string) => Promise<boolean>) {
  const numbers = new Map<string, number>()
  return {
    async findFree(wanted: string): Promise<string> {
      const { slug, number } = await findFreeSlug(wanted, isTaken, numbers.get(wanted))
      if (numbers.size >= maxNumbers) numbers.clear()
      if (number > 1) numbers.set(wanted, number)
      return slug
    },
    forget: () => numbers.clear(),
  }
}

/** The slug itself, or with the first free number from `from` on. */
export async function findFreeSlug(wanted: string, isTaken: (slug: string) => Promise<boolean>, from = 2) {
  for (const candidate of listSlugs(wanted, from)) if (!(await isTaken(candidate.slug))) return candidate
  throw new Error('unreachable: there is always another number')
}

/** Slugs that no new row may get: those of existing rows, and those of deleted ones (decision 52). */
interface UsedSlugs {
  isUsed(slug: string): Promise<boolean>
  /** Call when a row is deleted: neither its id nor its slug is used again. */
  retire(id: number, slug: string): void
}

export function createUsedSlugs(db: Database, table: EntryKind): UsedSlugs {
  const find = db.query<{ found: number }, [string, Uint8Array]>(
    `SELECT 1 AS found FROM ${table} WHERE slug = ?
     UNION ALL SELECT 1 FROM retired_name WHERE kind = '${table}' AND digest = ?`,
  )
  const add = db.query<null, [number, Uint8Array]>(
    `INSERT INTO retired_name (kind, id, digest) VALUES ('${table}', ?, ?) ON CONFLICT (kind, id) DO NOTHING`,
  )
  return {
    isUsed: async (slug) => (await find.get(slug, toDigest(slug))) !== null,
    retire: (id, slug) => add.send(id, toDigest(slug)),
  }
}

/** Deleted slugs are stored as digests, because a slug may be the name of a person. */
const toDigest = (slug: string) => new Bun.CryptoHasher('sha256').update(slug).digest()
