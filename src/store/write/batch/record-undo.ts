import type { CompanionChange, CompanionName } from '../../../record/companion/kinds.ts'
import { fields, type WritableName } from '../../../record/fields.ts'
import { isSameJson, type JsonObject, type JsonValue } from '../../../record/json.ts'
import { isParked, toParked } from '../../../record/quality/quality.ts'
import { type Changes, toChangedFields, type VideoRecord } from '../../../record/record.ts'
import { draft } from '../../../record/state.ts'
import type { UnchangedFields } from '../../batch-reads.ts'
import type { RecordRows } from '../record-rows.ts'
import type { BatchMember } from './batch-rows.ts'

/** The changes that the undo of a batch makes in a record, and the fields that it leaves unchanged. */
export interface RecordUndo {
  readonly changes: Changes
  readonly companions: readonly CompanionChange[]
  readonly left: readonly Omit<UnchangedFields, 'id'>[]
}

/** The value of a field before and after a batch. */
interface Given<Value = JsonValue> {
  readonly before: Value
  readonly after: Value
}

/** Reverts a field if it still has the value that the batch gave it; changes of other fields do not matter. */
export async function findRecordUndo(rows: RecordRows, batch: number, member: BatchMember): Promise<RecordUndo> {
  if (member.first === 1) return findWithdrawal(rows, member)
  const { given, last } = await findGiven(rows, batch, member)
  const current = member.current === member.last ? last : await findStoredVersion(rows, member.id, member.current)
  const [changes, since, already]: [Record<string, JsonValue>, string[], string[]] = [{}, [], []]
  for (const [name, { before, after }] of given) {
    if (isSameJson(before, after)) continue
    if (isSameJson(current[name], after)) changes[name] = before
    else (isSameJson(current[name], before) ? already : since).push(name)
  }
  const companions = await findCompanionUndo(rows, batch, member, already, since)
  return { ...toRecordUndo(current, changes, already, since), companions }
}

/** Reverts each companion that still has the content that the batch gave it; adds the others to the lists. */
async function findCompanionUndo(
  rows: RecordRows,
  batch: number,
  { id, first, last }: BatchMember,
  already: string[],
  since: string[],
): Promise<CompanionChange[]> {
  const given = new Map<CompanionName, Given<JsonObject>>()
  for (let number = first; number <= last; number++) {
    const name = await rows.versions.findCompanion(id, number)
    if (name === null || (await rows.versions.findBatch(id, number)) !== batch) continue
    const before = given.get(name)?.before ?? (await rows.companions.find(id, name, number - 1)).content
    given.set(name, { before, after: (await rows.companions.find(id, name, number)).content })
  }
  const changes: CompanionChange[] = []
  for (const [name, { before, after }] of given) {
    const { content } = await rows.companions.find(id, name)
    if (isSameJson(before, after)) continue
    if (isSameJson(content, after)) changes.push({ name, content: before })
    else (isSameJson(content, before) ? already : since).push(name)
  }
  return changes
}

/** `changes` has earlier values of this record; `already` and `since` are the fields that stay unchanged. */
export function toRecordUndo(
  current: VideoRecord,
  changes: { readonly [name: string]: JsonValue },
  already: readonly string[],
  since: readonly string[],
): RecordUndo {
  // Reverting the source URL must not replace a player that was changed since.
  const player = 'source_url' in changes && !('embed' in changes) ? { embed: current.embed } : {}
  return {
    // Each value was a value of the same field of this record.
    changes: { ...changes, ...player } as Changes,
    companions: [],
    left: [...toLeft(already, 'already_restored'), ...toLeft(since, 'changed_since')],
  }
}

export const toLeft = (fields: readonly string[], why: UnchangedFields['why']) =>
  fields.length === 0 ? [] : [{ fields, why }]

/** The record in a version that must exist. */
export async function findStoredVersion(rows: RecordRows, id: number, number: number): Promise<VideoRecord> {
  const record = await rows.versions.find(id, number)
  if (record === null) throw new Error(`version ${number} of record ${id} is missing`)
  return record
}

/** A record that the batch created becomes a draft: records are never deleted. */
async function findWithdrawal(rows: RecordRows, { id, last, current }: BatchMember): Promise<RecordUndo> {
  const { state } = await findStoredVersion(rows, id, current)
  if (state === draft) return { ...nothing, left: toLeft(['state'], 'already_draft') }
  const isAsMade = last === current || (await findStoredVersion(rows, id, last)).state === state
  return isAsMade ? { ...nothing, changes: { state: draft } } : { ...nothing, left: toLeft(['state'], 'changed_since') }
}

export const nothing: RecordUndo = { changes: {}, companions: [], left: [] }

/**
 * A draft that a table created is set aside if it has the values of the table: it would stay in the list of drafts
 * otherwise (decision 85).
 */
export async function findNewRowUndo(rows: RecordRows, member: BatchMember): Promise<RecordUndo> {
  const current = await findStoredVersion(rows, member.id, member.current)
  const { state, whiteboard } = current
  const made = await findStoredVersion(rows, member.id, member.last)
  const isUntouched = toChangedFields(made, current).length === 0
  const parsed = fields.whiteboard.kind.parse(toParked(whiteboard))
  if (state !== draft || isParked(whiteboard) || !isUntouched || !parsed.ok) return findWithdrawal(rows, member)
  return { ...nothing, changes: { whiteboard: parsed.value } }
}

/** Skips versions of others between those of the batch. Also returns the record in the last version of the batch. */
async function findGiven(rows: RecordRows, batch: number, { id, first, last }: BatchMember) {
  const given = new Map<WritableName, Given>()
  let earlier = await findStoredVersion(rows, id, first - 1)
  for (let number = first; number <= last; number++) {
    const step = await rows.versions.findStep(id, number)
    if (step === null) throw new Error(`version ${number} of record ${id} is missing`)
    for (const name of step.batch === batch ? step.changed : []) {
      const known = given.get(name)
      given.set(name, { before: known === undefined ? earlier[name] : known.before, after: step.record[name] })
    }
    earlier = step.record
  }
  return { given, last: earlier }
}
