import type { WritableName } from '../../../record/fields.ts'
import { isSameJson, type JsonValue } from '../../../record/json/json-value.ts'
import type { Changes, VideoRecord } from '../../../record/record.ts'
import type { UnchangedFields } from '../../change-log.ts'
import type { RecordRows } from '../record-rows.ts'
import type { BatchMember } from './batch-members.ts'

/** What undoing a batch does to one of its records, and which fields it leaves alone. */
export interface RecordUndo {
  readonly changes: Changes
  readonly left: readonly Omit<UnchangedFields, 'id'>[]
}

/** What a batch did to a field. */
interface Given {
  readonly before: JsonValue
  readonly after: JsonValue
}

/** A field goes back where it still has the value that the batch gave it, whoever has changed others since. */
export async function findRecordUndo(rows: RecordRows, batch: number, member: BatchMember): Promise<RecordUndo> {
  if (member.first === 1) return findWithdrawal(rows, member)
  const { given, last } = await findGiven(rows, batch, member)
  const current = member.current === member.last ? last : await find(rows, member.id, member.current)
  const [changes, since, already]: [Record<string, JsonValue>, string[], string[]] = [{}, [], []]
  for (const [name, { before, after }] of given) {
    if (isSameJson(before, after)) continue
    if (isSameJson(current[name], after)) changes[name] = before
    else (isSameJson(current[name], before) ? already : since).push(name)
  }
  // An address that goes back must not take along a player that somebody has changed since.
  if ('source_url' in changes && !('embed' in changes)) changes.embed = current.embed
  return {
    // Each value is one that the same field of this record had.
    changes: changes as Changes,
    left: [...toLeft(already, 'already as before'), ...toLeft(since, 'changed since')],
  }
}

const toLeft = (fields: readonly string[], why: UnchangedFields['why']) =>
  fields.length === 0 ? [] : [{ fields, why }]

async function find(rows: RecordRows, id: number, number: number): Promise<VideoRecord> {
  const record = await rows.versions.find(id, number)
  if (record === null) throw new Error(`version ${number} of record ${id} is not there`)
  return record
}

/** A record that the batch made cannot vanish, since nothing does; it becomes a draft. */
async function findWithdrawal(rows: RecordRows, { id, last, current }: BatchMember): Promise<RecordUndo> {
  const { state } = await find(rows, id, current)
  if (state === 2) return { changes: {}, left: toLeft(['state'], 'already a draft') }
  const isAsMade = last === current || (await find(rows, id, last)).state === state
  return isAsMade ? { changes: { state: 2 }, left: [] } : { changes: {}, left: toLeft(['state'], 'changed since') }
}

/** Between two versions of a batch there may be those of others. With the record as the batch left it. */
async function findGiven(rows: RecordRows, batch: number, { id, first, last }: BatchMember) {
  const given = new Map<WritableName, Given>()
  let earlier = await find(rows, id, first - 1)
  for (let number = first; number <= last; number++) {
    const step = await rows.versions.findStep(id, number)
    if (step === null) throw new Error(`version ${number} of record ${id} is not there`)
    for (const name of step.batch === batch ? step.changed : []) {
      const known = given.get(name)
      given.set(name, { before: known === undefined ? earlier[name] : known.before, after: step.record[name] })
    }
    earlier = step.record
  }
  return { given, last: earlier }
}
