import type { MergeNamesCommand, RenameNameCommand } from '../../../record/command.ts'
import { isStale } from '../../../record/decide.ts'
import { alreadyMerged, type NameKind, noSuchName, sameEntry, toNameTag } from '../../../record/name.ts'
import { type Changes, fromBody } from '../../../record/record.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { Outcome, StoredRecord } from '../../store.ts'
import { rememberNoBatch } from '../batch/batch-keys.ts'
import type { BatchKey, FoundBatch } from '../batch/batch-rows.ts'
import { createCertainJudge, type Plan, refuse, toRunning } from '../batch/plan.ts'
import type { RecordRows } from '../record-rows.ts'
import { isNameChange, type NameChange, toNameDigest } from './name-change.ts'
import { exchange, type NameEntries, type NameEntry, nameFields } from './name-entries.ts'

/**
 * Renames a speaker or tag in all its records. Its row gets the new name first, so that its id stays; another row
 * keeps the old name and slug, as an alias of it (decision 52).
 */
export async function planNameRename(
  rows: RecordRows,
  command: RenameNameCommand,
  key: BatchKey | null,
  at: Timestamp,
): Promise<Outcome | Plan> {
  const { of, nameId, name } = command
  const entries = rows.names[of]
  const row = await entries.find(nameId)
  const current = row === null ? null : await entries.findCurrent(row)
  if (row === null || current === null) return refuse(noSuchName(of))
  if (current.id !== row.id) return refuse(alreadyMerged(of, row.id, current.id))
  if (isStale(command.precondition ?? {}, { versionTag: toNameTag(row), updated: '' })) return refuse({ code: 'stale' })
  const other = await entries.findByName(name)
  const running = await rows.batches.findRunningNames(toRename(command, row, other ?? row))
  if (running !== null) return refuse(toRunning(running))
  if (row.name === name) return planRest(rows, command, row, key, at)
  const taken = await findTaken(entries, row, other)
  if (taken !== null) return refuse(nameTaken(of, taken))
  const slug = other?.slug ?? (await entries.findFreeSlug(name))
  const named = { id: row.id, name, slug }
  if (command.isDryRun) return { is: 'batch', batch: null, ids: [], name: named }
  return {
    ...toPlan(rows, command, { of, rowId: row.id, from: row.name, to: name }),
    ids: await entries.listRecords(row.id),
    async begin() {
      const target = other ?? (await entries.insert(name))
      exchange(entries, row, target)
      return [toRename(command, row, target)]
    },
    readMore: async () => ({ name: named }),
  }
}

function toRename({ of, name }: RenameNameCommand, row: NameEntry, target: NameEntry): NameChange {
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

const nameTaken = (of: string, id: number) => ({
  code: 'name_taken' as const,
  detail: `The ${of} ${id} has this name, or had it. Merge the two instead: POST /api/v2/${of}/<id>/merge.`,
  more: { id },
})

/** The entry already has the name. If an earlier rename was stopped, its remaining records get the name now. */
async function planRest(
  rows: RecordRows,
  command: RenameNameCommand,
  row: NameEntry,
  key: BatchKey | null,
  at: Timestamp,
): Promise<Outcome | Plan> {
  const { of, name } = command
  const entries = rows.names[of]
  const stopped = await rows.batches.findStoppedNames(`rename ${of}`, ({ exchanged }) => exchanged?.[0] === row.id)
  const old = stopped === null ? null : await findOldName(entries, stopped)
  const named = { id: row.id, name, slug: row.slug }
  if (old === null || command.isDryRun) {
    rememberNoBatch(rows, command.author.name, key, at)
    return { is: 'batch', batch: null, ids: [], name: named }
  }
  const found = [...(await entries.listRecords(row.id)), ...(await entries.listRecords(old.id))]
  return {
    ...toPlan(rows, command, { of, rowId: row.id, from: old.name, to: name }),
    ids: [...new Set(found)].sort((a, b) => a - b),
    begin: async () => [{ kind: of, exchanged: null, rows: [toSame(row), toSame(old)], filled: null }],
    readMore: async () => ({ name: named }),
  }
}

const toSame = ({ id, name, mergedInto }: NameEntry) => ({
  row: id,
  name: toNameDigest(name),
  from: mergedInto,
  to: mergedInto,
})

/** The row that got the old name in the batch, if it still has it. */
async function findOldName(entries: NameEntries, { parts }: FoundBatch): Promise<NameEntry | null> {
  const change = parts.find(isNameChange)?.rows[1]
  const row = typeof change?.row === 'number' ? await entries.find(change.row) : null
  return row !== null && toNameDigest(row.name) === change?.name ? row : null
}

/** Makes a speaker or tag an alias of another, which all its records get instead (decision 52). */
export async function planNameMerge(rows: RecordRows, command: MergeNamesCommand): Promise<Outcome | Plan> {
  const { of, nameId, into } = command
  const entries = rows.names[of]
  const [row, target] = [await entries.find(nameId), await entries.find(into)]
  const current = row === null ? null : await entries.findCurrent(row)
  if (row === null || current === null) return refuse(noSuchName(of))
  if (current.id !== row.id) return refuse(alreadyMerged(of, row.id, current.id))
  if (isStale(command.precondition ?? {}, { versionTag: toNameTag(row), updated: '' })) return refuse({ code: 'stale' })
  const currentTarget = target === null ? null : await entries.findCurrent(target)
  if (target === null || currentTarget === null) return refuse(noTarget(of))
  if (currentTarget.id === row.id) return refuse(sameEntry(of, row.id))
  if (currentTarget.id !== target.id) return refuse(alreadyMerged(of, target.id, currentTarget.id))
  const names = toMergeChange(of, row, target)
  const running = await rows.batches.findRunningNames(names)
  if (running !== null) return refuse(toRunning(running))
  async function begin() {
    if (target !== null && target.mergedInto !== null) entries.set(target.id, null)
    entries.set(nameId, into)
    return [names]
  }
  return {
    ...toPlan(rows, command, { of, rowId: row.id, from: row.name, to: target.name }),
    ids: await entries.listRecords(row.id),
    ...(command.isDryRun ? {} : { begin }),
  }
}

function toMergeChange(of: NameKind, row: NameEntry, target: NameEntry): NameChange {
  return {
    kind: of,
    exchanged: null,
    rows: [
      { row: row.id, name: toNameDigest(row.name), from: row.mergedInto, to: target.id },
      { row: target.id, name: toNameDigest(target.name), from: target.mergedInto, to: null },
    ],
    filled: null,
  }
}

const noTarget = (of: string) => ({
  code: 'bad_fields' as const,
  errors: new Map([['into', [`There is no ${of} with this id.`]]]),
})

interface ListRename {
  readonly of: NameKind
  /** The row that records link to. */
  readonly rowId: number
  readonly from: string
  readonly to: string
}

/** Records that get the old name after the batch began keep it: names are stored as sent. */
function toPlan(rows: RecordRows, command: RenameNameCommand | MergeNamesCommand, rename: ListRename) {
  const verb = command.kind === 'rename name' ? 'rename' : 'merge'
  return {
    is: 'plan',
    kind: `${verb} ${rename.of}`,
    command,
    undoes: null,
    judge: createCertainJudge(command.author, (stored) => findListChanges(rows, stored, rename)),
    isAllOrNothing: false,
    maySlice: true,
  } as const
}

/**
 * What a rename or merge changes in a record. A name is replaced if it links to the row, whatever its text: an earlier
 * rename may have been stopped. If the record has the new name too, the first position counts.
 */
async function findListChanges(
  rows: RecordRows,
  { id, body }: StoredRecord,
  { of, rowId, from, to }: ListRename,
): Promise<Changes> {
  const field = nameFields[of]
  const list = fromBody(body)[field]
  const places = new Set(await rows.names[of].listPlaces(id, rowId))
  const renamed = list.map((name, place) => (places.has(place) || name === from ? to : name))
  const next = [...new Set(renamed)]
  return next.join('\n') === list.join('\n') ? {} : { [field]: next }
}
