import type { MergeNamesCommand, NameMerge, RenameNameCommand } from '../../../record/command.ts'
import { isStale } from '../../../record/decide.ts'
import { alreadyMerged, type NameKind, noSuchName, sameEntry, toNameTag } from '../../../record/name.ts'
import { type ProfileChanges, type ProfileFields, toChangedProfile, toProfileFilling } from '../../../record/profile.ts'
import { type Changes, fromBody } from '../../../record/record.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { Outcome, StoredRecord } from '../../store.ts'
import { rememberNoBatch } from '../batch/batch-keys.ts'
import type { BatchKey, FoundBatch } from '../batch/batch-rows.ts'
import { createCertainJudge, type Plan, refuseCommand, toRunning } from '../batch/plan.ts'
import type { FieldAuthorship } from '../field-versions.ts'
import type { RecordRows } from '../record-rows.ts'
import { type FilledFields, isNameChange, type NameChange, toNameDigest } from './name-change.ts'
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
  const { of, nameId } = command
  const entries = rows.names[of]
  const row = await entries.find(nameId)
  const current = row === null ? null : await entries.findCurrent(row)
  if (row === null || current === null) return refuseCommand(noSuchName(of))
  if (current.id !== row.id) return refuseCommand(alreadyMerged(of, row.id, current.id))
  if (isStale(command.precondition ?? {}, await findTagged(rows, of, row))) return refuseCommand({ code: 'stale' })
  const { name = row.name } = command
  const other = await entries.findByName(name)
  const running = await rows.batches.findRunningNames(toRename(of, name, row, other ?? row))
  if (running !== null) return refuseCommand(toRunning(running))
  if (row.name === name) return planRest(rows, { ...command, name }, row, key, at)
  const taken = await findTaken(entries, row, other)
  if (taken !== null) return refuseCommand(nameTaken(of, taken))
  const slug = other?.slug ?? (await entries.findFreeSlug(name))
  const named = { id: row.id, name, slug }
  if (command.isDryRun) return { is: 'batch', batch: null, ids: [], name: named }
  return {
    ...toPlan(rows, command, [{ rowId: row.id, from: row.name, to: name }]),
    ids: await entries.listRecords(row.id),
    async begin(authorship) {
      const target = other ?? (await entries.insert(name))
      exchange(entries, row, target)
      const filled = await fill(rows, row.id, command.profile ?? {}, authorship)
      return [{ ...toRename(of, name, row, target), filled }]
    },
    readMore: async () => ({ name: named }),
  }
}

function toRename(of: NameKind, name: string, row: NameEntry, target: NameEntry): NameChange {
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

/** What preconditions compare: the name, and the profile of a speaker. */
async function findTagged(rows: RecordRows, of: NameKind, row: NameEntry) {
  const profile = of === 'speaker' ? await rows.profiles.find(row.id) : null
  return { versionTag: toNameTag(row, profile?.versionTag ?? null), updated: profile?.updated ?? '' }
}

/** Changes the profile of a speaker. Returns what changed, so that an undo gives it back; null if nothing did. */
async function fill(
  rows: RecordRows,
  id: number,
  changes: ProfileChanges,
  authorship: FieldAuthorship,
): Promise<FilledFields | null> {
  if (Object.keys(changes).length === 0) return null
  const { fields: before } = await rows.profiles.find(id)
  const changed = toChangedProfile(before, { ...before, ...changes })
  if (changed.length === 0) return null
  const { fields: after } = await rows.profiles.update(id, changes, authorship)
  const pick = (fields: ProfileFields): ProfileChanges =>
    Object.fromEntries(changed.map((name) => [name, fields[name]]))
  return { slug: id, before: pick(before), after: pick(after) }
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
  command: RenameNameCommand & { readonly name: string },
  row: NameEntry,
  key: BatchKey | null,
  at: Timestamp,
): Promise<Outcome | Plan> {
  const { of, name, profile = {}, author, reason = null } = command
  const entries = rows.names[of]
  const stopped = await rows.batches.findStoppedNames(`rename ${of}`, ({ exchanged }) => exchanged?.[0] === row.id)
  const old = stopped === null ? null : await findOldName(entries, stopped)
  const named = { id: row.id, name, slug: row.slug }
  if (old === null || command.isDryRun) {
    if (!command.isDryRun) await fill(rows, row.id, profile, { at, author: author.name, reason })
    rememberNoBatch(rows, author.name, key, at)
    return { is: 'batch', batch: null, ids: [], name: named }
  }
  const found = [...(await entries.listRecords(row.id)), ...(await entries.listRecords(old.id))]
  return {
    ...toPlan(rows, command, [{ rowId: row.id, from: old.name, to: name }]),
    ids: [...new Set(found)].sort((a, b) => a - b),
    begin: async (authorship) => [
      {
        ...{ kind: of, exchanged: null, rows: [toSame(row), toSame(old)] },
        filled: await fill(rows, row.id, profile, authorship),
      },
    ],
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

/** Makes speakers or tags aliases of others, which all their records get instead (decision 52). */
export async function planNameMerge(rows: RecordRows, command: MergeNamesCommand): Promise<Outcome | Plan> {
  const { of } = command
  const entries = rows.names[of]
  const merges: FoundMerge[] = []
  for (const merge of [command, ...(command.also ?? [])]) {
    const found = await findMerge(rows, of, merge, merges)
    if (found.is !== 'merge') return found
    merges.push(found)
  }
  async function begin(authorship: FieldAuthorship) {
    const changes: NameChange[] = []
    for (const { row, target } of merges) {
      if (target.mergedInto !== null) entries.set(target.id, null)
      entries.set(row.id, target.id)
      const filled = of === 'tag' ? null : await fillMerged(rows, row.id, target.id, authorship)
      changes.push({ ...toMergeChange(of, row, target), filled })
    }
    return changes
  }
  const ids = new Set<number>()
  for (const { row } of merges) for (const id of await entries.listRecords(row.id)) ids.add(id)
  const renames = merges.map(({ row, target }) => ({ rowId: row.id, from: row.name, to: target.name }))
  return {
    ...toPlan(rows, command, renames),
    ids: [...ids].sort((one, other) => one - other),
    ...(command.isDryRun ? {} : { begin }),
  }
}

interface FoundMerge {
  readonly is: 'merge'
  readonly row: NameEntry
  readonly target: NameEntry
}

/** `earlier`: those that the same command makes before. */
async function findMerge(
  rows: RecordRows,
  of: NameKind,
  { nameId, into, precondition = {} }: NameMerge,
  earlier: readonly FoundMerge[],
): Promise<FoundMerge | Outcome> {
  const entries = rows.names[of]
  const [row, target] = [await entries.find(nameId), await entries.find(into)]
  const current = row === null ? null : await findCurrent(entries, row, earlier)
  if (row === null || current === null) return refuseCommand(noSuchName(of))
  if (current.id !== row.id) return refuseCommand(alreadyMerged(of, row.id, current.id))
  if (isStale(precondition, await findTagged(rows, of, row))) return refuseCommand({ code: 'stale' })
  const currentTarget = target === null ? null : await findCurrent(entries, target, earlier)
  if (target === null || currentTarget === null) return refuseCommand(noTarget(of))
  if (currentTarget.id === row.id) return refuseCommand(sameEntry(of, row.id))
  if (currentTarget.id !== target.id) return refuseCommand(alreadyMerged(of, target.id, currentTarget.id))
  const running = await rows.batches.findRunningNames(toMergeChange(of, row, target))
  return running === null ? { is: 'merge', row, target } : refuseCommand(toRunning(running))
}

/** The entry that a name stands for once the earlier merges are made. */
async function findCurrent(
  entries: NameEntries,
  row: NameEntry,
  earlier: readonly FoundMerge[],
): Promise<NameEntry | null> {
  let current = await entries.findCurrent(row)
  for (const merge of earlier) if (merge.row.id === current?.id) current = merge.target
  return current
}

/** What is said of the merged speaker fills what nobody has said of the other. */
async function fillMerged(rows: RecordRows, from: number, into: number, authorship: FieldAuthorship) {
  const [{ fields }, { fields: target }] = [await rows.profiles.find(from), await rows.profiles.find(into)]
  return fill(rows, into, toProfileFilling(fields, target), authorship)
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
  /** The row that records link to. */
  readonly rowId: number
  readonly from: string
  readonly to: string
}

/** Records that get the old name after the batch began keep it: names are stored as sent. */
function toPlan(rows: RecordRows, command: RenameNameCommand | MergeNamesCommand, renames: readonly ListRename[]) {
  const { of } = command
  const verb = command.kind === 'rename name' ? 'rename' : 'merge'
  return {
    is: 'plan',
    kind: `${verb} ${of}`,
    command,
    undoes: null,
    judge: createCertainJudge(command.author, (stored) => findListChanges(rows, stored, of, renames)),
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
  of: NameKind,
  renames: readonly ListRename[],
): Promise<Changes> {
  const field = nameFields[of]
  const list = fromBody(body)[field]
  let renamed = list
  for (const { rowId, from, to } of renames) {
    const places = new Set(await rows.names[of].listPlaces(id, rowId))
    renamed = renamed.map((name, place) => (places.has(place) || name === from ? to : name))
  }
  const next = [...new Set(renamed)]
  return next.join('\n') === list.join('\n') ? {} : { [field]: next }
}
