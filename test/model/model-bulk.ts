import type { BulkRequest, FieldEdit, Selection } from '../../src/record/bulk.ts'
import type { BulkCommand } from '../../src/record/command.ts'
import { writableNames } from '../../src/record/fields.ts'
import { hasRole } from '../../src/record/role.ts'
import type { UnchangedFields } from '../../src/store/batch-reads.ts'
import type { Outcome } from '../../src/store/store.ts'
import { runBatch } from './model-batch.ts'
import { type Fields, isSame, judge, type ModelVersion, toFields } from './model-change.ts'
import { type Batch, refuse, type State } from './model-state.ts'

/** What a bulk change makes of one record: new values, fields left alone, or why it refuses. */
interface Wanted {
  readonly fields: Partial<Fields>
  readonly left: readonly UnchangedFields[]
}

/** All records that are selected, or none of them. */
export function bulk(state: State, command: BulkCommand, at: string): Outcome {
  const { request, author, isDryRun = false } = command
  const ids = select(state, request.select)
  if (request.expect !== null && request.expect !== ids.length) return refuse('unexpected_count')
  const wanted = ids.map((id) => ({ id, ...want(state.records[id - 1] ?? [], request) }))
  const judged = wanted.map((each) => ({ ...each, problem: findProblem(state, command, each) }))
  const refused = judged.flatMap(({ id, problem }) => (problem === null ? [] : [{ id, problem }]))
  if (refused.length > 0 && !request.isPartial && !isDryRun) {
    const isRole = !hasRole(author.role, 'publisher') && refused.some(({ problem }) => problem === 'publisher_required')
    return refuse(isRole ? 'publisher_required' : 'records_refused')
  }
  const accepted = judged.filter(({ problem }) => problem === null)
  const kind: Batch['kind'] = request.work.is === 'restore' ? 'restore' : 'bulk'
  return runBatch(state, command, at, {
    ...{ kind, undoes: null, rename: null, merge: null, refused, total: ids.length },
    puts: accepted,
    left: accepted.flatMap(({ left }) => left),
  })
}

function select(state: State, selection: Selection): number[] {
  switch (selection.is) {
    case 'ids':
      return [...selection.ids]
    case 'by':
      return listIds(state, (versions) => versions.some((version) => isTheirs(version, selection)))
    case 'moved':
      throw new Error('the model has no addresses')
    case 'query':
      return listIds(state, (versions) => {
        const { record } = versions.at(-1) ?? { record: null }
        const { state: wanted = record?.state, category = record?.category } = selection.filters
        return record?.state === wanted && record?.category === category
      })
  }
}

const listIds = ({ records }: State, test: (versions: readonly ModelVersion[]) => boolean) =>
  records.flatMap((versions, i) => (test(versions) ? [i + 1] : []))

type By = Extract<Selection, { is: 'by' }>

const isTheirs = ({ by, at }: ModelVersion, { author, since, until }: By) =>
  by === author && at >= since && (until === null || at <= until)

function want(versions: readonly ModelVersion[], { work, select: selection }: BulkRequest): Wanted {
  const record = versions.at(-1)?.record
  if (record === undefined) return { fields: {}, left: [] }
  if (work.is === 'restore' && selection.is === 'by') return wantBack(versions, selection)
  if (work.is !== 'patch') throw new Error('a restore of nobody')
  const { changes, edits } = work.patch
  // Only fields have edits.
  const changed = Object.entries(edits).map(([name, edit]) => [name, toEdited(record[name as keyof Fields], edit)])
  return { fields: { ...changes, ...Object.fromEntries(changed) }, left: [] }
}

/** Texts by their characters, one by one. */
export function toEdited(value: unknown, edit: FieldEdit): unknown {
  if (edit.is === 'names' && Array.isArray(value))
    return [...new Set([...value.filter((each) => !edit.remove.includes(each)), ...edit.add])]
  if (edit.is === 'multiply' && typeof value === 'number') return Math.round(value * edit.by)
  if (edit.is === 'divide' && typeof value === 'number') return Math.round(value / edit.by)
  if (typeof value !== 'string' || value === '') return value
  if (edit.is === 'find') return replaceAll(value, edit.find, edit.replace)
  if (edit.is === 'end')
    return reverse(toEdited(reverse(value), { is: 'start', cut: reverse(edit.cut), add: reverse(edit.add) }))
  if (edit.is !== 'start') return value
  const first = value.slice(0, edit.cut.length)
  if (first !== edit.cut || (edit.cut === '' && value.slice(0, edit.add.length) === edit.add)) return value
  return edit.add + value.slice(first.length)
}

const reverse = (text: unknown) =>
  Array.from({ length: String(text).length }, (_, i) => String(text).at(-1 - i)).join('')

function replaceAll(text: string, find: string, replace: string): string {
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const isFound = text.startsWith(find, at)
    pieces.push(isFound ? replace : text.charAt(at))
    at += isFound ? find.length : 1
  }
  return pieces.join('')
}

/** Each field to its value before their first change, unless others have changed it since. */
function wantBack(versions: readonly ModelVersion[], by: By): Wanted {
  const current = versions.at(-1)?.record
  if (current === undefined) throw new Error('a record without versions')
  const { id } = current
  const toLeft = (fields: readonly string[], why: UnchangedFields['why']) =>
    fields.length > 0 ? [{ id, fields, why }] : []
  const findFirst = (name: keyof Fields) =>
    versions.findIndex((version) => isTheirs(version, by) && version.changed.includes(name))
  const isFollowed = (name: keyof Fields) =>
    versions.some((version, i) => i > findFirst(name) && version.by !== by.author && version.changed.includes(name))
  if (versions[0] !== undefined && isTheirs(versions[0], by)) {
    if (current.state === 2) return { fields: {}, left: toLeft(['state'], 'already_draft') }
    if (isFollowed('state')) return { fields: {}, left: toLeft(['state'], 'changed_since') }
    return { fields: { state: 2 }, left: [] }
  }
  const theirs = writableNames.filter((name) => findFirst(name) > 0)
  const toBefore = (name: keyof Fields) => versions[findFirst(name) - 1]?.record[name]
  const already = theirs.filter((name) => isSame(current[name], toBefore(name)))
  const since = theirs.filter((name) => !already.includes(name) && isFollowed(name))
  const back = theirs.filter((name) => !already.includes(name) && !since.includes(name))
  const fields: Partial<Fields> = Object.fromEntries(back.map((name) => [name, toBefore(name)]))
  return {
    fields: withPlayer(fields, toFields(current)),
    left: [...toLeft(already, 'already_restored'), ...toLeft(since, 'changed_since')],
  }
}

/** An address that goes back does not bring another player. */
export function withPlayer(fields: Partial<Fields>, { embed }: Fields): Partial<Fields> {
  return 'source_url' in fields && !('embed' in fields) ? { ...fields, embed } : fields
}

function findProblem(state: State, { author }: BulkCommand, { id, fields }: { id: number } & Wanted): string | null {
  const command = { kind: 'merge', id, precondition: {}, changes: fields, author } as const
  const judged = judge(state.records[id - 1] ?? [], command)
  return typeof judged === 'string' ? judged : null
}
