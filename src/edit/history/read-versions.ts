import { Refused, refuseMissing, requireRead } from '../../http/problem.ts'
import { type CompanionName, companionNames, isCompanionName, listLines, toKind } from '../../record/companion/kinds.ts'
import { type Decision, decide } from '../../record/decide.ts'
import type { JsonObject } from '../../record/json.ts'
import { fromBody, toChanges, type VideoRecord } from '../../record/record.ts'
import { type Author, hasRole } from '../../record/role.ts'
import { draft } from '../../record/state.ts'
import { toTimestamp } from '../../record/timestamp.ts'
import { isTranscriptName, type TranscriptLine } from '../../record/transcript/transcript-kind.ts'
import type { StoredVersion, VersionLine } from '../../store/change-log.ts'
import type { ReadStore, StoredCompanion, StoredRecord } from '../../store/store.ts'

/** The stored record with its fields, and its companions. */
export interface CurrentTalk {
  readonly stored: StoredRecord
  readonly record: VideoRecord
  /** With only the transcript that was asked for. */
  readonly companions: readonly StoredCompanion[]
  readonly transcripts: readonly TranscriptLine[]
  /** The number of the last version, which may be one of a companion. */
  readonly newest: number
}

/** A version with its fields. */
export interface NumberedVersion {
  readonly line: VersionLine
  readonly record: VideoRecord
}

/** A version as a diff takes it: fields, and companions as lines. */
export interface SeenVersion extends NumberedVersion {
  readonly seen: JsonObject
}

type VersionStore = Pick<ReadStore, 'read' | 'isErased' | 'readVersion' | 'readCompanion' | 'listTranscripts'>

/** Refuses the request if there is no such talk, or if it was erased. */
export async function requireTalk(
  store: VersionStore,
  id: number,
  asked: CompanionName | null = null,
): Promise<CurrentTalk> {
  const stored = (await store.read(id)) ?? (await refuseMissing(store, id))
  const companions: StoredCompanion[] = []
  const others = asked !== null && isTranscriptName(asked) ? [asked] : []
  for (const name of [...companionNames, ...others]) companions.push(await store.readCompanion(id, name))
  const transcripts = requireRead(await store.listTranscripts({ id }))
  const newest = Math.max(stored.version, ...[...companions, ...transcripts].map(({ number }) => number))
  return { stored, record: fromBody(stored.body), companions, transcripts, newest }
}

/** The companion that a version is about; null if it is about the record. */
export const findCompanionName = ({ changed }: Pick<VersionLine, 'changed'>): CompanionName | null =>
  changed.find(isCompanionName) ?? null

/** Whether the talk, or the companion that the version is about, still is as in this version. */
export function isCurrent({ stored, companions, transcripts }: CurrentTalk, line: VersionLine): boolean {
  const name = findCompanionName(line)
  const known = [...companions, ...transcripts]
  const now = name === null ? stored.version : known.find((each) => each.name === name)?.number
  return line.version === now
}

export function toRestoreTitle(number: number, name: CompanionName | null): string {
  return name === null
    ? `Restore version ${number}`
    : `Restore the ${toKind(name).label.toLowerCase()} of version ${number}`
}

/** Companions at a version, each as its lines. */
export async function readLines(
  store: Pick<ReadStore, 'readCompanion'>,
  id: number,
  number: number,
  names: readonly CompanionName[] = companionNames,
): Promise<JsonObject> {
  const lines: { [name: string]: readonly string[] } = {}
  for (const name of names) lines[name] = listLines(name, (await store.readCompanion(id, name, number)).content)
  return lines
}

/** `others`: transcripts to show with it, besides the one that the version is about. */
export async function requireSeen(
  store: VersionStore,
  id: number,
  number: number,
  others: readonly CompanionName[] = [],
): Promise<SeenVersion> {
  const version = await requireVersion(store, id, number)
  const names = new Set([...companionNames, ...others, ...version.line.changed.filter(isTranscriptName)])
  return { ...version, seen: { ...version.record, ...(await readLines(store, id, number, [...names])) } }
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

/** Editors restore drafts as drafts. A companion has no state of its own. */
export function mayRestore({ role }: Pick<Author, 'role'>, current: VideoRecord, version: NumberedVersion): boolean {
  if (hasRole(role, 'publisher')) return true
  const isDraft = version.record.state === draft || findCompanionName(version.line) !== null
  return hasRole(role, 'editor') && current.state === draft && isDraft
}

function toTalkVersion({ body, versionTag: _, ...line }: StoredVersion): NumberedVersion {
  return { line, record: fromBody(body) }
}
