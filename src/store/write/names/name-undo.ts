import { hasRole, type UndoCommand } from '../../../record/command.ts'
import type { FoundBatch } from '../batch/batch-rows.ts'
import type { CategoryAuthorship } from '../category-rows.ts'
import type { RecordRows } from '../record-rows.ts'
import { findLeftover } from './leftover-names.ts'
import { type FilledFields, type NameChange, type NameRef, type RowChange, toNameDigest } from './name-change.ts'
import type { NameEntry, NameKind } from './name-entries.ts'
import { exchange } from './rename-name.ts'

/**
 * Starts to undo what a batch did to names; `finishNameUndo` ends it once the records are done (ADR 52). Null if there is
 * nothing to undo, or if a later change of these names must not be overwritten.
 */
export async function beginNameUndo(
  rows: RecordRows,
  { author }: UndoCommand,
  undone: FoundBatch,
): Promise<NameChange | null> {
  const { names } = undone
  // Whoever may not change every record may not rename them all either.
  if (names === null || !hasRole(author.role, 'publisher') || !(await isAsLeft(rows, names))) return null
  if (names.exchanged === null && (await isAsBefore(rows, names))) return null
  const back = toReverse(names)
  if (names.kind === 'category' || names.exchanged === null) return back
  const entries = rows.names[names.kind]
  const [row, other] = [await entries.find(names.exchanged[0]), await entries.find(names.exchanged[1])]
  if (row === null || other === null) return null
  const isOldNameUsed = await entries.hasRecords(other.id)
  if (isOldNameUsed || (await findLeftover(rows, names.kind, row, undone.id)) !== null)
    return toApart(names.kind, row, other)
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

const toReverseFilled = ({ slug, before, after }: FilledFields) => ({ slug, before: after, after: before })

/**
 * Records have the old name again, or keep the new one, so that each name stays in its row: records go back to the row of
 * the old name, and the renamed row leads to it if it loses all its records.
 */
const toApart = (kind: NameKind, row: NameEntry, other: NameEntry): NameChange => ({
  kind,
  exchanged: null,
  rows: [
    { row: other.id, name: toNameDigest(other.name), from: other.mergedInto, to: null },
    { row: row.id, name: toNameDigest(row.name), from: row.mergedInto, to: other.id, ifUnused: true },
  ],
  filled: null,
})

/** Whether each row has the name that the batch gave it, and is an alias as before or after the batch. */
async function isAsLeft(rows: RecordRows, { kind, rows: changes }: NameChange): Promise<boolean> {
  for (const { row, name, from, to } of changes) {
    const found = await findRow(rows, kind, row)
    if (found === null || (name !== null && found.name !== name)) return false
    if (found.mergedInto !== from && found.mergedInto !== to) return false
  }
  return true
}

/** Whether nothing is left of what the batch did to rows and to empty fields. */
async function isAsBefore(rows: RecordRows, { kind, rows: changes, filled }: NameChange): Promise<boolean> {
  for (const { row, from } of changes) if ((await findRow(rows, kind, row))?.mergedInto !== from) return false
  const category = filled === null ? null : await rows.categories.find(filled.slug)
  if (filled === null || category === null) return true
  const fields: Readonly<Record<string, unknown>> = category.fields
  return Object.entries(filled.after).every(([name, value]) => fields[name] !== value)
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

/** Makes rows aliases of what they were aliases of before, and gives a category its empty fields back. */
export async function finishNameUndo(
  rows: RecordRows,
  names: NameChange,
  authorship: CategoryAuthorship,
): Promise<void> {
  if (names.filled !== null) await emptyFilled(rows, names.filled, authorship)
  if (!(await isAsLeft(rows, names))) return
  for (const change of names.rows) await restore(rows, names, change)
}

async function restore(rows: RecordRows, { kind, exchanged }: NameChange, change: RowChange): Promise<void> {
  const { row, to, ifUnused = false } = change
  const found = await findRow(rows, kind, row)
  const target = to === null ? null : await findRow(rows, kind, to)
  if (found === null || found.mergedInto === to || (to !== null && target === null)) return
  const merges = kind === 'category' ? rows.categoryMerges : rows.names[kind]
  if (await merges.wouldLoop(found.id, target?.id ?? null)) return
  const isUsed =
    kind === 'category' ? await rows.categories.hasRecords(found.id) : await rows.names[kind].hasRecords(found.id)
  // A name that got no record back would lead nowhere.
  const isDue = to === null ? isUsed || kind === 'category' : !(ifUnused && isUsed)
  if (exchanged !== null || isDue) merges.set(found.id, target?.id ?? null)
}

/** Fields that people have changed since keep their values. */
async function emptyFilled(
  rows: RecordRows,
  { slug, before, after }: FilledFields,
  authorship: CategoryAuthorship,
): Promise<void> {
  const category = await rows.categories.find(slug)
  if (category === null) return
  const given: Readonly<Record<string, unknown>> = before
  const fields: Readonly<Record<string, unknown>> = category.fields
  const changes = Object.entries(after).filter(([name]) => fields[name] === given[name])
  await rows.categories.update(category.id, Object.fromEntries(changes), authorship)
}
