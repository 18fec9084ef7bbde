import type { Database } from '../../database.ts'

/** Tables of names. Clients know the ids and slugs of their rows. */
export type NameTable = 'speaker' | 'tag' | 'category'

/** Slugs that no new row may get: those of existing rows, and those of deleted ones (decision 52). */
export interface UsedSlugs {
  isUsed(slug: string): Promise<boolean>
  /** Call when a row is deleted: neither its id nor its slug is used again. */
  retire(id: number, slug: string): void
}

export function createUsedSlugs(db: Database, table: NameTable): UsedSlugs {
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

/** What a deleted slug was is not known any more: it may be the name of a person. */
const toDigest = (slug: string) => new Bun.CryptoHasher('sha256').update(slug).digest()
