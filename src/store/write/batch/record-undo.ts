import type { CompanionChange, CompanionName } from '../../../record/companion/kinds.ts'
import { fields, type WritableName } from '../../../record/fields.ts'
import { isSameJson, type JsonObject, type JsonValue } from '../../../record/json.ts'
import { isParked, toParked } from '../../../record/quality/quality.ts'
import { type Changes, toChangedFields, type VideoRecord } from '../../../record/record.ts'
import { draft } from '../../../record/state.ts'
import { type Given, keepPlayer, toFieldUndo } from '../../../record/three-way-merge.ts'
import type { UnchangedFields } from '../../batch-reads.ts'
import type { RecordRows } from '../record-rows.ts'
import type { BatchMember } from './batch-rows.ts'

/** The changes that the undo of a batch makes in a record, and the fields that it leaves unchanged. */
export interface RecordUndo {
  readonly changes: Changes
  readonly companions: readonly CompanionChange[]
  readonly left: readonly Omit<UnchangedFields, 'id'>[]
}

/** The content of a companion before and after a batch. */
interface GivenContent {
  readonly before: JsonObject
  readonly after: JsonObject
}

/** Reverts the fields that still have the values that the batch gave them. */
export async function findRecordUndo(rows: RecordRows, batch: number, member: BatchMember): Promise<RecordUndo> {
  if (member.first === 1) return findWithdrawal(rows, member)
  const { given, last } = await findGiven(rows, batch, member)
  const current = member.current === member.last ? last : await findStoredVersion(rows, member.id, member.current)
  const fields = toFieldUndo(given, current)
  const [already, since]: [string[], string[]] = [[...fields.already], [...fields.since]]
  const companions = await findCompanionUndo(rows, batch, member, already, since)
  return { ...toRecordUndo(current, fields.changes, already, since), companions }
}

/** Reverts each companion that still has the content that the batch gave it; adds the others to the lists. */
async function findCompanionUndo(
  rows: RecordRows,
  batch: number,
  { id, first, last }: BatchMember,
  already: string[],
  since: string[],
): Promise<CompanionChange[]> {
  const given = new Map<CompanionName, GivenContent>()
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
  return {
    changes: keepPlayer(current, changes),
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
