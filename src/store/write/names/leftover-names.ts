import type { BatchMember } from '../batch/batch-members.ts'
import { findRecordUndo } from '../batch/record-undo.ts'
import type { RecordRows } from '../record-rows.ts'
import { type NameEntry, type NameKind, nameFields } from './name-entries.ts'

/** Members of a batch read at a time. */
const chunk = 1_000
/** More records that were changed since are not compared field by field: they count as left over. */
const maxCompared = 500

/** A record that would keep this name if the batch that gave it were undone; null if there is none. */
export async function findLeftover(
  rows: RecordRows,
  kind: NameKind,
  row: NameEntry,
  batch: number,
): Promise<number | null> {
  const members = await readMembers(rows, batch)
  const ids = await rows.names[kind].listRecords(row.id)
  // Those that the batch was the last to change get the old name back.
  const doubtful = ids.filter((id) => members.get(id)?.current !== members.get(id)?.last || !members.has(id))
  // Records that a stopped rename has not reached have the old name.
  const named = await rows.names[kind].filterRecords(doubtful, row.name)
  for (const [i, id] of named.entries()) {
    const member = members.get(id)
    if (member === undefined || i >= maxCompared) return id
    const { changes } = await findRecordUndo(rows, batch, member)
    if (!(nameFields[kind] in changes)) return id
  }
  return null
}

async function readMembers(rows: RecordRows, batch: number): Promise<ReadonlyMap<number, BatchMember>> {
  const members = new Map<number, BatchMember>()
  let after = 0
  for (;;) {
    const some = await rows.batches.listMembers(batch, after, chunk)
    for (const member of some) members.set(member.id, member)
    const last = some.at(-1)
    if (last === undefined) return members
    after = last.id
  }
}
