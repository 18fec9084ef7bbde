import { isSameJson, type JsonValue } from '../../../record/json.ts'
import type { NameKind } from '../../../record/name.ts'
import type { BatchMember, CategoryRename } from '../batch/batch-rows.ts'
import type { NewTitles } from '../batch/plan.ts'
import { findRecordUndo } from '../batch/record-undo.ts'
import type { FieldAuthorship } from '../field-versions.ts'
import type { RecordRows } from '../record-rows.ts'
import {
  type FilledChanges,
  type FilledFields,
  type LeftPart,
  type NameChange,
  type NameRef,
  type RowChange,
  toNameDigest,
} from './name-change.ts'
import { exchange, type NameEntry, nameFields } from './name-entries.ts'

/** A record that would keep this name; null if there is none. */
export type FindLeftover = (kind: NameKind, row: NameEntry) => Promise<number | null>

/**
 * Begins the undo of a change of names; `finishNameUndo` ends it after the records (decision 52). Null if there is
 * nothing to undo, or if a later change of these names must not be overwritten. `isOneOfSeveral`: the next undo may need
 * the earlier rows, so they are restored before the records.
 */
export async function beginNameUndo(
  rows: RecordRows,
  names: NameChange,
  findLeftover: FindLeftover,
  isOneOfSeveral: boolean,
): Promise<NameChange | null> {
  const back = await begin(rows, names, findLeftover)
  if (back !== null && isOneOfSeveral && !keepsBothNames(back)) await moveRows(rows, back, true)
  return back
}

async function begin(rows: RecordRows, names: NameChange, findLeftover: FindLeftover): Promise<NameChange | null> {
  if (!(await isAsBatchLeftIt(rows, names))) return null
  if (names.exchanged === null && (await isAsBeforeBatch(rows, names))) return null
  const back = await withFreeTitle(rows, toReverse(names))
  if (names.kind === 'category' || names.exchanged === null) return { ...back, rows: await fromPresent(rows, back) }
  const entries = rows.names[names.kind]
  const [row, other] = [await entries.find(names.exchanged[0]), await entries.find(names.exchanged[1])]
  if (row === null || other === null) return null
  const isOldNameUsed = await entries.hasRecords(other.id)
  if (isOldNameUsed || (await findLeftover(names.kind, row)) !== null)
    return { ...keepBothNames(names.kind, row, other), filled: back.filled }
  exchange(entries, row, other)
  const toRow = (change: RowChange, { name }: NameEntry) => ({ ...change, name: toNameDigest(name) })
  const [first, second] = back.rows
  if (first === undefined || second === undefined) return null
  return { ...back, rows: [toRow(first, other), toRow(second, row)] }
}

const toReverse = (names: NameChange): NameChange => ({
  ...names,
  rows: names.rows.map(({ row, name, from, to }) => ({ row, name, from: to, to: from })),
  filled: names.filled === null ? null : toReverseFilled(names.filled),
})

const toReverseFilled = ({ slug, before, after, listed }: FilledFields): FilledFields => ({
  ...{ slug, before: after, after: before },
  ...(listed === undefined ? {} : { listed: listed === 1 ? 0 : 1 }),
})

/** A category does not get its title back while another one has it. */
async function withFreeTitle(rows: RecordRows, back: NameChange): Promise<NameChange> {
  const { filled } = back
  const title = filled?.after.title
  if (filled === null || title === undefined || !(await rows.categories.isTitleTaken(title))) return back
  const [{ title: _, ...before }, { title: __, ...after }] = [filled.before, filled.after]
  return { ...back, filled: { ...filled, before, after } }
}

/**
 * Some records have the old name again, others keep the new one, so each name stays in its row: records move to the row
 * of the old name, and the renamed row becomes an alias of it if it loses all its records.
 */
const keepBothNames = (kind: NameKind, row: NameEntry, other: NameEntry): NameChange => ({
  kind,
  exchanged: null,
  rows: [
    { row: other.id, name: toNameDigest(other.name), from: other.mergedInto, to: null },
    { row: row.id, name: toNameDigest(row.name), from: row.mergedInto, to: other.id, ifUnused: true },
  ],
  filled: null,
})

/** Both names stay: records have each of them. */
const keepsBothNames = ({ rows }: NameChange) => rows.some(({ ifUnused }) => ifUnused === true)

/** Whether each row has the name that the batch gave it, and is an alias of the same row as before or after the batch. */
async function isAsBatchLeftIt(rows: RecordRows, { kind, rows: changes }: NameChange): Promise<boolean> {
  for (const { row, name, from, to } of changes) {
    const found = await findRow(rows, kind, row)
    if (found === null || (name !== null && found.name !== name)) return false
    if (found.mergedInto !== from && found.mergedInto !== to) return false
  }
  return true
}

/** Whether rows and filled fields are as they were before the batch. */
async function isAsBeforeBatch(rows: RecordRows, { kind, rows: changes, filled }: NameChange): Promise<boolean> {
  for (const { row, from } of changes) if ((await findRow(rows, kind, row))?.mergedInto !== from) return false
  const found = filled === null ? null : await findFields(rows, kind, filled.slug)
  if (filled === null || found === null) return true
  if (filled.listed !== undefined && (await rows.categories.findListed(found.id)) === filled.listed) return false
  return Object.entries(filled.after).every(([name, value]) => !isSameJson(found.fields[name] ?? null, value ?? null))
}

/** Whether the change was undone, or reverted by another change. */
export async function isNameUndone(rows: RecordRows, names: NameChange): Promise<boolean> {
  const {
    kind,
    exchanged,
    rows: [, other],
  } = names
  if (exchanged === null) return isAsBeforeBatch(rows, names)
  return (await findRow(rows, kind, exchanged[0]))?.name === other?.name
}

interface FoundRow {
  readonly id: number
  /** A digest; null for categories. */
  readonly name: string | null
  readonly mergedInto: NameRef | null
}

async function findRow(rows: RecordRows, kind: NameChange['kind'], ref: NameRef): Promise<FoundRow | null> {
  if (kind === 'category') {
    const found = await rows.categories.find(String(ref))
    return found === null
      ? null
      : { id: found.id, name: null, mergedInto: await rows.categories.findMergedInto(found.id) }
  }
  const found = await rows.names[kind].find(Number(ref))
  return found === null ? null : { ...found, name: toNameDigest(found.name) }
}

/** A category or speaker whose fields have versions. */
interface FoundFields {
  readonly id: number
  readonly fields: Readonly<Record<string, JsonValue | undefined>>
  update(changes: FilledChanges, authorship: FieldAuthorship): Promise<unknown>
}

async function findFields(rows: RecordRows, kind: NameChange['kind'], ref: NameRef): Promise<FoundFields | null> {
  if (kind === 'category') {
    const found = await rows.categories.find(String(ref))
    return found && { ...found, update: (changes, by) => rows.categories.update(found.id, changes, by) }
  }
  const found = await rows.names[kind].find(Number(ref))
  if (found === null) return null
  const { fields } = await rows.profiles.find(found.id)
  return { id: found.id, fields, update: (changes, by) => rows.profiles.update(found.id, changes, by) }
}

/** The changes of an undo, and the later changes of others, which stay. */
interface FinishedUndo {
  /** Null if nothing was undone. */
  readonly done: NameChange | null
  readonly left: readonly LeftPart[]
}

/** Restores the aliases of rows and the fields of a category. */
export async function finishNameUndo(
  rows: RecordRows,
  names: NameChange,
  authorship: FieldAuthorship,
): Promise<FinishedUndo> {
  const { filled } = names
  const stale = filled === null ? [] : await restoreFilled(rows, names.kind, filled, authorship)
  if (await isAsBatchLeftIt(rows, names)) await moveRows(rows, names, false)
  const kept = await listKept(rows, names)
  const done = {
    ...names,
    rows: names.exchanged === null ? await toPresent(rows, names) : names.rows,
    filled: filled === null ? null : withoutFields(filled, stale),
  }
  const left = filled === null || stale.length === 0 ? kept : [...kept, toLeftFields(names.kind, filled.slug, stale)]
  const isDone = done.filled !== null || done.exchanged !== null || done.rows.some(({ from, to }) => from !== to)
  return { done: isDone ? done : null, left }
}

/** From where rows lead now: a later change may have moved some of them back already. */
async function fromPresent(rows: RecordRows, { kind, rows: changes }: NameChange): Promise<RowChange[]> {
  const present: RowChange[] = []
  for (const change of changes) {
    const found = await findRow(rows, kind, change.row)
    if (found !== null) present.push({ ...change, from: found.mergedInto })
  }
  return present
}

/** Where rows lead now: some stayed, because they have records again, or would have led in a circle. */
async function toPresent(rows: RecordRows, { kind, rows: changes }: NameChange): Promise<RowChange[]> {
  const present: RowChange[] = []
  for (const change of changes) {
    const to = (await findRow(rows, kind, change.row))?.mergedInto
    if (to === change.to || to === change.from) present.push({ ...change, to })
  }
  return present
}

const toLeftFields = (of: NameChange['kind'], slug: NameRef, fields: readonly string[]): LeftPart => ({
  ...{ kind: 'left', of, id: slug, fields, left: 'changed_since', by: null },
})

function withoutFields(filled: FilledFields, names: readonly string[]): FilledFields | null {
  const omit = (fields: FilledChanges): FilledChanges =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
  const rest = { ...filled, before: omit(filled.before), after: omit(filled.after) }
  return Object.keys(rest.after).length === 0 && rest.listed === undefined ? null : rest
}

/**
 * Names that the undo did not change: one without records is still an alias, or again; one with records stays an entry.
 */
async function listKept(rows: RecordRows, { kind, exchanged, rows: changes }: NameChange): Promise<LeftPart[]> {
  if (kind === 'category' || exchanged !== null) return []
  const entries = rows.names[kind]
  const kept: LeftPart[] = []
  for (const { row, from, to, ifUnused = false } of changes) {
    const [id, isUsed] = [Number(row), await entries.hasRecords(Number(row))]
    const said = { kind: 'left', of: kind, id, by: null } as const
    // Its old name is another entry, which it leads to unless records have the new name.
    if (ifUnused) kept.push({ ...said, fields: ['name'], left: isUsed ? 'in_use' : 'name_taken' })
    if (to !== null || from === null || isUsed) continue
    if (!(await entries.wouldLoop(id, Number(from)))) entries.set(id, Number(from))
    kept.push({ ...said, fields: ['merged_into'], left: 'changed_since' })
  }
  return kept
}

/** `isBeforeRecords`: called before the records are done, so a name without records stops being an alias too. */
async function moveRows(rows: RecordRows, names: NameChange, isBeforeRecords: boolean): Promise<void> {
  // Released rows first: the others must not lead in a circle meanwhile.
  const ordered = names.rows.toSorted((a, b) => Number(a.to !== null) - Number(b.to !== null))
  for (const change of ordered) await restore(rows, names, change, isBeforeRecords)
}

async function restore(
  rows: RecordRows,
  { kind, exchanged }: NameChange,
  change: RowChange,
  isBeforeRecords: boolean,
): Promise<void> {
  const { row, to, ifUnused = false } = change
  const found = await findRow(rows, kind, row)
  const target = to === null ? null : await findRow(rows, kind, to)
  if (found === null || found.mergedInto === to || (to !== null && target === null)) return
  const merges = kind === 'category' ? rows.categoryMerges : rows.names[kind]
  if (await merges.wouldLoop(found.id, target?.id ?? null)) return
  const isUsed =
    kind === 'category' ? await rows.categories.hasRecords(found.id) : await rows.names[kind].hasRecords(found.id)
  // A name that got no record back would lead nowhere.
  const isDue = to === null ? isUsed || isBeforeRecords || kind === 'category' : !(ifUnused && isUsed)
  if (exchanged !== null || isDue) merges.set(found.id, target?.id ?? null)
}

/** Returns the fields that people have changed since, which keep their values. Titles were restored before the records. */
async function restoreFilled(
  rows: RecordRows,
  kind: NameChange['kind'],
  { slug, before, after, listed }: FilledFields,
  authorship: FieldAuthorship,
): Promise<readonly string[]> {
  const found = await findFields(rows, kind, slug)
  if (found === null) return Object.keys(after)
  const given: Readonly<Record<string, JsonValue | undefined>> = before
  const { id, fields } = found
  const isAsGiven = (name: string) => isSameJson(fields[name] ?? null, given[name] ?? null)
  const { title, ...others } = after
  const changes = Object.entries(others).filter(([name]) => isAsGiven(name))
  await found.update(Object.fromEntries(changes), authorship)
  const isToggled = listed !== undefined && (await rows.categories.findListed(id)) === 1 - listed
  if (isToggled) rows.categories.setListed(id, listed)
  const stale = Object.keys(others).filter((name) => !isAsGiven(name))
  return title === undefined || title === fields.title ? stale : ['title', ...stale]
}

/** Restores the earlier titles of categories where possible. */
export async function restoreTitles(
  rows: RecordRows,
  changes: readonly NameChange[],
  titles: NewTitles,
  authorship: FieldAuthorship,
): Promise<void> {
  for (const { filled } of changes) {
    const [from, to] = [filled?.before.title, filled?.after.title]
    const category = filled === null ? null : await rows.categories.find(String(filled.slug))
    if (category === null || from === undefined || to === undefined) continue
    await restoreTitle(rows, { categoryId: category.id, from, to }, titles, authorship)
  }
}

/**
 * Restores the earlier title of a category, if nobody has changed it since, no other category has it, and all its
 * records will get it. Otherwise those records move to a category with that title. Returns whether it was restored.
 */
export async function restoreTitle(
  rows: RecordRows,
  { categoryId, from, to }: CategoryRename,
  titles: NewTitles,
  authorship: FieldAuthorship,
): Promise<boolean> {
  const isFree = (await rows.categories.findTitle(categoryId)) === from && !(await rows.categories.isTitleTaken(to))
  if (!isFree) return false
  const ids = await rows.categories.listRecords(categoryId)
  if (ids.some((id) => titles.get(id) !== to)) return false
  await rows.categories.update(categoryId, { title: to }, authorship)
  return true
}

/** Members of a batch read at a time. */
const chunk = 1_000
/** More records that were changed since are not compared field by field: they count as left over. */
const maxCompared = 500

/** Finds a record that would keep a name if the batch that gave it were undone. */
export function findLeftover(rows: RecordRows, batch: number): FindLeftover {
  return async (kind, row) => {
    const members = await readMembers(rows, batch)
    const ids = await rows.names[kind].listRecords(row.id)
    // Records that nobody changed after the batch get the old name again.
    const uncertain = ids.filter((id) => members.get(id)?.current !== members.get(id)?.last || !members.has(id))
    // Records that a stopped rename has not reached have the old name.
    const named = await rows.names[kind].filterRecords(uncertain, row.name)
    for (const [i, id] of named.entries()) {
      const member = members.get(id)
      if (member === undefined || i >= maxCompared) return id
      const { changes } = await findRecordUndo(rows, batch, member)
      if (!(nameFields[kind] in changes)) return id
    }
    return null
  }
}

async function readMembers(rows: RecordRows, batch: number): Promise<ReadonlyMap<number, BatchMember>> {
  const members = new Map<number, BatchMember>()
  let after = 0
  for (;;) {
    const some = await rows.batches.listMembers(batch, after, chunk)
    for (const member of some) members.set(member.id, member)
    const last = some.at(-1)
    if (last === undefined) return members
    after = last.id
  }
}
