import { type WritableName, writableNames } from './fields.ts'
import { isSameJson, type JsonValue } from './json/json-value.ts'
import type { VideoRecord } from './record.ts'

/** A field that the base, the current record and the caller's wish do not agree on. */
export type ConflictField = {
  /** Absent where the base is unknown. */
  readonly base?: JsonValue
  readonly theirs: JsonValue
  /** Absent where the wish could not be read. */
  readonly yours?: JsonValue
}

export interface Conflict {
  readonly fields: { readonly [name: string]: ConflictField }
  /** Those that both sides changed, and differently. The others could be merged. */
  readonly conflicts: readonly WritableName[]
}

/** What became of the record since its base, beside what the caller would make of it. */
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
