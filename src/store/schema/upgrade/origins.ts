import { toVideoAddress } from '../../../record/embed/video-address.ts'
import { withoutUserInfo } from '../../../record/text/address.ts'
import type { Database } from '../../database.ts'

/** On either engine, within the transaction of the migration. */
export function upgradeOrigins(db: Database): void {
  for (const source of listSources(db, 'origin')) renameOrigins(db, source)
  for (const source of listSources(db, 'category_origin')) renameCategoryOrigins(db, source)
  upgradeAddresses(db)
}

/** Names that have a user's name and password in them. */
function listSources(db: Database, table: 'origin' | 'category_origin'): string[] {
  const rows = db.query<{ source: string }, []>(
    `SELECT DISTINCT source FROM ${table} WHERE source LIKE '%://%@%' ORDER BY source`,
  )
  return rows.all().flatMap(({ source }) => (withoutUserInfo(source) === source ? [] : [source]))
}

/** Two records may have come from the same place with and without a password; the second keeps its own number there. */
function renameOrigins(db: Database, source: string): void {
  const clean = withoutUserInfo(source)
  db.query<null, [string, string]>(
    `UPDATE origin SET path = path || ' (record ' || record_id || ')'
     WHERE source = ? AND path IN (SELECT path FROM origin WHERE source = ?)`,
  ).run(source, clean)
  db.query<null, [string, string]>('UPDATE origin SET source = ? WHERE source = ?').run(clean, source)
}

function renameCategoryOrigins(db: Database, source: string): void {
  const clean = withoutUserInfo(source)
  db.query<null, [string, string]>(
    'DELETE FROM category_origin WHERE source = ? AND path IN (SELECT path FROM category_origin WHERE source = ?)',
  ).run(source, clean)
  db.query<null, [string, string]>('UPDATE category_origin SET source = ? WHERE source = ?').run(clean, source)
}

/** Lists find a video by any of its addresses. */
function upgradeAddresses(db: Database): void {
  const rows = db.query<{ id: number; url: string }, []>(
    // Without lower(), SQLite would find hosts in capitals and PostgreSQL would not.
    `SELECT id, source_url AS url FROM listing
     WHERE lower(source_url) LIKE '%youtu%' OR lower(source_url) LIKE '%vimeo%'`,
  )
  const update = db.query<null, [string, number]>('UPDATE listing SET source_url = ? WHERE id = ?')
  for (const { id, url } of rows.all()) {
    const address = toVideoAddress(url)
    if (address !== url) update.run(address, id)
  }
}
