import { Refused, refuseMissing } from '../../http/problem.ts'
import { type Decision, decide } from '../../record/decide.ts'
import { fromBody, toChanges, type VideoRecord } from '../../record/record.ts'
import { type Author, hasRole } from '../../record/role.ts'
import { toTimestamp } from '../../record/timestamp.ts'
import type { StoredVersion, VersionLine } from '../../store/change-log.ts'
import type { ReadStore, StoredRecord } from '../../store/store.ts'

/** The stored record with its fields. */
export interface CurrentTalk {
  readonly stored: StoredRecord
  readonly record: VideoRecord
}

/** A version with its fields. */
export interface NumberedVersion {
  readonly line: VersionLine
  readonly record: VideoRecord
}

/** A version and the one before it; null for the first. */
export interface Step {
  readonly version: NumberedVersion
  readonly before: NumberedVersion | null
}

type VersionStore = Pick<ReadStore, 'read' | 'isErased' | 'readVersion'>

/** Refuses the request if there is no such talk, or if it was erased. */
export async function requireTalk(store: VersionStore, id: number): Promise<CurrentTalk> {
  const stored = await store.read(id)
  return stored === null ? refuseMissing(store, id) : { stored, record: fromBody(stored.body) }
}

export async function requireVersion(store: VersionStore, id: number, number: number): Promise<NumberedVersion> {
  const version = await findTalkVersion(store, id, number)
  if (version === null) throw new Refused({ code: 'no_such_record_version' })
  return version
}

export async function findTalkVersion(
  store: VersionStore,
  id: number,
  number: number,
): Promise<NumberedVersion | null> {
  const version = number < 1 ? null : await store.readVersion(id, number)
  return version === null ? null : toTalkVersion(version)
}

/** What restoring a version would do, by the same rules as the writer. */
export function decideRestore({ stored, record }: CurrentTalk, version: VideoRecord, author: Author): Decision {
  const command = { kind: 'replace', id: stored.id, changes: toChanges(version), author, precondition: {} } as const
  return decide({ record, versionTag: stored.versionTag }, command, toTimestamp(Date.now()))
}

/** Editors restore drafts as drafts. */
export function mayRestore({ role }: Pick<Author, 'role'>, current: VideoRecord, version: VideoRecord): boolean {
  if (hasRole(role, 'publisher')) return true
  return hasRole(role, 'editor') && current.state === 2 && version.state === 2
}

function toTalkVersion({ body, versionTag: _, ...line }: StoredVersion): NumberedVersion {
  return { line, record: fromBody(body) }
}
