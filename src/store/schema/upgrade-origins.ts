import { toVideoAddress } from '../../record/embed/embed.ts'
import { withoutUserInfo } from '../../record/text/address.ts'
import type { Database } from '../database.ts'

/** Runs on both engines, in the transaction of the migration. */
export async function upgradeOrigins(db: Database): Promise<void> {
  for (const source of await listSources(db, 'origin')) renameOrigins(db, source)
  for (const source of await listSources(db, 'category_origin')) renameCategoryOrigins(db, source)
  await upgradeAddresses(db)
}

/** Names of sources that contain user names and passwords. */
async function listSources(db: Database, table: 'origin' | 'category_origin'): Promise<string[]> {
  const rows = db.query<{ source: string }, []>(
    `SELECT DISTINCT source FROM ${table} WHERE source LIKE '%://%@%' ORDER BY source`,
  )
  return (await rows.all()).flatMap(({ source }) => (withoutUserInfo(source) === source ? [] : [source]))
}

/**
 * If records came from the same path with and without a password, the one with the password gets its record id
 * appended.
 */
function renameOrigins(db: Database, source: string): void {
  const clean = withoutUserInfo(source)
  db.query<null, [string, string]>(
    `UPDATE origin SET path = path || ' (record ' || record_id || ')'
     WHERE source = ? AND path IN (SELECT path FROM origin WHERE source = ?)`,
  ).send(source, clean)
  db.query<null, [string, string]>('UPDATE origin SET source = ? WHERE source = ?').send(clean, source)
}

function renameCategoryOrigins(db: Database, source: string): void {
  const clean = withoutUserInfo(source)
  db.query<null, [string, string]>(
    'DELETE FROM category_origin WHERE source = ? AND path IN (SELECT path FROM category_origin WHERE source = ?)',
  ).send(source, clean)
  db.query<null, [string, string]>('UPDATE category_origin SET source = ? WHERE source = ?').send(clean, source)
}

/** The listing stores canonical URLs, so that `source_url` finds a video by any of its URLs. */
async function upgradeAddresses(db: Database): Promise<void> {
  const rows = db.query<{ id: number; url: string }, []>(
    // Without lower(), uppercase hosts would match on SQLite but not on PostgreSQL.
    `SELECT id, source_url AS url FROM listing
     WHERE lower(source_url) LIKE '%youtu%' OR lower(source_url) LIKE '%vimeo%'`,
  )
  const update = db.query<null, [string, number]>('UPDATE listing SET source_url = ? WHERE id = ?')
  for (const { id, url } of await rows.all()) {
    const address = toVideoAddress(url)
    if (address !== url) update.send(address, id)
  }
}
