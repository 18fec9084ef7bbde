import type { MergeNamesCommand, UndoCommand } from '../../src/record/command.ts'
import type { VideoRecord } from '../../src/record/record.ts'
import { hasRole } from '../../src/record/role.ts'

export type NameKind = 'speaker' | 'tag'
export const nameKinds = ['speaker', 'tag'] as const
const fieldOf = { speaker: 'speakers', tag: 'tags' } as const

/** A name that a record had once. Its place is its id; rows never go. */
export interface NameRow {
  readonly name: string
  /** The id of the name that it is an alias of. */
  mergedInto: number | null
}
export type Names = { readonly [K in NameKind]: NameRow[] }

/** Which rows became aliases of which others, in a merge or in its undo. */
export interface Merge {
  readonly of: NameKind
  readonly rows: readonly { readonly id: number; readonly from: number | null; readonly to: number | null }[]
}

export function addNames(names: Names, record: VideoRecord): void {
  for (const kind of nameKinds) {
    for (const name of record[fieldOf[kind]]) {
      if (names[kind].every((row) => row.name !== name)) names[kind].push({ name, mergedInto: null })
    }
  }
}

/** The merge that a command asks for, or why there is none. */
export function judgeMerge(names: Names, records: readonly VideoRecord[], command: MergeNamesCommand): Merge | string {
  const { of, nameId, into } = command
  const rows = names[of]
  const [row, target] = [rows[nameId - 1], rows[into - 1]]
  const current = findCurrent(rows, records, of, nameId)
  if (row === undefined || current === null) return 'no_such_name'
  if (current !== nameId) return 'merged'
  const currentTarget = findCurrent(rows, records, of, into)
  if (target === undefined || currentTarget === null) return 'bad_fields'
  if (currentTarget === nameId) return 'same_entry'
  if (currentTarget !== into) return 'merged'
  const changes = [
    { id: nameId, from: row.mergedInto, to: into },
    { id: into, from: target.mergedInto, to: null },
  ]
  return { of, rows: changes }
}

/** A name with records is an entry of its own; one without leads to the end of its chain. */
function findCurrent(rows: readonly NameRow[], records: readonly VideoRecord[], of: NameKind, id: number) {
  if (isUsed(rows, records, of, id)) return id
  const end = findEnd(rows, id)
  return isUsed(rows, records, of, end) ? end : null
}

function findEnd(rows: readonly NameRow[], id: number): number {
  const next = rows[id - 1]?.mergedInto ?? null
  return next === null ? id : findEnd(rows, next)
}

function isUsed(rows: readonly NameRow[], records: readonly VideoRecord[], of: NameKind, id: number): boolean {
  const name = rows[id - 1]?.name
  return name !== undefined && records.some((record) => record[fieldOf[of]].includes(name))
}

/** What a merge makes of each record that has the name; the first position counts. */
export function listMerged(names: Names, records: readonly VideoRecord[], { of, rows }: Merge) {
  const field = fieldOf[of]
  const [from, to] = [names[of][(rows[0]?.id ?? 0) - 1]?.name, names[of][(rows[1]?.id ?? 0) - 1]?.name]
  if (from === undefined || to === undefined) throw new Error('a merge has no names')
  const having = records.filter((record) => record[field].includes(from))
  return having.map((record) => {
    const list = record[field].map((name) => (name === from ? to : name))
    return { id: record.id, fields: { [field]: [...new Set(list)] } }
  })
}

export function applyMerge(names: Names, { of, rows }: Merge): void {
  for (const { id, to } of rows.toReversed()) set(names[of], id, to)
}

function set(rows: readonly NameRow[], id: number, to: number | null): void {
  const row = rows[id - 1]
  if (row !== undefined) row.mergedInto = to
}

/** The way back, unless the aliases are others by now, or the caller may not change every record. */
export function toMergeBack(names: Names, merge: Merge | null, { author }: UndoCommand): Merge | null {
  if (merge === null || !hasRole(author.role, 'publisher') || !isAsLeft(names, merge)) return null
  if (merge.rows.every(({ id, from }) => (names[merge.of][id - 1]?.mergedInto ?? null) === from)) return null
  const toPresent = (id: number) => names[merge.of][id - 1]?.mergedInto ?? null
  return { of: merge.of, rows: merge.rows.map(({ id, from }) => ({ id, from: toPresent(id), to: from })) }
}

const isAsLeft = (names: Names, { of, rows }: Merge) =>
  rows.every(({ id, from, to }) => [from, to].includes(names[of][id - 1]?.mergedInto ?? null))

/** Once the records are done: a name that got none back stays an alias. Returns where each name was and is. */
export function finishMergeBack(names: Names, records: readonly VideoRecord[], merge: Merge): Merge {
  const { of } = merge
  if (isAsLeft(names, merge)) moveBack(names, records, merge)
  const ended = merge.rows.map((row) => ({ ...row, to: names[of][row.id - 1]?.mergedInto ?? null, wanted: row.to }))
  const told = ended.filter(({ from, to, wanted }) => to === from || to === wanted)
  return { of, rows: told.map(({ id, from, to }) => ({ id, from, to })) }
}

function moveBack(names: Names, records: readonly VideoRecord[], merge: Merge): void {
  const { of } = merge
  for (const { id, to } of merge.rows.toSorted((a, b) => Number(a.to !== null) - Number(b.to !== null))) {
    const isLoop = to !== null && findEnd(names[of], to) === findEnd(names[of], id) && isOnWay(names[of], to, id)
    if (!isLoop && (to !== null || isUsed(names[of], records, of, id))) set(names[of], id, to)
  }
}

function isOnWay(rows: readonly NameRow[], from: number, id: number): boolean {
  if (from === id) return true
  const next = rows[from - 1]?.mergedInto ?? null
  return next !== null && isOnWay(rows, next, id)
}
