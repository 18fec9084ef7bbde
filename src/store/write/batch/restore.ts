import type { Refusal } from '../../../record/command.ts'
import { type ChangedName, type CompanionChange, isCompanionName } from '../../../record/companion/kinds.ts'
import { writableNames } from '../../../record/fields.ts'
import { isSameJson, type JsonObject, type JsonValue } from '../../../record/json.ts'
import { type Changes, fromBody, type VideoRecord } from '../../../record/record.ts'
import { type Author, hasRole } from '../../../record/role.ts'
import { draft } from '../../../record/state.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { FieldAuthorship } from '../field-versions.ts'
import {
  type FilledChanges,
  type FilledFields,
  isNameChange,
  type LeftPart,
  type NameChange,
} from '../names/name-change.ts'
import { nameFields } from '../names/name-entries.ts'
import { beginNameUndo, type FindLeftover, finishNameUndo, isNameUndone, restoreTitles } from '../names/name-undo.ts'
import type { RecordRows } from '../record-rows.ts'
import type { AuthoredBatch } from './batch-rows.ts'
import { type Plan, toRunning } from './plan.ts'
import { findStoredVersion, nothing as noUndo, type RecordUndo, toLeft, toRecordUndo } from './record-undo.ts'
import { type AuthorPeriod, type FieldStep, type FieldSteps, latestTime, type SelectionRows } from './selection-rows.ts'

/**
 * The changes of a restore in a record: each field and companion that the author changed in the period gets its value
 * before their first change, unless somebody else has changed it since. A record that they created becomes a draft.
 */
export async function findRestore(
  rows: RecordRows,
  selections: SelectionRows,
  current: VideoRecord,
  period: AuthorPeriod,
): Promise<RecordUndo> {
  const { id } = current
  const steps = await selections.listSteps(id, period)
  const first = findFirstChanges(steps.filter(createTimeCheck(period)))
  const hasFollowed = (name: ChangedName) =>
    steps.some(
      ({ author, number, changed }) =>
        author !== period.author && number > (first.get(name) ?? 0) && changed.includes(name),
    )
  if (steps[0]?.number === 1) return toWithdrawal(current, hasFollowed('state'))
  const [changes, already, since]: [Record<string, JsonValue>, string[], string[]] = [{}, [], []]
  const companions: CompanionChange[] = []
  for (const name of [...writableNames, ...[...first.keys()].filter(isCompanionName)]) {
    const number = first.get(name)
    if (number === undefined) continue
    const before = await findValue(rows, id, name, number - 1)
    const now = isCompanionName(name) ? (await rows.companions.find(id, name)).content : current[name]
    if (isSameJson(now, before)) already.push(name)
    else if (hasFollowed(name)) since.push(name)
    // The value of a companion is its content.
    else if (isCompanionName(name)) companions.push({ name, content: before as JsonObject })
    else changes[name] = before
  }
  return { ...toRecordUndo(current, changes, already, since), companions }
}

/** The value of a field, or the content of a companion, in a version. */
async function findValue(rows: RecordRows, id: number, name: ChangedName, number: number): Promise<JsonValue> {
  if (isCompanionName(name)) return (await rows.companions.find(id, name, number)).content
  return (await findStoredVersion(rows, id, number))[name]
}

/** Whether a change is by the author, in the period. */
function createTimeCheck({ author, since, until }: AuthorPeriod) {
  return (step: { readonly author: string; readonly at: Timestamp }) =>
    step.author === author && step.at >= since && (until === null || step.at <= until)
}

/** The number of the first version that changed each field. */
function findFirstChanges<Name extends string>(
  steps: readonly { readonly number: number; readonly changed: readonly Name[] }[],
): ReadonlyMap<Name, number> {
  const first = new Map<Name, number>()
  for (const { number, changed } of steps) {
    for (const name of changed) if (!first.has(name)) first.set(name, number)
  }
  return first
}

/** A record that the author created becomes a draft: records are never deleted. */
function toWithdrawal({ state }: VideoRecord, hasFollowed: boolean): RecordUndo {
  if (state === draft) return { ...noUndo, left: toLeft(['state'], 'already_draft') }
  return hasFollowed
    ? { ...noUndo, left: toLeft(['state'], 'changed_since') }
    : { ...noUndo, changes: { state: draft } }
}

/** The changes of a restore in names and categories (decision 72). */
interface OtherRestore {
  /** The changes made; an undo reverts them in reverse order. */
  readonly done: readonly NameChange[]
  readonly left: readonly LeftPart[]
}

const nothing: OtherRestore = { done: [], left: [] }

type Left = LeftPart['left']

const toLeftPart = (
  of: NameChange['kind'],
  id: number | string,
  fields: readonly string[],
  left: Left,
  by?: string | null,
) => ({ kind: 'left', of, id, fields, left, by: by ?? null }) satisfies LeftPart

/**
 * Restores names before the records change, the last change first, so that texts of records find their rows. The values
 * of categories and speakers are found before others can change them.
 */
export async function planNamesRestore(
  rows: RecordRows,
  selections: SelectionRows,
  author: Author,
  period: AuthorPeriod,
): Promise<Required<Pick<Plan, 'begin' | 'beforeWriting' | 'finish'>> | { readonly refusal: Refusal }> {
  const batches = toFirst(await rows.batches.listNameBatches(period.author, period.since, period.until ?? latestTime))
  const names = batches.flatMap(listChanges)
  const isPublisher = hasRole(author.role, 'publisher')
  for (const { change } of isPublisher ? names : []) {
    const running = await rows.batches.findRunningNames(change)
    if (running !== null) return { refusal: toRunning(running) }
  }
  let begun: OtherRestore = nothing
  let entries: readonly EntryRestore[] = []
  return {
    async begin() {
      if (isPublisher) {
        begun = await beginNames(rows, selections, period, names)
        entries = await findEntries(rows, selections, period)
      } else begun = await leaveAll(rows, selections, period, names)
      return []
    },
    beforeWriting: (titles, authorship) =>
      restoreTitles(rows, entries.filter(({ kind }) => kind === 'category').map(toFilled), titles, authorship),
    async finish(authorship) {
      const { done, left } = await finishNames(rows, begun, authorship)
      const [allDone, allLeft] = [[...done], [...left]]
      for (const entry of entries) {
        const ended = entry.wasWritten
          ? await hide(rows, selections, period, String(entry.filled.slug))
          : await fill(rows, entry, authorship)
        allDone.push(...ended.done)
        allLeft.push(...entry.left, ...ended.left)
      }
      return { parts: [...allDone, ...allLeft] }
    },
  }
}

/** Without undos of the author's own changes: a restore reverts those changes anyway. */
function toFirst(batches: readonly AuthoredBatch[]): readonly AuthoredBatch[] {
  const ids = new Set(batches.map(({ id }) => id))
  return batches.filter(({ undoes }) => undoes === null || !ids.has(undoes))
}

interface AuthoredChange {
  readonly batch: number
  readonly change: NameChange
}

/** The changes of a batch in names, the last first. Their fields have versions, which are more precise. */
function listChanges({ id, parts }: AuthoredBatch): AuthoredChange[] {
  const changes = parts.filter(isNameChange).filter((each) => each.rows.length > 0)
  return changes.reverse().map((change) => ({ batch: id, change: { ...change, filled: null } }))
}

async function leaveAll(
  rows: RecordRows,
  selections: SelectionRows,
  period: AuthorPeriod,
  names: readonly AuthoredChange[],
): Promise<OtherRestore> {
  const left = names.map(({ change }) => toLeftName(change, 'publisher_required'))
  for (const { kind, wasWritten, filled } of await findEntries(rows, selections, period)) {
    const { slug, after } = filled
    const isListed = wasWritten && (await isPublicWhileEmpty(rows, String(slug)))
    const fields = wasWritten ? (isListed ? ['listed'] : []) : Object.keys(after)
    if (fields.length > 0) left.push(toLeftPart(kind, slug, fields, 'publisher_required'))
  }
  return { done: [], left }
}

const isPublicWhileEmpty = async ({ categories }: RecordRows, slug: string) =>
  (await categories.findListed((await categories.find(slug))?.id ?? 0)) === 1

/** The row that was renamed or merged. */
function toLeftName({ kind, exchanged, rows: [row] }: NameChange, left: Left, by?: string | null): LeftPart {
  return toLeftPart(kind, exchanged?.[0] ?? row?.row ?? 0, [exchanged === null ? 'merged_into' : 'name'], left, by)
}

async function beginNames(
  rows: RecordRows,
  selections: SelectionRows,
  period: AuthorPeriod,
  names: readonly AuthoredChange[],
): Promise<OtherRestore> {
  const findLeftover = createLeftovers(rows, selections, period)
  const [done, left]: [NameChange[], LeftPart[]] = [[], []]
  for (const { batch, change } of names) {
    const back = await beginNameUndo(rows, change, findLeftover, true)
    if (back !== null) done.push(back)
    else if (!(await isNameUndone(rows, change))) {
      const by = await rows.batches.findLaterAuthor(batch, change, period.author)
      left.push(toLeftName(change, 'changed_since', by))
    }
  }
  return { done, left }
}

/** Finds a record that keeps a name although the author's changes are reverted. */
function createLeftovers(rows: RecordRows, selections: SelectionRows, period: AuthorPeriod): FindLeftover {
  type Lists = Pick<Changes, 'speakers' | 'tags'>
  /** Cached: several names of a record may have changed. */
  const known = new Map<number, Lists>()

  async function findLists(id: number): Promise<Lists> {
    const stored = await rows.read(id)
    if (stored === null) throw new Error(`record ${id} vanished within a transaction`)
    const { speakers, tags } = (await findRestore(rows, selections, fromBody(stored.body), period)).changes
    return { ...(speakers === undefined ? {} : { speakers }), ...(tags === undefined ? {} : { tags }) }
  }

  return async (kind, { id: rowId, name }) => {
    const entries = rows.names[kind]
    for (const id of await entries.filterRecords(await entries.listRecords(rowId), name)) {
      const lists = known.get(id) ?? (await findLists(id))
      known.set(id, lists)
      if (lists[nameFields[kind]]?.includes(name) ?? true) return id
    }
    return null
  }
}

/** The restore of a category or speaker of which the author made a version. */
interface EntryRestore {
  readonly kind: 'category' | 'speaker'
  /** Whether it is a category that the author created. */
  readonly wasWritten: boolean
  readonly filled: FilledFields
  readonly left: readonly LeftPart[]
}

async function findEntries(
  rows: RecordRows,
  selections: SelectionRows,
  period: AuthorPeriod,
): Promise<readonly EntryRestore[]> {
  const found: EntryRestore[] = []
  for (const id of await selections.categories.list(period)) {
    const entry = { kind: 'category', ...(await rows.categories.read(id)) } as const
    const steps = await selections.categories.listSteps(id, period)
    found.push(
      steps[0]?.number === 1
        ? { kind: 'category', wasWritten: true, filled: { slug: entry.slug, before: {}, after: {} }, left: [] }
        : await findEntry(rows, selections.categories, entry, steps, period),
    )
  }
  for (const id of await selections.profiles.list(period)) {
    const entry = { kind: 'speaker', id, slug: id, fields: (await rows.profiles.find(id)).fields } as const
    const steps = await selections.profiles.listSteps(id, period)
    found.push(await findEntry(rows, selections.profiles, entry, steps, period))
  }
  return found
}

type AnyFields = Readonly<Record<string, JsonValue>>

/** A category or speaker as it is now. */
interface CurrentEntry extends Pick<EntryRestore, 'kind'>, Pick<FilledFields, 'slug'> {
  readonly id: number
  readonly fields: AnyFields
}

async function findEntry(
  rows: RecordRows,
  versions: Pick<FieldSteps<AnyFields>, 'findVersion'>,
  { kind, id, slug, fields }: CurrentEntry,
  steps: readonly FieldStep[],
  period: AuthorPeriod,
): Promise<EntryRestore> {
  const first = findFirstChanges(steps.filter(createTimeCheck(period)))
  const [before, after, left]: [[string, JsonValue][], [string, JsonValue][], LeftPart[]] = [[], [], []]
  for (const [name, number] of first) {
    const [now, earlier] = [fields[name] ?? null, (await versions.findVersion(id, number - 1))[name] ?? null]
    if (isSameJson(now, earlier)) continue
    const by = findLaterAuthor(steps, name, number, period)
    const isTaken = name === 'title' && (await rows.categories.isTitleTaken(String(earlier)))
    if (by !== null) left.push(toLeftPart(kind, slug, [name], 'changed_since', by))
    else if (isTaken) left.push(toLeftPart(kind, slug, [name], 'name_taken'))
    else {
      before.push([name, now])
      after.push([name, earlier])
    }
  }
  // Each value is or was a value of the same field of this entry.
  const toChanges = (values: [string, JsonValue][]) => Object.fromEntries(values) as FilledChanges
  return { kind, wasWritten: false, filled: { slug, before: toChanges(before), after: toChanges(after) }, left }
}

function findLaterAuthor(steps: readonly FieldStep[], name: string, since: number, { author }: AuthorPeriod) {
  const isLater = (step: FieldStep) => step.number > since && step.author !== author && step.changed.includes(name)
  return steps.findLast(isLater)?.author ?? null
}

async function finishNames(rows: RecordRows, begun: OtherRestore, authorship: FieldAuthorship): Promise<OtherRestore> {
  const [done, left]: [NameChange[], LeftPart[]] = [[], [...begun.left]]
  for (const names of begun.done) {
    const ended = await finishNameUndo(rows, names, authorship)
    if (ended.done !== null) done.push(ended.done)
    left.push(...ended.left)
  }
  return { done, left }
}

/** Hides a category that only the author uses. */
async function hide(
  rows: RecordRows,
  selections: SelectionRows,
  period: AuthorPeriod,
  slug: string,
): Promise<OtherRestore> {
  const category = await rows.categories.find(slug)
  if (category === null) return nothing
  if (await selections.isUsedByOthers(category.id, period)) {
    return { done: [], left: [toLeftPart('category', slug, ['listed'], 'in_use')] }
  }
  if ((await rows.categories.findListed(category.id)) !== 1) return nothing
  rows.categories.setListed(category.id, 0)
  const filled = { slug, before: {}, after: {}, listed: 0 } as const
  return { done: [toFilled({ kind: 'category', filled })], left: [] }
}

async function fill(rows: RecordRows, entry: EntryRestore, authorship: FieldAuthorship): Promise<OtherRestore> {
  if (Object.keys(entry.filled.after).length === 0) return nothing
  const { done, left } = await finishNameUndo(rows, toFilled(entry), authorship)
  // Nobody has changed these fields since; a title stays while records of others have it.
  return { done: done === null ? [] : [done], left: left.map((part) => ({ ...part, left: 'in_use' })) }
}

const toFilled = ({ kind, filled }: Pick<EntryRestore, 'kind' | 'filled'>): NameChange => ({
  ...{ kind, exchanged: null, rows: [], filled },
})
