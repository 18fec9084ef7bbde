import { type WritableName, writableNames } from './fields.ts'
import { isSameJson, type JsonValue } from './json/json-value.ts'
import type { VideoRecord } from './record.ts'

/** A field whose values differ between base, current record and requested record. */
export type ConflictField = {
  /** Absent if the base is unknown. */
  readonly base?: JsonValue
  readonly theirs: JsonValue
  /** Absent if the requested record could not be computed. */
  readonly yours?: JsonValue
}

export interface Conflict {
  readonly fields: { readonly [name: string]: ConflictField }
  /** Fields that both sides changed to different values. The others can be merged. */
  readonly conflicts: readonly WritableName[]
}

/** Compares what others made of the record since the base with what the caller requested. */
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
