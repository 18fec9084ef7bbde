import type { JsonObject } from '../../record/json/json-value.ts'
import { parseFields } from '../../record/record.ts'
import { toTimestamp } from '../../record/timestamp.ts'
import type { Database } from '../../store/database.ts'
import { runCommand } from '../../store/write/commands.ts'
import { createRecordRows } from '../../store/write/record-rows.ts'
import { lastIdSql } from '../../store/write/sequence-sql.ts'
import records from './records.json'

/** Fills an empty store with our own examples, in one transaction; a store that has ever had a record is left alone. */
export async function addSample(db: Database): Promise<void> {
  await db.transaction('write', async () => {
    if ((await db.query<{ id: number | null }, []>(lastIdSql).get())?.id !== null) return
    const rows = createRecordRows(db)
    for (const [i, record] of records.entries()) {
      const command = { kind: 'create' as const, author, changes: toChanges(record, i) }
      const outcome = await runCommand(rows, command, toTimestamp(Date.now()))
      if (outcome.is !== 'stored') throw new Error(`sample record ${i + 1} was not stored: ${JSON.stringify(outcome)}`)
    }
  })
}

const author = { name: 'sample', role: 'publisher' } as const

function toChanges(record: JsonObject, index: number) {
  const parsed = parseFields(record, 'whole', null)
  if (!parsed.ok) throw new Error(`sample record ${index + 1} is wrong: ${JSON.stringify([...parsed.errors])}`)
  return parsed.changes
}
