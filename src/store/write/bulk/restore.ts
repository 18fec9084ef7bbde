import { type WritableName, writableNames } from '../../../record/fields.ts'
import { isSameJson, type JsonValue } from '../../../record/json/json-value.ts'
import type { LinksEdit } from '../../../record/links.ts'
import type { VideoRecord } from '../../../record/record.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import { findBefore, type LinksUndo, noLinks } from '../batch/links-undo.ts'
import { type RecordUndo, toLeft, toRecordUndo } from '../batch/record-undo.ts'
import type { RecordRows } from '../record-rows.ts'
import type { AuthorPeriod, BulkRows, Step } from './bulk-rows.ts'

/**
 * What a restore changes in a record: each field that the author changed in that time goes back to its value before
 * their first change, unless somebody else has changed it since; so do its links. A record that they created becomes a draft.
 */
export async function findRestore(
  rows: RecordRows,
  bulk: BulkRows,
  current: VideoRecord,
  period: AuthorPeriod,
): Promise<RecordUndo & LinksUndo> {
  const steps = await bulk.listSteps(current.id, period)
  const isTheirs = createTimeCheck(period)
  const isMade = steps[0]?.number === 1
  const { links, left } = isMade ? noLinks : await findLinksRestore(rows, current.id, period)
  const fields = await findFields(rows, current, period, steps.filter(isTheirs), steps)
  return { changes: fields.changes, links, left: [...fields.left, ...left] }
}

/** Related links, as one field. */
function findLinksRestore(rows: RecordRows, id: number, period: AuthorPeriod): Promise<LinksUndo> {
  const isTheirs = createTimeCheck(period)
  const isOthers = ({ by }: LinksEdit) => by !== period.author
  return findBefore(rows, id, ({ by, at }) => isTheirs({ author: by, at }), isOthers)
}

async function findFields(
  rows: RecordRows,
  current: VideoRecord,
  period: AuthorPeriod,
  theirs: readonly Step[],
  steps: readonly Step[],
): Promise<RecordUndo> {
  const first = findFirstChanges(theirs)
  const isOthers = ({ author }: Step) => author !== period.author
  const hasFollowed = (name: WritableName) =>
    steps.some((step) => isOthers(step) && step.number > (first.get(name) ?? 0) && step.changed.includes(name))
  if (steps[0]?.number === 1) return toWithdrawal(current, hasFollowed('state'))
  const [changes, already, since]: [Record<string, JsonValue>, string[], string[]] = [{}, [], []]
  for (const name of writableNames) {
    const number = first.get(name)
    if (number === undefined) continue
    const before = (await findVersion(rows, current.id, number - 1))[name]
    if (isSameJson(current[name], before)) already.push(name)
    else if (hasFollowed(name)) since.push(name)
    else changes[name] = before
  }
  return toRecordUndo(current, changes, already, since)
}

/** Whether the author did something in that time. */
export function createTimeCheck({ author, since, until }: AuthorPeriod) {
  return (step: { readonly author: string; readonly at: Timestamp }) =>
    step.author === author && step.at >= since && (until === null || step.at <= until)
}

/** The number of the first version that changed each field. */
export function findFirstChanges<Name extends string>(
  steps: readonly { readonly number: number; readonly changed: readonly Name[] }[],
): ReadonlyMap<Name, number> {
  const first = new Map<Name, number>()
  for (const { number, changed } of steps) {
    for (const name of changed) if (!first.has(name)) first.set(name, number)
  }
  return first
}

/** Records are never deleted. */
function toWithdrawal({ state }: VideoRecord, hasFollowed: boolean): RecordUndo {
  if (state === 2) return { changes: {}, left: toLeft(['state'], 'already a draft') }
  return hasFollowed ? { changes: {}, left: toLeft(['state'], 'changed since') } : { changes: { state: 2 }, left: [] }
}

async function findVersion(rows: RecordRows, id: number, number: number): Promise<VideoRecord> {
  const record = await rows.versions.find(id, number)
  if (record === null) throw new Error(`version ${number} of record ${id} is not there`)
  return record
}
