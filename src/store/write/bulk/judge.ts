import { toPatchedFields, toRecordChanges } from '../../../record/bulk/bulk-patch.ts'
import type { BulkCommand } from '../../../record/command.ts'
import { decide } from '../../../record/decide.ts'
import type { WritableName } from '../../../record/fields.ts'
import { fromBody } from '../../../record/json/body-bytes.ts'
import type { Changes, ParsedFields, VideoRecord } from '../../../record/record.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { StoredRecord } from '../../store.ts'
import type { BatchNote } from '../batch/new-batch.ts'
import type { RecordRows } from '../record-rows.ts'
import type { BulkRows } from './bulk-rows.ts'
import { findRestore } from './restore.ts'

/** What a bulk change does to a record. `notes` name the fields that it leaves as they are. */
export type Judgement =
  | {
      readonly is: 'accepted'
      readonly stored: StoredRecord
      readonly before: VideoRecord
      readonly after: VideoRecord
      readonly changed: readonly WritableName[]
      readonly notes: readonly BatchNote[]
    }
  | { readonly is: 'unchanged' | 'refused'; readonly notes: readonly BatchNote[] }

type Later = ReadonlyMap<number, ReadonlySet<string>>

/** `stored` is null for a record that does not exist. */
export type Judge = (id: number, stored: StoredRecord | null) => Promise<Judgement>

/** Judges each record by `decide`, in the role of the author. Writes nothing. */
export async function createJudge(
  rows: RecordRows,
  bulk: BulkRows,
  { request, author }: BulkCommand,
  ids: readonly number[],
  at: Timestamp,
): Promise<Judge> {
  const { select, work, asOf } = request
  const later = asOf === null ? null : await findLater(bulk, asOf, new Set(ids))
  const patched = work.is === 'patch' ? toPatchedFields(work.patch) : null

  async function findChanges(record: VideoRecord): Promise<ParsedFields & { readonly notes?: readonly BatchNote[] }> {
    if (work.is === 'patch') return toRecordChanges(record, work.patch)
    if (select.is !== 'by') throw new Error('a restore needs an author')
    const { changes, left } = await findRestore(rows, bulk, record, select)
    return { ok: true, changes, notes: left.map((each) => ({ id: record.id, kind: 'left', ...each })) }
  }

  const isLater = (id: number, changes: Changes) =>
    (patched ?? Object.keys(changes)).some((name) => later?.get(id)?.has(name))

  return async (id, stored) => {
    if (stored === null) return refuse(id, (await rows.isErased(id)) ? 'gone' : 'not_found')
    const before = fromBody(stored.body)
    const found = await findChanges(before)
    if (!found.ok) return refuse(id, 'bad_fields', [...found.errors.keys()])
    const { changes, notes = [] } = found
    const command = { kind: 'merge', id, author, precondition: {}, changes } as const
    const decision = decide({ record: before, versionTag: stored.versionTag }, command, at)
    if (decision.is === 'refused') return refuse(id, decision.refusal.code)
    if (isLater(id, changes)) return refuse(id, 'changed_since')
    if (decision.is === 'unchanged') return { is: 'unchanged', notes }
    return { is: 'accepted', stored, before, after: decision.record, changed: decision.changed, notes }
  }
}

function refuse(id: number, why: string, fields: readonly string[] = []): Judgement {
  return { is: 'refused', notes: [{ id, kind: 'refused', why, fields }] }
}

/** The fields of these records that were changed after a seq, in one pass over the later changes. */
async function findLater(bulk: BulkRows, asOf: number, among: ReadonlySet<number>): Promise<Later> {
  const later = new Map<number, Set<string>>()
  for await (const { id, changed } of bulk.listLater(asOf)) {
    if (!among.has(id)) continue
    const known = later.get(id) ?? new Set()
    for (const name of changed) known.add(name)
    later.set(id, known)
  }
  return later
}
