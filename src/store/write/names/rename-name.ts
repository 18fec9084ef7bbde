import type { RenameNameCommand } from '../../../record/command.ts'
import { isStale } from '../../../record/decide.ts'
import { toNameTag } from '../../../record/name.ts'
import { toMerged, toNoSuchName } from '../../../record/name-refusals.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { Outcome } from '../../store.ts'
import { type BegunSlices, toRunning } from '../batch/batch-job.ts'
import { rememberNoBatch, toBatchKey } from '../batch/batch-key.ts'
import type { FoundBatch } from '../batch/batch-rows.ts'
import type { RecordRows } from '../record-rows.ts'
import { createListRename } from './list-rename.ts'
import { findRepeated, refuse, runNameBatch } from './name-batch.ts'
import { isNameChange, type NameChange, toNameDigest } from './name-change.ts'
import type { NameEntries, NameEntry } from './name-entries.ts'

/**
 * Renames a speaker or tag in all its records. Its row gets the new name at once, so that its id stays; another row
 * keeps the old name and slug, as an alias of it (ADR 52).
 */
export async function renameName(
  rows: RecordRows,
  command: RenameNameCommand,
  at: Timestamp,
): Promise<Outcome | BegunSlices> {
  const { of, nameId, name } = command
  const key = toBatchKey(command, ['rename', of, nameId, name, command.reason ?? null])
  const repeated = await findRepeated(rows, command, key, at)
  if (repeated !== null) return repeated
  const entries = rows.names[of]
  const row = await entries.find(nameId)
  const current = row === null ? null : await entries.findCurrent(row)
  if (row === null || current === null) return refuse(toNoSuchName(of))
  if (current.id !== row.id) return refuse(toMerged(of, row.id, current.id))
  if (isStale(command.precondition ?? {}, { versionTag: toNameTag(row), updated: '' })) return refuse({ code: 'stale' })
  const other = await entries.findByName(name)
  const running = await rows.batches.findRunningNames(toChange(command, row, other ?? row))
  if (running !== null) return refuse(toRunning(running))
  if (row.name === name) return resume(rows, command, row, key, at)
  const taken = await findTaken(entries, row, other)
  if (taken !== null) return refuse(toNameTaken(of, taken))
  const slug = other?.slug ?? (await entries.findFreeSlug(name))
  const named = { id: row.id, name, slug }
  if (command.isDryRun) return { is: 'batch', batch: null, ids: [], name: named }
  const target = other ?? (await entries.insert(name))
  const names = toChange(command, row, target)
  const ids = await entries.listRecords(row.id)
  exchange(entries, row, target)
  const findChanges = createListRename(rows, { of, rowId: row.id, from: row.name, to: name })
  const outcome = await runNameBatch(
    rows,
    command,
    { kind: `rename ${of}`, names, key, stopped: null, ids, findChanges },
    at,
  )
  return outcome.is === 'batch' ? { ...outcome, name: named } : outcome
}

/** The row of the old name leads to the renamed one, also while records still have that name. */
export function exchange(entries: NameEntries, row: NameEntry, target: NameEntry): void {
  entries.exchange(row, target)
  if (row.mergedInto !== null) entries.set(row.id, null)
  if (target.mergedInto !== row.id) entries.set(target.id, row.id)
}

function toChange({ of, name }: RenameNameCommand, row: NameEntry, target: NameEntry): NameChange {
  return {
    kind: of,
    exchanged: [row.id, target.id],
    rows: [
      { row: row.id, name: toNameDigest(name), from: row.mergedInto, to: null },
      { row: target.id, name: toNameDigest(row.name), from: target.mergedInto, to: row.id },
    ],
    filled: null,
  }
}

/** The entry that has the new name, or that it is an alias of; null if it is free. */
async function findTaken(entries: NameEntries, row: NameEntry, other: NameEntry | null): Promise<number | null> {
  const current = other === null ? null : await entries.findCurrent(other)
  return current === null || current.id === row.id ? null : current.id
}

const toNameTaken = (of: string, id: number) => ({
  code: 'name_taken' as const,
  detail: `The ${of} ${id} has this name, or had it. Merge the two instead: POST /api/v2/${of}/<id>/merge.`,
  more: { id },
})

/** The entry has the name already. A rename that was stopped continues. */
async function resume(
  rows: RecordRows,
  command: RenameNameCommand,
  row: NameEntry,
  key: ReturnType<typeof toBatchKey>,
  at: Timestamp,
): Promise<Outcome | BegunSlices> {
  const { of, name } = command
  const kind = `rename ${of}` as const
  const stopped = await rows.batches.findStoppedNames(kind, ({ exchanged }) => exchanged?.[0] === row.id)
  const old = stopped === null ? null : await findOldName(rows.names[of], stopped)
  const named = { id: row.id, name, slug: row.slug }
  if (stopped === null || old === null || command.isDryRun) {
    rememberNoBatch(rows, command.author.name, key, at)
    return { is: 'batch', batch: null, ids: [], name: named }
  }
  const found = [...(await rows.names[of].listRecords(row.id)), ...(await rows.names[of].listRecords(old.id))]
  const ids = [...new Set(found)].sort((a, b) => a - b)
  const findChanges = createListRename(rows, { of, rowId: row.id, from: old.name, to: name })
  const names: NameChange = { kind: of, exchanged: null, rows: [toSame(row), toSame(old)], filled: null }
  const outcome = await runNameBatch(rows, command, { kind, names, key, stopped, ids, findChanges }, at)
  return outcome.is === 'batch' ? { ...outcome, name: named } : outcome
}

const toSame = ({ id, name, mergedInto }: NameEntry) => ({
  row: id,
  name: toNameDigest(name),
  from: mergedInto,
  to: mergedInto,
})

/** The row that has the old name since the batch, if it still has it. */
async function findOldName(entries: NameEntries, { parts }: FoundBatch): Promise<NameEntry | null> {
  const change = parts.find(isNameChange)?.rows[1]
  const row = typeof change?.row === 'number' ? await entries.find(change.row) : null
  return row !== null && toNameDigest(row.name) === change?.name ? row : null
}
