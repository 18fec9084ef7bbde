import { toPatchedFields, toRecordChanges } from '../../../record/bulk/bulk-patch.ts'
import type { BulkCommand } from '../../../record/command.ts'
import { decide } from '../../../record/decide.ts'
import type { WritableName } from '../../../record/fields.ts'
import { fromBody } from '../../../record/json/body-bytes.ts'
import type { JsonValue } from '../../../record/json/json-value.ts'
import type { Changes, ParsedFields, VideoRecord } from '../../../record/record.ts'
import { type Timestamp, toLater } from '../../../record/timestamp.ts'
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
      /** What its related links become; null if they stay as they are. */
      readonly links: readonly JsonValue[] | null
      readonly notes: readonly BatchNote[]
    }
  | { readonly is: 'unchanged' | 'refused'; readonly notes: readonly BatchNote[] }

type Accepted = Extract<Judgement, { is: 'accepted' }>

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

  type Found = ParsedFields & Partial<Pick<Accepted, 'links' | 'notes'>>

  async function findChanges(record: VideoRecord): Promise<Found> {
    if (work.is === 'patch') return toRecordChanges(record, work.patch)
    if (select.is !== 'by') throw new Error('a restore needs an author')
    const { changes, links, left } = await findRestore(rows, bulk, record, select)
    return { ok: true, changes, links, notes: left.map((each) => ({ id: record.id, kind: 'left', ...each })) }
  }

  const isLater = (id: number, changes: Changes) =>
    (patched ?? Object.keys(changes)).some((name) => later?.get(id)?.has(name))

  return async (id, stored) => {
    if (stored === null) return refuse(id, (await rows.isErased(id)) ? 'gone' : 'not_found')
    const before = fromBody(stored.body)
    const found = await findChanges(before)
    if (!found.ok) return refuse(id, 'bad_fields', [...found.errors.keys()])
    const { changes, links = null, notes = [] } = found
    const command = { kind: 'merge', id, author, precondition: {}, changes } as const
    const decision = decide({ record: before, versionTag: stored.versionTag }, command, at)
    if (decision.is === 'refused') return refuse(id, decision.refusal.code)
    if (isLater(id, changes)) return refuse(id, 'changed_since')
    if (decision.is === 'accepted')
      return { is: 'accepted', stored, before, after: decision.record, changed: decision.changed, links, notes }
    if (links === null) return { is: 'unchanged', notes }
    const after = { ...before, updated: toLater(before.updated, at) }
    return { is: 'accepted', stored, before, after, changed: [], links, notes }
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
