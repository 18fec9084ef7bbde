import type { MergeRecordsCommand, Refusal } from '../../../record/command.ts'
import { isStale } from '../../../record/decide.ts'
import { type Changes, fromBody } from '../../../record/record.ts'
import { draft, live } from '../../../record/state.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { Outcome, StoredRecord } from '../../store.ts'
import type { BatchPart, LeftPart, MergedPart } from '../names/name-change.ts'
import type { RecordRows } from '../record-rows.ts'
import { judgeChanges, type Plan, refuseCommand, refuseRecord } from './plan.ts'

/** Makes a record a draft whose page leads to another one, which takes over the chosen fields (decision 86). */
export async function planRecordMerge(rows: RecordRows, command: MergeRecordsCommand): Promise<Outcome | Plan> {
  const { id, into, take, author } = command
  const stored = await rows.read(id)
  if (stored === null) return refuseCommand({ code: (await rows.isErased(id)) ? 'gone' : 'not_found' })
  const refusal = (await findSourceProblem(rows, command, stored)) ?? (await findTargetProblem(rows, command))
  if (refusal !== null) return refuseCommand(refusal)
  const record = fromBody(stored.body)
  const taken: Changes = Object.fromEntries(take.map((name) => [name, record[name]]))
  const part: MergedPart = { kind: 'merged', record: id, from: await rows.merged.find(id), to: into }
  return {
    ...{ is: 'plan', kind: 'merge video', command, undoes: null, isAllOrNothing: true, maySlice: false },
    ids: [id, into].toSorted((one, other) => one - other),
    judge: async (each, current, at) =>
      current === null
        ? refuseRecord(each, 'not_found')
        : judgeChanges(current, { author, changes: each === id ? { state: draft } : taken }, at),
    begin: async () => [part],
    async finish({ at }, batch) {
      rows.merged.set(id, into, batch, at)
      return { parts: [part] }
    },
  }
}

async function findSourceProblem(
  rows: RecordRows,
  { id, into, precondition = {} }: MergeRecordsCommand,
  stored: StoredRecord,
): Promise<Refusal | null> {
  if (isStale(precondition, stored)) return { code: 'stale' }
  if (id === into)
    return { code: 'same_entry', detail: `Both are the record ${id}. Name another one in "into".`, more: { id } }
  if ((await rows.merged.findOfDraft(id)) === null) return null
  const end = await rows.merged.findEnd(id)
  const detail = `The record ${id} was merged into ${end} already. Undo that first, or publish it again.`
  return { code: 'merged', detail, more: { id: end } }
}

async function findTargetProblem(
  rows: RecordRows,
  { into, take, intoBase }: MergeRecordsCommand,
): Promise<Refusal | null> {
  const target = await rows.read(into)
  if (target === null) return { code: 'not_found', detail: `There is no record ${into} to merge into.` }
  if (target.state !== live) {
    const end = await rows.merged.findEnd(into)
    return end === into
      ? { code: 'draft_target', detail: `The record ${into} is a draft. Publish it first, or merge it into this one.` }
      : { code: 'merged', detail: `The record ${into} was merged into ${end}. Use that one.`, more: { id: end } }
  }
  if (intoBase === undefined) return null
  const changed = await rows.versions.listChangedSince(into, intoBase)
  const both = changed?.filter((name) => take.some((each) => each === name)) ?? take
  if (changed !== null && both.length === 0) return null
  return { code: 'stale', detail: `Others have changed ${both.join(', ')} of the record ${into} since.` }
}

/** Gives back where the pages of records led before a batch. `begin` runs before the records are judged. */
export function createMergesUndo(rows: RecordRows, parts: readonly BatchPart[]) {
  const merged = parts.filter((part): part is MergedPart => part.kind === 'merged')
  const done: MergedPart[] = []
  const left: LeftPart[] = []

  const isLeft = (id: number) => left.some((part) => part.id === id)

  /** Leaves a page that would lead a draft to no live record: the talk would be on no page at all. */
  async function leaveDeadEnd({ record, to }: MergedPart, state: number): Promise<void> {
    if (isLeft(record) || to === null || state === live) return
    if ((await rows.read(to))?.state !== live) left.push(toLeft(record))
  }

  return {
    /** Whether the record keeps its state, because its page leads elsewhere now, or would lead nowhere. */
    async isKept(id: number, state: number): Promise<boolean> {
      for (const part of done) if (part.record === id) await leaveDeadEnd(part, state)
      return isLeft(id)
    },
    async begin(): Promise<readonly BatchPart[]> {
      for (const { record, from, to } of merged) {
        const now = await rows.merged.find(record)
        if (now === from) continue
        if (now === to) done.push({ kind: 'merged', record, from: now, to: from })
        else left.push(toLeft(record))
      }
      return done
    },
    async finish(at: Timestamp, batch: number): Promise<readonly BatchPart[]> {
      for (const part of done) await leaveDeadEnd(part, (await rows.read(part.record))?.state ?? draft)
      const ended = done.filter(({ record }) => !isLeft(record))
      for (const { record, to } of ended) {
        if (to === null) rows.merged.remove(record)
        else rows.merged.set(record, to, batch, at)
      }
      return [...ended, ...left]
    },
  }
}

const toLeft = (record: number): LeftPart => ({
  ...{ kind: 'left', of: 'video', id: record, fields: ['merged_into'], left: 'changed_since', by: null },
})
