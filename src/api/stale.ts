import { toEntityTag } from '../http/conditional.ts'
import type { Representation } from '../http/negotiate.ts'
import type { Problem } from '../http/problem.ts'
import type { Change, Mark, Precondition } from '../record/command.ts'
import { toConflict } from '../record/conflict.ts'
import { toNext } from '../record/decide.ts'
import { fromBody } from '../record/json-body.ts'
import type { VideoRecord } from '../record/record.ts'
import type { StoredVersion } from '../store/log.ts'
import type { Store } from '../store/store.ts'
import { toMissing } from './missing.ts'

/** A change that came too late. */
export interface LateChange {
  readonly id: number
  readonly precondition: Precondition
  /** Null where the body could not be read. */
  readonly change: Change | null
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
  const base = await findBase(store, id, precondition)
  const { fields, conflicts } = toConflict(base, theirs, change === null ? null : toWished(base ?? theirs, change))
  const etag = toEntityTag(current.mark, representation)
  return {
    code: 'stale',
    ...(detail === undefined ? {} : { detail }),
    more: { current: { version: current.version, etag, updated: current.updated }, fields, conflicts },
  }
}

/** The newest version that the caller named, as far as it is one of this record. */
async function findBase(store: Store, id: number, { ifMatch, mergeBase }: Precondition): Promise<VideoRecord | null> {
  const marks = mergeBase === undefined ? (ifMatch ?? []) : [mergeBase]
  const found = marks === '*' ? [] : await Promise.all(marks.map((mark) => findVersion(store, id, mark)))
  const versions = found.filter((version) => version !== null)
  const [newest] = versions.sort((one, other) => other.version - one.version)
  return newest === undefined ? null : fromBody(newest.body)
}

async function findVersion(store: Store, id: number, mark: Mark): Promise<StoredVersion | null> {
  const number = Number.parseInt(mark, 10)
  const version = Number.isSafeInteger(number) ? await store.readVersion(id, number) : null
  return version?.mark === mark ? version : null
}

function toWished(record: VideoRecord, change: Change): VideoRecord | null {
  const next = toNext(record, change)
  return 'code' in next ? null : next
}
