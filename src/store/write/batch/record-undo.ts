import { fields, type WritableName } from '../../../record/fields.ts'
import { isSameJson, type JsonValue } from '../../../record/json.ts'
import { findLinksLog, type LinksEdit, linksField, linksKey, maxEdits } from '../../../record/links.ts'
import { isParked, toParked } from '../../../record/quality/quality.ts'
import { type Changes, toChangedFields, type VideoRecord } from '../../../record/record.ts'
import { draft } from '../../../record/state.ts'
import type { UnchangedFields } from '../../batch-reads.ts'
import type { RecordRows } from '../record-rows.ts'
import type { BatchMember } from './batch-rows.ts'

/** The changes that the undo of a batch makes in a record, and the fields that it leaves unchanged. */
export interface RecordUndo {
  readonly changes: Changes
  readonly left: readonly Omit<UnchangedFields, 'id'>[]
}

/** The value of a field before and after a batch. */
interface Given {
  readonly before: JsonValue
  readonly after: JsonValue
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
  return toRecordUndo(current, changes, already, since)
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
  if (state === draft) return { changes: {}, left: toLeft(['state'], 'already_draft') }
  const isAsMade = last === current || (await findStoredVersion(rows, id, last)).state === state
  return isAsMade ? { changes: { state: draft }, left: [] } : { changes: {}, left: toLeft(['state'], 'changed_since') }
}

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
  return { changes: { whiteboard: parsed.value }, left: [] }
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

/** Restored related links, as one field of their record (decision 72). */
export interface LinksUndo {
  /** Null if they stay unchanged. */
  readonly links: readonly JsonValue[] | null
  readonly left: RecordUndo['left']
}

export const noLinks: LinksUndo = { links: null, left: [] }

/** Restores the links before a batch, unless they were changed since. */
export function findLinksUndo(rows: RecordRows, id: number, batch: number): Promise<LinksUndo> {
  return findBefore(
    rows,
    id,
    (edit) => edit.batch === batch,
    () => true,
  )
}

/** Restores the links before the first of these edits, unless somebody else has changed them since. */
export async function findBefore(
  rows: RecordRows,
  id: number,
  isUndone: (edit: LinksEdit) => boolean,
  isOthers: (edit: LinksEdit) => boolean,
): Promise<LinksUndo> {
  const extras = await rows.extras.find(id)
  const edits = extras === null ? [] : (findLinksLog(extras.basis)?.edits ?? [])
  const first = edits.findLastIndex(isUndone)
  const edit = edits[first]
  if (extras === null || edit === undefined) return noLinks
  const before = Array.isArray(edit.before) ? edit.before : []
  if (isSameJson(extras.values[linksKey] ?? [], before)) return toLeftLinks('already_restored')
  if (edits.slice(0, first).some((each) => !isUndone(each) && isOthers(each))) return toLeftLinks('changed_since')
  // Older edits were dropped, and may have been among these.
  return first === maxEdits - 1 ? toLeftLinks('no_longer_known') : { links: before, left: [] }
}

const toLeftLinks = (why: Parameters<typeof toLeft>[1]): LinksUndo => ({ links: null, left: toLeft([linksField], why) })
