import type { UndoCommand } from '../../../record/command.ts'
import { type Author, hasRole, mayUndo } from '../../../record/role.ts'
import type { Outcome } from '../../store.ts'
import { type BatchPart, isNameChange } from '../names/name-change.ts'
import { beginNameUndo, findLeftover, finishNameUndo, restoreTitle, restoreTitles } from '../names/name-undo.ts'
import type { RecordRows } from '../record-rows.ts'
import type { BatchMember, CategoryRename, FoundBatch } from './batch-rows.ts'
import { type Judge, judgeChanges, type Plan, refuseCommand, toRunning } from './plan.ts'
import { createMergesUndo } from './record-merge.ts'
import { findNewRowUndo, findRecordUndo, type RecordUndo } from './record-undo.ts'

/** Members of a batch read at a time. */
const chunk = 100

/** Reverts a batch field by field (decision 9). The undo is itself a batch, so that it can be undone too. */
export async function planUndo(
  rows: RecordRows,
  command: UndoCommand,
  own: number | null,
  isRepeat: boolean,
): Promise<Outcome | Plan> {
  const undone = await rows.batches.find(command.batch)
  if (undone === null) return refuseCommand({ code: 'no_such_batch' })
  if (!mayUndo(command.author, undone.author)) return refuseCommand({ code: 'not_your_batch' })
  const running = isRepeat ? null : await findRunning(rows, undone, own)
  if (running !== null) return refuseCommand(toRunning(running))
  const { id, rename, parts } = undone
  const isOfCategory = rename !== null || parts.some(isOfTitle)
  const merges = createMergesUndo(rows, parts)
  const plan = {
    is: 'plan',
    kind: 'undo',
    command,
    undoes: id,
    ids: await rows.batches.listMemberIds(id),
    judge: createUndoJudge(rows, command, undone, merges.isKept),
    isAllOrNothing: false,
    maySlice: !isOfCategory,
    isRepeat,
  } as const
  const isAboutRecords = rename === null && parts.every(({ kind }) => kind === 'patch')
  return isRepeat || command.isDryRun || isAboutRecords
    ? plan
    : { ...plan, ...createPartsUndo(rows, command, undone, merges) }
}

/** The batch itself, an undo of it, or a batch that changes the same names. */
async function findRunning(
  rows: RecordRows,
  { id, state, parts }: FoundBatch,
  own: number | null,
): Promise<number | null> {
  if (state === 'running') return id
  let running = await rows.batches.findRunningUndo(id, own)
  for (const names of parts.filter(isNameChange)) running ??= await rows.batches.findRunningNames(names)
  return running
}

type MergesUndo = ReturnType<typeof createMergesUndo>

function createUndoJudge(
  rows: RecordRows,
  { author }: UndoCommand,
  { id: batch, kind }: FoundBatch,
  isKept: MergesUndo['isKept'],
): Judge {
  let members: ReadonlyMap<number, BatchMember> = new Map()

  async function findMember(id: number): Promise<BatchMember> {
    if (!members.has(id)) {
      members = new Map((await rows.batches.listMembers(batch, id - 1, chunk)).map((member) => [member.id, member]))
    }
    return members.get(id) ?? fail(`record ${id} is not in batch ${batch}`)
  }

  return async (id, stored, at) => {
    if (stored === null) return { is: 'unchanged', notes: [{ id, kind: 'left', why: 'erased', fields: [] }] }
    const member = { ...(await findMember(id)), current: stored.version }
    const isNewOfTable = kind === 'table' && member.first === 1
    const undo = isNewOfTable ? await findNewRowUndo(rows, member) : await findRecordUndo(rows, batch, member)
    const { changes, companions, left } = keepState(undo, await isKept(id, undo.changes.state ?? stored.state))
    const notes = left.map(({ fields, why }) => ({ id, kind: 'left' as const, why, fields }))
    if (Object.keys(changes).length + companions.length === 0) return { is: 'unchanged', notes }
    const judged = judgeChanges(stored, { author, changes, companions, notes }, at)
    return judged.is === 'refused' ? { is: 'refused', notes: [...notes, ...judged.notes] } : judged
  }
}

/** Whether it concerns the titles of records, which change in one transaction; imports change other fields. */
const isOfTitle = (part: BatchPart) =>
  part.kind === 'category' && (part.rows.length > 0 || part.filled?.before.title !== undefined)

/** A record whose merge cannot be undone, or made again, keeps its state. */
function keepState(undo: RecordUndo, isKept: boolean): RecordUndo {
  if (!isKept || undo.changes.state === undefined) return undo
  const { state: _, ...changes } = undo.changes
  return { ...undo, changes, left: [...undo.left, { fields: ['state'], why: 'changed_since' }] }
}

/** Names and categories. */
function createPartsUndo(
  rows: RecordRows,
  { author }: UndoCommand,
  undone: FoundBatch,
  merges: MergesUndo,
): Required<Pick<Plan, 'begin' | 'beforeWriting' | 'finish'>> {
  let begun: readonly BatchPart[] = []
  let rename: CategoryRename | null = null
  return {
    async begin() {
      // A stopped undo has changed the names already.
      const stopped = (await rows.batches.findStoppedUndo(undone.id))?.parts ?? []
      begun = stopped.length > 0 ? stopped : await beginParts(rows, author, undone)
      return [...begun, ...(hasRole(author.role, 'publisher') ? await merges.begin() : [])]
    },
    async beforeWriting(titles, authorship) {
      await restoreTitles(rows, begun.filter(isNameChange), titles, authorship)
      if (undone.rename === null) return
      const { categoryId, from, to } = undone.rename
      const back = { categoryId, from: to, to: from }
      if (await restoreTitle(rows, back, titles, authorship)) rename = back
    },
    async finish(authorship, batch) {
      const parts: BatchPart[] = [...(await merges.finish(authorship.at, batch))]
      for (const names of begun.filter(isNameChange)) {
        const { done, left } = await finishNameUndo(rows, names, authorship)
        parts.push(...(done === null ? [] : [done]), ...left)
      }
      return { parts, rename }
    },
  }
}

/** Undoes the last change of the batch first. */
async function beginParts(rows: RecordRows, author: Author, undone: FoundBatch): Promise<BatchPart[]> {
  const parts: BatchPart[] = []
  // An author who may not change every record may not rename names in all of them.
  if (!hasRole(author.role, 'publisher')) return parts
  const changes = undone.parts.filter(isNameChange).reverse()
  for (const names of changes) {
    const findLeft = findLeftover(rows, undone.id)
    const back = await beginNameUndo(rows, names, findLeft, changes.length > 1)
    if (back !== null) parts.push(back)
  }
  return parts
}

function fail(text: string): never {
  throw new Error(text)
}
