import type { CategoryCommand, UndoCommand } from '../../src/record/command.ts'
import type { LeftRecord, Outcome } from '../../src/store/store.ts'
import { type Fields, isSame, toFields } from './model-change.ts'
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
  const puts = moved.map(({ record }) => ({ id: record.id, fields: { ...toFields(record), category: to } }))
  const batch = runBatch(state, command, at, puts, {
    kind: 'rename category',
    undoes: null,
    rename: { place, from, to },
  })
  return { is: 'batch', batch, ids: puts.map(({ id }) => id) }
}

/** What is still as the batch left it goes back to what it was, and the category to its title. */
export function undo(state: State, command: UndoCommand, at: string): Outcome {
  const batch = state.batches[command.batch - 1]
  if (batch === undefined) return refuse('no_such_batch')
  const puts: Put[] = []
  const left: LeftRecord[] = []
  for (const versions of state.records) {
    const place = versions.findIndex((version) => version.batch === command.batch)
    const [before, after] = [versions[place - 1], versions[place]]
    const current = versions.at(-1)
    if (before === undefined || after === undefined || current === undefined) continue
    const { id } = current.record
    const isAsLeft = isSame(toFields(after.record), toFields(current.record))
    if (isAsLeft) puts.push({ id, fields: toFields(before.record) })
    else left.push({ id, version: current.version, why: 'changed since' })
  }
  const ids = puts.map(({ id }) => id)
  const renameBack = toRenameBack(state, batch.rename, ids)
  if (puts.length === 0 && renameBack === null) return { is: 'undone', batch: null, ids, left, rest: [] }
  const wanted = { kind: 'undo', undoes: command.batch, rename: renameBack } as const
  return { is: 'undone', batch: runBatch(state, command, at, puts, wanted), ids, left, rest: [] }
}

/** Not where that would leave records behind under the title that goes, and not where the old one is taken. */
function toRenameBack(state: State, done: Batch['rename'], ids: readonly number[]): Batch['rename'] {
  if (done === null || state.categories[done.place]?.title !== done.to) return null
  if (state.categories.some((category) => category.title === done.from)) return null
  const members = listCurrent(state).filter(({ record }) => record.category === done.to)
  if (members.some(({ record }) => !ids.includes(record.id))) return null
  return { place: done.place, from: done.to, to: done.from }
}

interface Put {
  readonly id: number
  readonly fields: Fields
}

/** Throws where one of the records may not be put so: then there is no batch at all. */
function runBatch(
  state: State,
  { author, reason }: CategoryCommand | UndoCommand,
  at: string,
  puts: readonly Put[],
  batch: Pick<Batch, 'kind' | 'undoes' | 'rename'>,
): number {
  const number = state.batches.push({ ...batch, at, by: author.name, reason: reason ?? null, records: puts.length })
  const category = state.categories[batch.rename?.place ?? -1]
  if (category !== undefined && batch.rename !== null) category.title = batch.rename.to
  const wish = reason === undefined ? { author } : { author, reason }
  for (const { id, fields } of puts) {
    const put = change(state, { kind: 'replace', id, precondition: {}, changes: fields, ...wish }, at, number)
    if (put.is !== 'stored') throw new Error(`record ${id}: ${put.is}`)
  }
  return number
}

const listCurrent = (state: State) => state.records.flatMap((versions) => versions.slice(-1))
