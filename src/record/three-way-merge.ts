import type { ChangedName } from './companion/kinds.ts'
import { toEmbed } from './embed.ts'
import { fields, type WritableName, writableNames } from './fields.ts'
import { isSameJson, type JsonValue } from './json.ts'
import type { Changes, VideoRecord } from './record.ts'

interface Merged {
  /** Values taken from the source. */
  readonly changes: Changes
  /** Fields that differ from the source and keep the value that people gave them here. */
  readonly kept: readonly WritableName[]
}

/** History of the fields and companions of a record. Each value is looked up only when it is needed. */
export interface FieldHistory {
  /** The value this source had for the field in its previous import; undefined if unknown. */
  lastImported(name: ChangedName): Promise<JsonValue | undefined>
  /** The value an undone import had given the field, if the record has not changed since the undo. */
  undoneImport(name: ChangedName): Promise<JsonValue | undefined>
  /** Who set the current value; null if no import ever set the field. */
  setBy(name: ChangedName): Promise<'import' | 'people' | null>
}

/**
 * Decides which values of an import a record takes. A field takes the new value if the source changed it and people have
 * not edited the field since an import set it. A field that no import ever set takes the value only if it is empty.
 */
export async function mergeThreeWays(record: VideoRecord, theirs: Changes, history: FieldHistory): Promise<Merged> {
  const verdicts = new Map<WritableName, Verdict>()
  for (const name of writableNames) {
    const value = theirs[name]
    const isNew = value !== undefined && !isSameJson(record[name], value)
    if (isNew) verdicts.set(name, await judgeImported(name, value, record[name], isEmpty(name, record), history))
  }
  // An embed must play the video of `source_url`.
  const isOtherVideo = (verdicts.get('source_url') ?? 'take') !== 'take'
  if (isOtherVideo && verdicts.get('embed') === 'take') verdicts.set('embed', 'keep')
  const list = (wanted: Verdict) => [...verdicts.keys()].filter((name) => verdicts.get(name) === wanted)
  return {
    // The values come from `theirs`, under their own names.
    changes: Object.fromEntries(list('take').map((name) => [name, theirs[name]])) as Changes,
    kept: list('keep'),
  }
}

/** `leave`: this source has nothing new and people have not edited the field; another source set it. */
type Verdict = 'take' | 'keep' | 'leave'

/** `value`: what the source has. `current`: what the record has. `isFree`: nobody has given it a value. */
export async function judgeImported(
  name: ChangedName,
  value: JsonValue,
  current: JsonValue,
  isFree: boolean,
  history: FieldHistory,
): Promise<Verdict> {
  const undone = await history.undoneImport(name)
  if (undone !== undefined && isSameJson(undone, value)) return 'take'
  const said = await history.lastImported(name)
  if (said !== undefined && isSameJson(said, value)) return (await history.setBy(name)) === 'import' ? 'leave' : 'keep'
  if (said !== undefined && isSameJson(said, current)) return 'take'
  const setBy = await history.setBy(name)
  return setBy === 'import' || (setBy === null && said === undefined && isFree) ? 'take' : 'keep'
}

/** An embed that was built from `source_url` counts as empty. */
function isEmpty(name: WritableName, record: VideoRecord): boolean {
  const value = record[name]
  if (name === 'embed') return value === '' || value === toEmbed(record.source_url)
  const { absent } = fields[name]
  return absent.is === 'value' && (isSameJson(value, absent.value) || value === '')
}

/** A field whose values differ between base, current record and requested record. */
type ConflictField = {
  /** Absent if the base is unknown. */
  readonly base?: JsonValue
  readonly theirs: JsonValue
  /** Absent if the requested record could not be computed. */
  readonly yours?: JsonValue
}

interface Conflict {
  readonly fields: { readonly [name: string]: ConflictField }
  /** Fields that both sides changed to different values. The others can be merged. */
  readonly conflicts: readonly WritableName[]
}

/** Compares the changes of others since the base with those that the caller requested. */
export function toConflict(base: VideoRecord | null, theirs: VideoRecord, yours: VideoRecord | null): Conflict {
  const differ = (name: WritableName, one: VideoRecord | null, other: VideoRecord | null) =>
    one !== null && other !== null && !isSameJson(one[name], other[name])
  const isOpen = (name: WritableName) => differ(name, theirs, base ?? yours) || differ(name, yours, base)
  const isContested = (name: WritableName) =>
    differ(name, theirs, yours) && (base === null || (differ(name, theirs, base) && differ(name, yours, base)))
  const toField = (name: WritableName): ConflictField => ({
    ...(base === null ? {} : { base: base[name] }),
    theirs: theirs[name],
    ...(yours === null ? {} : { yours: yours[name] }),
  })
  const open = writableNames.filter(isOpen)
  return {
    fields: Object.fromEntries(open.map((name) => [name, toField(name)])),
    conflicts: open.filter(isContested),
  }
}

/** The value of a field before and after the change that is undone. */
export interface UndoneValue {
  readonly before: JsonValue
  readonly after: JsonValue
}

export interface FieldUndo {
  /** Earlier values of fields of this record. */
  readonly changes: { readonly [name: string]: JsonValue }
  /** Fields that have their earlier value already. */
  readonly already: readonly WritableName[]
  /** Fields that were changed since. */
  readonly since: readonly WritableName[]
}

/** Reverts a field if it still has the value that it was given; changes of other fields do not matter (decision 9). */
export function toFieldUndo(given: ReadonlyMap<WritableName, UndoneValue>, current: VideoRecord): FieldUndo {
  const [changes, already, since]: [Record<string, JsonValue>, WritableName[], WritableName[]] = [{}, [], []]
  for (const [name, { before, after }] of given) {
    if (isSameJson(before, after)) continue
    if (isSameJson(current[name], after)) changes[name] = before
    else (isSameJson(current[name], before) ? already : since).push(name)
  }
  return { changes, already, since }
}

/** Reverting the source URL must not replace a player that was changed since. */
export function keepPlayer(current: VideoRecord, changes: FieldUndo['changes']): Changes {
  const player = 'source_url' in changes && !('embed' in changes) ? { embed: current.embed } : {}
  // Safe: each value was a value of the same field of this record.
  return { ...changes, ...player } as Changes
}
