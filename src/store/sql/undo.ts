import type { ChangeCommand, UndoCommand } from '../../record/command.ts'
import { toChangedFields, toChanges } from '../../record/record.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import { type LeftRecord, maxUndoneAtOnce, type Outcome } from '../store.ts'
import type { BatchMember, CategoryRename } from './batch-rows.ts'
import { change } from './change.ts'
import type { Rows } from './rows.ts'

/**
 * Puts back every record of a batch that is still as the batch left it, as a batch of its own, so that it can be undone too.
 * A record that the batch made cannot vanish; it becomes a draft.
 */
export function undo(rows: Rows, command: UndoCommand, at: Timestamp): Outcome {
  const batch = rows.batches.find(command.batch)
  if (batch === null) return { is: 'refused', refusal: { code: 'no_such_batch' } }
  if (command.rest !== undefined) return goOn(rows, command, command.rest, at)
  const { back, left } = sort(rows, rows.batches.listMembers(command.batch))
  const ids = back.map(({ id }) => id)
  const rename = toRenameBack(rows, batch.rename, ids)
  const hasNothingToDo = back.length === 0 && rename === null
  if (hasNothingToDo || command.isRehearsal === true) return { is: 'undone', batch: null, ids, left, rest: [] }
  // A renamed category and its records belong into one transaction.
  const now = rename === null ? back.slice(0, maxUndoneAtOnce) : back
  const into = addBatch(rows, command, rename, now.length, at)
  if (rename !== null) rows.categories.update(rename.categoryId, { title: rename.to }, toDeed(command, at))
  putBack(rows, now, command, into, at)
  return { is: 'undone', batch: into, ids: ids.slice(0, now.length), left, rest: ids.slice(now.length) }
}

/** Others have written meanwhile, so each record is judged again. */
function goOn(rows: Rows, command: UndoCommand, { into, ids }: UndoRest, at: Timestamp): Outcome {
  const { back, left } = sort(rows, rows.batches.listSome(command.batch, ids))
  putBack(rows, back, command, into, at)
  rows.batches.addRecords(into, back.length)
  return { is: 'undone', batch: into, ids: back.map(({ id }) => id), left, rest: [] }
}

const toDeed = ({ author, reason }: UndoCommand, at: Timestamp) => ({ at, author: author.name, reason: reason ?? null })

type UndoRest = NonNullable<UndoCommand['rest']>

function addBatch(
  rows: Rows,
  { batch, author, reason }: UndoCommand,
  rename: CategoryRename | null,
  records: number,
  at: Timestamp,
): number {
  return rows.batches.add({
    kind: 'undo',
    at,
    author: author.name,
    reason: reason ?? null,
    records,
    undoes: batch,
    rename,
  })
}

function putBack(rows: Rows, back: readonly BatchMember[], command: UndoCommand, into: number, at: Timestamp): void {
  for (const member of back) {
    const outcome = change(rows, toPutBack(rows, member, command), at, into)
    if (outcome.is !== 'stored') throw new Error(`record ${member.id} could not be put back: ${outcome.is}`)
  }
}

/** Which members can be put back, and why the others are left as they are. */
function sort(rows: Rows, members: readonly BatchMember[]) {
  const back: BatchMember[] = []
  const left: LeftRecord[] = []
  for (const member of members) {
    const { id, current } = member
    if (!isAsLeft(rows, member)) left.push({ id, version: current, why: 'changed since' })
    else if (member.first === 1 && rows.read(id)?.state === 2)
      left.push({ id, version: current, why: 'already a draft' })
    else back.push(member)
  }
  return { back, left }
}

/** Later versions do no harm if they come to nothing, such as a later batch that was undone. */
function isAsLeft(rows: Rows, { id, last, current }: BatchMember): boolean {
  if (current === last) return true
  const [then, now] = [rows.versions.find(id, last), rows.versions.find(id, current)]
  return then !== null && now !== null && toChangedFields(then, now).length === 0
}

function toPutBack(rows: Rows, { id, first }: BatchMember, { author, reason }: UndoCommand): ChangeCommand {
  const wish = { id, author, precondition: {}, ...(reason === undefined ? {} : { reason }) }
  if (first === 1) return { ...wish, kind: 'merge', changes: { state: 2 } }
  const earlier = rows.versions.find(id, first - 1)
  if (earlier === null) throw new Error(`version ${first - 1} of record ${id} is not there`)
  return { ...wish, kind: 'replace', changes: toChanges(earlier) }
}

/**
 * The category gets its old title back only where that leaves none of its records behind under the new one, and where
 * no other category has taken it. Else the records go to whatever category has the old title.
 */
function toRenameBack(rows: Rows, rename: CategoryRename | null, ids: readonly number[]): CategoryRename | null {
  if (rename === null || rows.categories.toTitle(rename.categoryId) !== rename.to) return null
  if (rows.categories.isTitleTaken(rename.from)) return null
  const back = new Set(ids)
  if (rows.categories.listRecords(rename.categoryId).some((id) => !back.has(id))) return null
  return { categoryId: rename.categoryId, from: rename.to, to: rename.from }
}
