import { isOutsideEvent } from '../../../record/quality/event-days.ts'
import { type FindingCode, findingCodes, toQualityBits } from '../../../record/quality/finding-codes.ts'
import type { Database } from '../../database.ts'
import type { SlowReads, WorkRow } from '../../store.ts'
import { createLookup } from '../lookup-many.ts'

interface Row {
  readonly id: number
  readonly quality: number
  readonly author: string
  readonly recorded: string | null
  readonly start: string | null
  /** 1 if another record has the same video. */
  readonly shared: number
}

const toSql = (ids: string) => `SELECT listing.id, quality, author, recorded, start_date AS start,
    CASE WHEN source_url <> '' AND EXISTS (SELECT 1 FROM listing AS other WHERE other.source_url = listing.source_url
      AND other.source_url <> '' AND other.id <> listing.id) THEN 1 ELSE 0 END AS shared
  FROM listing LEFT JOIN category ON category.id = category_id WHERE listing.id IN ${ids}`

/** What the tables of work lists show beside the records. */
export function createWorkRowReader(db: Database): SlowReads['listWorkRows'] {
  const lookUp = createLookup<Row, number>(db, toSql)
  return ({ ids }) =>
    db.transaction('read', async () => {
      const found = new Map((await lookUp(ids)).map((row) => [row.id, toWorkRow(row)]))
      return ids.flatMap((id) => found.get(id) ?? [])
    })
}

function toWorkRow(row: Row): WorkRow {
  return { id: row.id, by: row.author, findings: findingCodes.filter((code) => hasFinding(row, code)) }
}

function hasFinding({ quality, recorded, start, shared }: Row, code: FindingCode): boolean {
  if (code === 'outside_event') return isOutsideEvent(recorded, start)
  if (code === 'same_video') return shared === 1
  return (quality & toQualityBits([code])) !== 0
}
