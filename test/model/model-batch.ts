import type {
  BulkCommand,
  CategoryCommand,
  MergeNamesCommand,
  RefusalCode,
  UndoCommand,
} from '../../src/record/command.ts'
import { writableNames } from '../../src/record/fields.ts'
import { hasRole } from '../../src/record/role.ts'
import type { BatchReport, RefusedRecord, UnchangedFields } from '../../src/store/batch-reads.ts'
import type { Outcome } from '../../src/store/store.ts'
import { withPlayer } from './model-bulk.ts'
import { type Fields, isSame, type ModelVersion } from './model-change.ts'
import { applyMerge, finishMergeBack, judgeMerge, listMerged, toMergeBack } from './model-names.ts'
import { type Batch, change, refuse, type State } from './model-state.ts'

/** A category's new title, which all its records get as one batch. */
export function rename(state: State, command: CategoryCommand, at: string): Outcome {
  const place = state.categories.findIndex((category) => category.slug === command.slug)
  const from = state.categories[place]?.title
  if (from === undefined) return refuse('no_such_category')
  const { title: to = from } = command.changes
  if (to === from) return { is: 'batch', batch: null, ids: [] }
  if (state.categories.some((category) => category.title === to)) return refuse('title_taken')
  const moved = listCurrent(state).filter(({ record }) => record.category === from)
  const puts = moved.map(({ record }) => ({ id: record.id, fields: { category: to } }))
  const plan = { kind: 'rename category', undoes: null, rename: { place, from, to }, merge: null } as const
  const outcome = runBatch(state, command, at, { ...plan, puts, left: [], total: puts.length })
  if (outcome.batch !== null && outcome.batch.refused_count > 0) throw new Error('a rename cannot be refused in part')
  return command.isDryRun ? { is: 'batch', batch: null, ids: [] } : outcome
}

/** A name becomes an alias of another, which all its records get instead. */
export function mergeNames(state: State, command: MergeNamesCommand, at: string): Outcome {
  const records = listRecords(state)
  const merge = judgeMerge(state.names, records, command)
  // Its own codes only.
  if (typeof merge === 'string') return refuse(merge as RefusalCode)
  const puts = listMerged(state.names, records, merge)
  applyMerge(state.names, merge)
  const plan = { kind: `merge ${command.of}`, undoes: null, rename: null, merge } as const
  const outcome = runBatch(state, command, at, { ...plan, puts, left: [], total: puts.length })
  if (outcome.batch !== null && outcome.batch.refused_count > 0) throw new Error('a merge cannot be refused in part')
  return outcome
}

/** Each field that still has the value which the batch gave it goes back to the one before, and the category to its title. */
export function undo(state: State, command: UndoCommand, at: string): Outcome {
  const batch = state.batches[command.batch - 1]
  if (batch === undefined) return refuse('no_such_batch')
  const { name, role } = command.author
  if (role !== 'admin' && !(name === batch.by && hasRole(role, 'editor'))) return refuse('not_your_batch')
  const members = state.records.filter((versions) => versions.some((version) => version.batch === command.batch))
  const plans = members.map((versions) => toPlan(versions, command.batch))
  const puts = plans.filter(({ fields }) => Object.keys(fields).length > 0)
  const left = plans.flatMap((plan) => plan.left)
  const refused = puts.filter(({ id }) => isRefused(state, command, id))
  const back = puts.filter((put) => !refused.includes(put)).map(({ id }) => id)
  const renameBack = toRenameBack(state, batch.rename, back)
  const merge = command.isDryRun ? null : toMergeBack(state.names, batch.merge, command)
  const plan = { kind: 'undo', undoes: command.batch, rename: renameBack, merge } as const
  const outcome = runBatch(state, command, at, { ...plan, puts, left, total: plans.length })
  if (merge === null) return outcome
  const before = structuredClone(state.names)
  const moved = finishMergeBack(state.names, listRecords(state), merge)
  const last = state.batches.length - 1
  state.batches[last] = { ...(state.batches[last] as Batch), merge: moved }
  if (outcome.ids.length > 0 || renameBack !== null || !isSame(before, state.names)) return outcome
  // The names stay as they are, and nothing else has changed: there is no batch.
  state.batches.pop()
  return { ...outcome, batch: outcome.batch && { ...outcome.batch, id: null } }
}

function isRefused(state: State, { author }: UndoCommand, id: number): boolean {
  return state.records[id - 1]?.at(-1)?.record.state === 1 && !hasRole(author.role, 'publisher')
}

interface Put {
  readonly id: number
  readonly fields: Partial<Fields>
}

function toPlan(versions: readonly ModelVersion[], batch: number): Put & { readonly left: readonly UnchangedFields[] } {
  const place = versions.findIndex((version) => version.batch === batch)
  const [before, after, current] = [versions[place - 1]?.record, versions[place]?.record, versions.at(-1)?.record]
  if (before === undefined || after === undefined || current === undefined) throw new Error('a batch made a record')
  const { id } = current
  const given = writableNames.filter((name) => !isSame(before[name], after[name]))
  const kept = given.filter((name) => isSame(current[name], after[name]))
  const gone = given.filter((name) => !kept.includes(name))
  const already = gone.filter((name) => isSame(current[name], before[name]))
  const since = gone.filter((name) => !already.includes(name))
  const toLeft = (fields: readonly string[], why: UnchangedFields['why']) =>
    fields.length > 0 ? [{ id, fields, why }] : []
  const fields: Partial<Fields> = Object.fromEntries(kept.map((name) => [name, before[name]]))
  return {
    id,
    fields: withPlayer(fields, current),
    left: [...toLeft(already, 'already_restored'), ...toLeft(since, 'changed_since')],
  }
}

/** Not where that would leave records behind under the title that goes, and not where the old one is taken. */
function toRenameBack(state: State, done: Batch['rename'], ids: readonly number[]): Batch['rename'] {
  if (done === null || state.categories[done.place]?.title !== done.to) return null
  if (state.categories.some((category) => category.title === done.from)) return null
  const members = listCurrent(state).filter(({ record }) => record.category === done.to)
  if (members.some(({ record }) => !ids.includes(record.id))) return null
  return { place: done.place, from: done.to, to: done.from }
}

type Plan = Pick<Batch, 'kind' | 'undoes' | 'rename' | 'merge' | 'left'> & {
  readonly puts: readonly Put[]
  readonly total: number
  /** Records that have refused already. */
  readonly refused?: readonly RefusedRecord[]
}

export function runBatch(
  state: State,
  { author, reason, isDryRun = false }: CategoryCommand | MergeNamesCommand | BulkCommand | UndoCommand,
  at: string,
  { puts, left, total, refused: known = [], ...plan }: Plan,
): Extract<Outcome, { is: 'batch' }> {
  const number = state.batches.length + 1
  const category = state.categories[plan.rename?.place ?? -1]
  if (category !== undefined && plan.rename !== null) category.title = plan.rename.to
  const ids: number[] = []
  const refused: RefusedRecord[] = [...known]
  for (const { id, fields } of puts) {
    const wish = reason === undefined ? { author } : { author, reason }
    const put = change(state, { kind: 'merge', id, precondition: {}, changes: fields, ...wish }, at, number)
    if (put.is === 'stored') ids.push(id)
    else if (put.is === 'refused') refused.push({ id, problem: put.refusal.code })
  }
  const said = { ...plan, at, by: author.name, reason: reason ?? null, records: ids.length, total, left, refused }
  const isBatch = ids.length > 0 || plan.rename !== null || plan.merge !== null
  if (isBatch) state.batches.push(said)
  return {
    is: 'batch',
    batch: toReport(said, isBatch && !isDryRun ? number : null, null),
    ids: isDryRun ? [] : ids,
  }
}

export function toReport<Id extends number | null>(
  { at, by, reason, kind, records, undoes, left, refused, total }: Batch,
  id: Id,
  undone_by: number | null,
): BatchReport & { readonly id: Id } {
  return {
    id,
    at,
    by,
    reason,
    kind,
    state: 'done',
    total,
    done: total,
    changed: records,
    unchanged: total - records,
    refused,
    refused_count: refused.length,
    left,
    left_count: left.length,
    others: [],
    records,
    undoes,
    undone_by,
  }
}

const listCurrent = (state: State) => state.records.flatMap((versions) => versions.slice(-1))
const listRecords = (state: State) => listCurrent(state).map(({ record }) => record)
