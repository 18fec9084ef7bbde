import type { LinkRole } from '../../src/record/link/link.ts'
import type { Database } from '../../src/store/database.ts'

/** Makes addresses known to a store, as those of a record. */
export async function insertLinks(
  db: Database,
  record: number,
  urls: readonly string[],
  role: LinkRole = 'page',
): Promise<void> {
  const insert = db.query('INSERT INTO link (key, url, host) VALUES (?, ?, ?)')
  const use = db.query('INSERT INTO link_use (link_id, record_id, role) SELECT id, ?, ? FROM link WHERE url = ?')
  await db.transaction('write', async () => {
    for (const url of urls) {
      await insert.run(new Bun.CryptoHasher('sha256').update(url).digest(), url, new URL(url).hostname)
      await use.run(record, role, url)
    }
  })
}

export interface LinkRow {
  readonly url: string
  readonly state: string
  readonly since: string | null
  readonly failures: number
  readonly evidence: string
  readonly target: string | null
  readonly checked: string | null
  readonly run: number
  readonly pending: string | null
}

export const readLinks = (db: Database) =>
  db
    .query<LinkRow, []>(
      'SELECT url, state, since, failures, evidence, target, checked, run, pending FROM link ORDER BY url',
    )
    .all()
