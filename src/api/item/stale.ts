import { toETag } from '../../http/conditional.ts'
import type { Representation } from '../../http/negotiate.ts'
import type { Problem } from '../../http/problem.ts'
import type { Precondition, RecordChange, VersionTag } from '../../record/command.ts'
import { toConflict } from '../../record/conflict.ts'
import { applyDecision } from '../../record/decide.ts'
import { fromBody } from '../../record/json/body-bytes.ts'
import type { VideoRecord } from '../../record/record.ts'
import type { Store, StoredRecord } from '../../store/store.ts'
import { toMissing } from '../missing.ts'

/** A change that came too late. */
export interface LateChange {
  readonly id: number
  readonly precondition: Precondition
  /** Null where the body could not be read. */
  readonly change: RecordChange | null
  readonly representation: Representation
  /** What to say instead of the usual sentence. */
  readonly detail?: string | undefined
}

/** A 412 that people can solve: the record as it is now, and field by field what it was, is, and was to become. */
export async function toStaleProblem(store: Store, late: LateChange): Promise<Problem> {
  const { id, precondition, change, representation, detail } = late
  const current = await store.read(id)
  if (current === null) return toMissing(store, id)
  const theirs = fromBody(current.body)
  const base = await findBase(store, current, precondition)
  const { fields, conflicts } = toConflict(base, theirs, change === null ? null : toWished(base ?? theirs, change))
  const etag = toETag(current.versionTag, representation)
  return {
    code: 'stale',
    ...(detail === undefined ? {} : { detail }),
    more: { current: { version: current.version, etag, updated: current.updated }, fields, conflicts },
  }
}

/** A client names one version, or two that it knows; a list may have hundreds. */
const maxLookups = 4

/** The newest version that the caller named, as far as it is one of this record. Only that one is read. */
async function findBase(store: Store, current: StoredRecord, precondition: Precondition): Promise<VideoRecord | null> {
  const { ifMatch = [], mergeBase } = precondition
  const versionTags = new Set<VersionTag>(mergeBase === undefined ? (ifMatch === '*' ? [] : ifMatch) : [mergeBase])
  const numbers = [...new Set([...versionTags].map((versionTag) => Number.parseInt(versionTag, 10)))]
    .filter((number) => number >= 1 && number <= current.version)
    .sort((one, other) => other - one)
  for (const number of numbers.slice(0, maxLookups)) {
    const versionTag = await store.findVersionTag(current.id, number)
    const version =
      versionTag !== null && versionTags.has(versionTag) ? await store.readVersion(current.id, number) : null
    if (version !== null) return fromBody(version.body)
  }
  return null
}

function toWished(record: VideoRecord, change: RecordChange): VideoRecord | null {
  const next = applyDecision(record, change)
  return 'code' in next ? null : next
}
