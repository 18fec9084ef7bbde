import { toETag } from '../http/conditional.ts'
import type { Representation } from '../http/negotiate.ts'
import { type Problem, refuseMissing } from '../http/problem.ts'
import type { Precondition, RecordChange, VersionTag } from '../record/command.ts'
import { applyChange } from '../record/decide.ts'
import { fromBody, type VideoRecord } from '../record/record.ts'
import { toConflict } from '../record/three-way-merge.ts'
import type { Store, StoredRecord } from '../store/store.ts'

/** A change whose precondition the record does not meet. */
export interface StaleChange {
  readonly id: number
  readonly precondition: Precondition
  /** Null if the body is invalid. */
  readonly change: RecordChange | null
  readonly representation: Representation
}

/** A 412 with the current version and, for each field, the base, current and requested values (decision 9). */
export async function findConflict(store: Store, stale: StaleChange, detail?: string): Promise<Problem> {
  const { id, precondition, change, representation } = stale
  const current = await store.read(id)
  if (current === null) return refuseMissing(store, id)
  const theirs = fromBody(current.body)
  const base = await findBase(store, current, precondition)
  const { fields, conflicts } = toConflict(base, theirs, change === null ? null : applyOrNull(base ?? theirs, change))
  const etag = toETag(current.versionTag, representation)
  return {
    code: 'stale',
    ...(detail === undefined ? {} : { detail }),
    more: { current: { version: current.version, etag, updated: current.updated }, fields, conflicts },
  }
}

/** Clients send one or two ETags; a hostile list may have hundreds. */
const maxLookups = 4

/** The newest version of this record that the precondition names. */
async function findBase(store: Store, current: StoredRecord, precondition: Precondition): Promise<VideoRecord | null> {
  const { ifMatch = [], mergeBase } = precondition
  const versionTags = new Set<VersionTag>(mergeBase === undefined ? (ifMatch === '*' ? [] : ifMatch) : [mergeBase])
  const numbers = [...new Set([...versionTags].map((versionTag) => Number.parseInt(versionTag, 10)))]
    .filter((number) => number >= 1 && number <= current.version)
    .sort((a, b) => b - a)
  for (const number of numbers.slice(0, maxLookups)) {
    const versionTag = await store.findVersionTag(current.id, number)
    const version =
      versionTag !== null && versionTags.has(versionTag) ? await store.readVersion(current.id, number) : null
    if (version !== null) return fromBody(version.body)
  }
  return null
}

function applyOrNull(record: VideoRecord, change: RecordChange): VideoRecord | null {
  const applied = applyChange(record, change)
  return applied.ok ? applied.record : null
}
