import {
  type ChangeCommand,
  type CreateCommand,
  outsideEvent,
  type Precondition,
  publisherRequired,
  type RecordChange,
  type Refusal,
  type VersionTag,
} from './command.ts'
import { toEmbed } from './embed.ts'
import { fields, type WritableName, writableNames } from './fields.ts'
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from './json.ts'
import { applyPatch, type PatchOperation } from './json-patch.ts'
import { type Changes, type FieldErrors, parseFields, toChangedFields, toDefaults, type VideoRecord } from './record.ts'
import { hasRole, isOutside } from './role.ts'
import { draft, live } from './state.ts'
import { type Timestamp, toLater, toMs } from './timestamp.ts'

/** A stored record with its version tag. */
export interface Current {
  readonly record: VideoRecord
  readonly versionTag: VersionTag
  /** Fields changed since the command's merge base; null if that base is not a version of this record. */
  readonly changedSinceBase?: readonly WritableName[] | null
}

export type Decision =
  | { readonly is: 'accepted'; readonly record: VideoRecord; readonly changed: readonly WritableName[] }
  | { readonly is: 'unchanged' }
  | { readonly is: 'refused'; readonly refusal: Refusal }

/** Values the store assigns to a new record. */
interface Identity {
  readonly id: number
  readonly slug: string
  /** When the record was created elsewhere, for an imported one. */
  readonly added?: Timestamp
}

/** Accepts or refuses a new record. Pure: knows neither clock nor database. */
export function decideCreate(command: CreateCommand, identity: Identity, now: Timestamp): Decision {
  const { changes, author } = command
  const record = toWhole({ state: draft, ...changes }, { added: now, ...identity, updated: now })
  if (record.state === live && !hasRole(author.role, 'publisher')) return refuse(publisherRequired.toPublish)
  if (isOutside(author, record.category)) return refuse(outsideEvent)
  return { is: 'accepted', record, changed: writableNames }
}

/**
 * Accepts or refuses a change to a record. Updates, imports, restores, undos and dry runs all end here; `api/records.ts` repeats
 * role and precondition only to answer in the contract's order.
 */
export function decide(current: Current | null, command: ChangeCommand, now: Timestamp): Decision {
  if (current === null) return refuse({ code: 'not_found' })
  const { record } = current
  const mayPublish = hasRole(command.author.role, 'publisher')
  if (record.state === live && !mayPublish) return refuse(publisherRequired.toChangeLive)
  if (isOutside(command.author, record.category)) return refuse(outsideEvent)
  if (isStale(command.precondition, { versionTag: current.versionTag, updated: record.updated }))
    return refuse({ code: 'stale' })
  const conflict = findMergeConflict(current, command)
  if (conflict !== null) return refuse({ code: 'stale', detail: conflict })
  const applied = applyChange(record, command)
  if (!applied.ok) return refuse(applied.refusal)
  const next = applied.record
  if (next.state === live && !mayPublish) return refuse(publisherRequired.toPublish)
  if (isOutside(command.author, next.category)) return refuse(outsideEvent)
  const changed = toChangedFields(record, next)
  if (changed.length === 0) return { is: 'unchanged' }
  return { is: 'accepted', record: toUpdated(next, now), changed }
}

/** A record as a version of now has it: its time is later than that of the version before, whatever the clock says. */
export const toUpdated = (record: VideoRecord, now: Timestamp): VideoRecord => ({
  ...record,
  updated: toLater(record.updated, now),
})

/** Whether a precondition fails for a record or category. */
export function isStale(precondition: Precondition, current: { versionTag: VersionTag; updated: Timestamp }): boolean {
  const { ifMatch, ifNoneMatch, ifUnmodifiedSinceMs } = precondition
  if (ifNoneMatch !== undefined && matches(ifNoneMatch, current.versionTag)) return true
  if (ifMatch !== undefined) return !matches(ifMatch, current.versionTag)
  if (ifUnmodifiedSinceMs === undefined) return false
  return Math.floor(toMs(current.updated) / 1000) * 1000 > ifUnmodifiedSinceMs
}

/** Why a change cannot be merged with those made since its base; null if it can. */
function findMergeConflict({ versionTag, changedSinceBase = null }: Current, command: ChangeCommand): string | null {
  const { mergeBase } = command.precondition
  if (mergeBase === undefined || mergeBase === versionTag) return null
  if (changedSinceBase === null) return 'The merge base is not a version of this record. Read the record again.'
  const written = toWrittenFields(command)
  const both = changedSinceBase.filter((name) => written.has(name))
  if (both.length === 0) return null
  return `Others have changed ${both.join(', ')} since your base. Read the record again, then repeat the change.`
}

/** The fields that a command sets, even to the value they already have. */
function toWrittenFields(command: ChangeCommand): ReadonlySet<string> {
  switch (command.kind) {
    case 'replace':
      return new Set(writableNames)
    case 'merge':
      return new Set(Object.keys(command.changes))
    case 'patch':
      return new Set(command.operations.flatMap(toOperationFields))
  }
}

/** `move` and `copy` also involve the field they read; an operation on the whole document involves every field. */
function toOperationFields(operation: PatchOperation): readonly string[] {
  const pointers = 'from' in operation ? [operation.path, operation.from] : [operation.path]
  return pointers.flatMap(([field]) => (field === undefined ? writableNames : [field]))
}

const matches = (versionTags: '*' | readonly VersionTag[], versionTag: VersionTag) =>
  versionTags === '*' || versionTags.includes(versionTag)

const refuse = (refusal: Refusal): Decision => ({ is: 'refused', refusal })

type Applied = { readonly ok: true; readonly record: VideoRecord } | { readonly ok: false; readonly refusal: Refusal }

/** The record with the change applied, without checking roles. */
export function applyChange(record: VideoRecord, change: RecordChange): Applied {
  switch (change.kind) {
    case 'replace':
      return { ok: true, record: toWhole({ state: record.state, ...change.changes }, record) }
    case 'merge':
      return { ok: true, record: merge(record, change.changes) }
    case 'patch':
      return patch(record, change.operations)
  }
}

type ReadOnlyFields = Pick<VideoRecord, 'id' | 'slug' | 'added' | 'updated'>

/** A complete record: fields that are left out get their defaults, and the embed is built from `source_url`. */
function toWhole(changes: Changes, { id, slug, added, updated }: ReadOnlyFields): VideoRecord {
  const embed = toEmbed(changes.source_url ?? '')
  const whole = { ...toDefaults(), embed, ...changes, id, slug, added, updated }
  // Parsing ensured the required fields; the defaults supply the rest.
  return whole as VideoRecord
}

/** A new `source_url` gets a new embed only if the old embed was built from the old URL. */
function merge(record: VideoRecord, changes: Changes): VideoRecord {
  const next = { ...record, ...changes }
  if (changes.source_url === undefined || changes.embed !== undefined) return next
  return record.embed === toEmbed(record.source_url) ? { ...next, embed: toEmbed(next.source_url) } : next
}

function patch(record: VideoRecord, operations: readonly PatchOperation[]): Applied {
  const fail = (refusal: Refusal): Applied => ({ ok: false, refusal })
  const patched = applyPatch(record, operations)
  if (patched.is === 'test-failed') return fail({ code: 'patch_test_failed', detail: patched.problem })
  if (patched.is !== 'done') return fail({ code: 'patch_impossible', detail: patched.problem })
  if (!isJsonObject(patched.value))
    return fail({ code: 'patch_impossible', detail: 'The result of the patch must be an object.' })
  const removed = toRemovedFields(patched.value)
  const parsed = parseFields({ ...toDifferences(record, patched.value), ...removed.nulls }, 'part', record.id)
  const errors = new Map([...removed.errors, ...(parsed.ok ? [] : parsed.errors)])
  if (!parsed.ok || errors.size > 0) return fail({ code: 'bad_fields', errors })
  return { ok: true, record: merge(record, parsed.changes) }
}

function toDifferences(record: VideoRecord, patched: JsonObject): JsonObject {
  const before: JsonObject = record
  const isNew = (name: string, value: JsonValue) => !Object.hasOwn(before, name) || !isSameJson(before[name], value)
  return Object.fromEntries(Object.entries(patched).filter(([name, value]) => isNew(name, value)))
}

/** Removing a field sets it to null; a field that cannot be null cannot be removed. */
function toRemovedFields(patched: JsonObject): { readonly nulls: JsonObject; readonly errors: FieldErrors } {
  const removed = writableNames.filter((name) => !(name in patched))
  const isNullable = (name: WritableName) => fields[name].kind.nullable
  return {
    nulls: Object.fromEntries(removed.filter(isNullable).map((name) => [name, null])),
    errors: new Map(removed.filter((name) => !isNullable(name)).map((name) => [name, ['Cannot be removed.']])),
  }
}

/** What a version means to readers of live records. A change within a draft is an update for callers who see drafts. */
export type ChangeKind = 'created' | 'updated' | 'withdrawn'

type State = VideoRecord['state']

/** `before` is null for a new record. A record that is published again counts as created. */
export function toChangeKind(before: State | null, after: State): ChangeKind {
  if (before === null || (before === draft && after === live)) return 'created'
  return before === live && after === draft ? 'withdrawn' : 'updated'
}

/** Whether an import makes a record live or a draft depends on these. */
export interface ImportedState {
  readonly current: State
  /** The state in the source; undefined if the source has none. */
  readonly imported: State | undefined
  /** The source took the record down before, and has no state for it now. */
  readonly wasTakenDown: boolean
  /** The record is a draft only because the import that made it live was undone. */
  readonly wasUndone: boolean
  /** Another source took the record down. */
  readonly isTakenDownElsewhere: boolean
  /** The import creates drafts and publishes nothing. */
  readonly isDraftsOnly: boolean
}

/** The state that an import requests, null to keep the current one; and whether a takedown prevails over it (decision 29). */
export function decideImportedState(given: ImportedState): {
  readonly state: State | null
  readonly staysDraft: boolean
} {
  const wanted = given.imported ?? (given.wasUndone ? live : null)
  const state = wanted === live && given.current === draft && given.isDraftsOnly ? null : wanted
  const staysDraft = given.wasTakenDown || (state === live && given.isTakenDownElsewhere)
  return { state: staysDraft ? null : state, staysDraft }
}
