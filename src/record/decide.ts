import {
  type ChangeCommand,
  type CreateCommand,
  hasRole,
  type Precondition,
  type RecordChange,
  type Refusal,
  type VersionTag,
} from './command.ts'
import { toEmbed } from './embed/embed.ts'
import { fields, type WritableName, writableNames } from './fields.ts'
import { applyPatch, type PatchOperation } from './json/json-patch.ts'
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from './json/json-value.ts'
import { type Changes, type FieldErrors, parseFields, toChangedFields, toDefaults, type VideoRecord } from './record.ts'
import { type Timestamp, toLater, toMs } from './timestamp.ts'

/** A stored record and what is known of it beside its fields. */
export interface Current {
  readonly record: VideoRecord
  readonly versionTag: VersionTag
  /** What later versions changed, where the command names a base to merge with; null where that base is unknown. */
  readonly changedSinceBase?: readonly WritableName[] | null
}

export type Decision =
  | { readonly is: 'accepted'; readonly record: VideoRecord; readonly changed: readonly WritableName[] }
  | { readonly is: 'unchanged' }
  | { readonly is: 'refused'; readonly refusal: Refusal }

/** What the store gives a new record. */
export interface Identity {
  readonly id: number
  readonly slug: string
  /** When it was made, if that was not now: elsewhere, before it was imported. */
  readonly added?: Timestamp
}

const live = 1
const draft = 2

/** A new record, or why there may be none. Knows neither clock nor database. */
export function decideCreate(command: CreateCommand, identity: Identity, now: Timestamp): Decision {
  const { changes, author } = command
  const record = toWhole({ state: draft, ...changes }, { added: now, ...identity, updated: now })
  if (record.state === live && !hasRole(author.role, 'publisher'))
    return refuse({ code: 'publishing_is_for_publishers' })
  return { is: 'accepted', record, changed: writableNames }
}

/** The only place where a change is judged: updates, imports, restores and dry runs all pass here. */
export function decide(current: Current | null, command: ChangeCommand, now: Timestamp): Decision {
  if (current === null) return refuse({ code: 'not_found' })
  const { record } = current
  const mayPublish = hasRole(command.author.role, 'publisher')
  if (record.state === live && !mayPublish) return refuse({ code: 'live_is_for_publishers' })
  if (isStale(command.precondition, { versionTag: current.versionTag, updated: record.updated }))
    return refuse({ code: 'stale' })
  const contested = toContested(current, command)
  if (contested !== null) return refuse({ code: 'stale', detail: contested })
  const next = applyDecision(record, command)
  if ('code' in next) return refuse(next)
  if (next.state === live && !mayPublish) return refuse({ code: 'publishing_is_for_publishers' })
  const changed = toChangedFields(record, next)
  if (changed.length === 0) return { is: 'unchanged' }
  return { is: 'accepted', record: { ...next, updated: toLater(record.updated, now) }, changed }
}

/** Whether a record or category is no longer what the caller believes it to be. */
export function isStale(precondition: Precondition, current: { versionTag: VersionTag; updated: Timestamp }): boolean {
  const { ifMatch, ifNoneMatch, ifUnmodifiedSinceMs } = precondition
  if (ifNoneMatch !== undefined && matches(ifNoneMatch, current.versionTag)) return true
  if (ifMatch !== undefined) return !matches(ifMatch, current.versionTag)
  if (ifUnmodifiedSinceMs === undefined) return false
  return Math.floor(toMs(current.updated) / 1000) * 1000 > ifUnmodifiedSinceMs
}

/** Why a change cannot be merged with what others did since its base; null where it can. */
function toContested({ versionTag, changedSinceBase = null }: Current, command: ChangeCommand): string | null {
  const { mergeBase } = command.precondition
  if (mergeBase === undefined || mergeBase === versionTag) return null
  if (changedSinceBase === null) return 'The base of the merge is no version of this record. Read the record again.'
  const wanted = toWantedFields(command)
  const touched = changedSinceBase.filter((name) => wanted.has(name))
  if (touched.length === 0) return null
  return `Since your base others have changed ${touched.join(', ')}. Read the record again, then repeat the change.`
}

/** The fields that a change is about, whether or not it changes their values. */
function toWantedFields(command: ChangeCommand): ReadonlySet<string> {
  switch (command.kind) {
    case 'replace':
      return new Set(writableNames)
    case 'merge':
      return new Set(Object.keys(command.changes))
    case 'patch':
      return new Set(command.operations.flatMap(toPatchedFields))
  }
}

/** Moves and copies are also about where their value comes from; an operation on the whole document about all of it. */
function toPatchedFields(operation: PatchOperation): readonly string[] {
  const pointers = 'from' in operation ? [operation.path, operation.from] : [operation.path]
  return pointers.flatMap(([field]) => (field === undefined ? writableNames : [field]))
}

const matches = (versionTags: '*' | readonly VersionTag[], versionTag: VersionTag) =>
  versionTags === '*' || versionTags.includes(versionTag)

const refuse = (refusal: Refusal): Decision => ({ is: 'refused', refusal })

/** The record with the change, whoever may make it. */
export function applyDecision(record: VideoRecord, command: RecordChange): VideoRecord | Refusal {
  switch (command.kind) {
    case 'replace':
      return toWhole({ state: record.state, ...command.changes }, record)
    case 'merge':
      return merge(record, command.changes)
    case 'patch':
      return patch(record, command.operations)
  }
}

type ReadOnlyFields = Pick<VideoRecord, 'id' | 'slug' | 'added' | 'updated'>

/** A whole record: what the body left out goes back to the table's values, the player is built. */
function toWhole(changes: Changes, { id, slug, added, updated }: ReadOnlyFields): VideoRecord {
  const embed = toEmbed(changes.source_url ?? '')
  const whole = { ...toDefaults(), embed, ...changes, id, slug, added, updated }
  // Required fields were there when the body was parsed; the rest have values now.
  return whole as VideoRecord
}

/** A new address gets a new player only while the player is the one we built. */
function merge(record: VideoRecord, changes: Changes): VideoRecord {
  const next = { ...record, ...changes }
  if (changes.source_url === undefined || changes.embed !== undefined) return next
  return record.embed === toEmbed(record.source_url) ? { ...next, embed: toEmbed(next.source_url) } : next
}

function patch(record: VideoRecord, operations: readonly PatchOperation[]): VideoRecord | Refusal {
  const patched = applyPatch(record, operations)
  if (patched.is === 'test-failed') return { code: 'patch_test_failed', detail: patched.problem }
  if (patched.is !== 'done') return { code: 'patch_impossible', detail: patched.problem }
  if (!isJsonObject(patched.value)) return { code: 'patch_impossible', detail: 'The result must be one object.' }
  const removed = toRemovedFields(patched.value)
  const parsed = parseFields({ ...toDifferences(record, patched.value), ...removed.nulls }, 'part', record.id)
  const errors = new Map([...removed.errors, ...(parsed.ok ? [] : parsed.errors)])
  if (!parsed.ok || errors.size > 0) return { code: 'bad_fields', errors }
  return merge(record, parsed.changes)
}

function toDifferences(record: VideoRecord, patched: JsonObject): JsonObject {
  const before: JsonObject = record
  const isNew = (name: string, value: JsonValue) => !Object.hasOwn(before, name) || !isSameJson(before[name], value)
  return Object.fromEntries(Object.entries(patched).filter(([name, value]) => isNew(name, value)))
}

/** A removed field is null from now on; one that may not be null may not be removed. */
function toRemovedFields(patched: JsonObject): { readonly nulls: JsonObject; readonly errors: FieldErrors } {
  const removed = writableNames.filter((name) => !(name in patched))
  const isNullable = (name: WritableName) => fields[name].kind.nullable
  return {
    nulls: Object.fromEntries(removed.filter(isNullable).map((name) => [name, null])),
    errors: new Map(removed.filter((name) => !isNullable(name)).map((name) => [name, ['May not be removed.']])),
  }
}

/** What a version was for those who read live records only; a draft's own changes count as the same for the others. */
export type ChangeKind = 'created' | 'updated' | 'withdrawn'

type State = VideoRecord['state']

/** `before` is null for a new record. One that becomes public again counts as created. */
export function toChangeKind(before: State | null, after: State): ChangeKind {
  if (before === null || (before === 2 && after === 1)) return 'created'
  return before === 1 && after === 2 ? 'withdrawn' : 'updated'
}
