import { checkBody } from '../../record/check-body.ts'
import type { Database } from '../database.ts'
import { type ListingValue, listingColumns, toListingRow } from '../derive/listing.ts'

const chunkSize = 500

/** The columns that the migration adds. */
const added = listingColumns.filter((name) => ['quality', 'host', 'author'].includes(name))

interface AuthoredBody {
  readonly id: number
  readonly body: Uint8Array
  readonly author: string
}

/** Fills the columns of work lists for every record (ADR 53). Runs on both engines, in the transaction of the migration. */
export async function upgradeQuality(db: Database): Promise<void> {
  const listAfter = db.query<AuthoredBody, [number, number]>(
    `SELECT record.id, record.body, version.author FROM record
     JOIN version ON version.record_id = record.id AND version.number = record.version
     WHERE record.id > ? ORDER BY record.id LIMIT ?`,
  )
  const update = db.query<null, ListingValue[]>(
    `UPDATE listing SET ${added.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
  )
  let last: number | undefined = 0
  while (last !== undefined) {
    const rows: AuthoredBody[] = await listAfter.all(last, chunkSize)
    for (const { id, body, author } of rows) {
      // Damaged bytes are found by `rostrum doctor`.
      const { record } = checkBody(body)
      if (record === null) continue
      const row = toListingRow({ record, author, categoryId: 0 })
      update.send(...row.filter((_, i) => added.includes(listingColumns[i] ?? '')), id)
    }
    last = rows.at(-1)?.id
  }
}
