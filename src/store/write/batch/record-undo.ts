import { type CompanionChange, type CompanionName, isCompanionName } from '../../../record/companion/kinds.ts'
import { fields, type WritableName } from '../../../record/fields.ts'
import { isSameJson, type JsonValue } from '../../../record/json.ts'
import { isParked, toParked } from '../../../record/quality/quality.ts'
import { type Changes, toChangedFields, type VideoRecord } from '../../../record/record.ts'
import { draft } from '../../../record/state.ts'
import { keepPlayer, toFieldUndo, type UndoneValue } from '../../../record/three-way-merge.ts'
import type { UnchangedFields } from '../../batch-reads.ts'
import type { RecordRows } from '../record-rows.ts'
import type { BatchMember } from './batch-rows.ts'

/** The changes that the undo of a batch makes in a record, and the fields that it leaves unchanged. */
export interface RecordUndo {
  readonly changes: Changes
  readonly companions: readonly CompanionChange[]
  readonly left: readonly Omit<UnchangedFields, 'id'>[]
}

/** Reverts the fields that still have the values that the batch gave them. */
export async function findRecordUndo(rows: RecordRows, batch: number, member: BatchMember): Promise<RecordUndo> {
  if (member.first === 1) return findWithdrawal(rows, member)
  const { given, numbers, last } = await findGiven(rows, batch, member)
  const current = member.current === member.last ? last : await findStoredVersion(rows, member.id, member.current)
  const fields = toFieldUndo(given, current)
  const [already, since]: [string[], string[]] = [[...fields.already], [...fields.since]]
  const companions: CompanionChange[] = []
  for (const [name, [first, newest]] of numbers) {
    const find = async (number?: number) => (await rows.companions.find(member.id, name, number)).content
    const [before, after, now] = [await find(first - 1), await find(newest), await find()]
    if (isSameJson(before, after)) continue
    if (isSameJson(now, after)) companions.push({ name, content: before })
    else (isSameJson(now, before) ? already : since).push(name)
  }
  return { ...toRecordUndo(current, fields.changes, already, since), companions }
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
  const given = new Map<WritableName, UndoneValue>()
  /** The first and the last version of the batch that changed a companion. */
  const numbers = new Map<CompanionName, readonly [number, number]>()
  let earlier = await findStoredVersion(rows, id, first - 1)
  for (let number = first; number <= last; number++) {
    const step = await rows.versions.findStep(id, number)
    if (step === null) throw new Error(`version ${number} of record ${id} is missing`)
    for (const name of step.batch === batch ? step.changed : []) {
      if (isCompanionName(name)) {
        numbers.set(name, [numbers.get(name)?.[0] ?? number, number])
        continue
      }
      const known = given.get(name)
      given.set(name, { before: known === undefined ? earlier[name] : known.before, after: step.record[name] })
    }
    earlier = step.record
  }
  return { given, numbers, last: earlier }
}
