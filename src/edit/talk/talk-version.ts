import type { VersionTag } from '../../record/command.ts'
import { fromBody, type VideoRecord } from '../../record/record.ts'
import type { StoredVersion } from '../../store/change-log.ts'
import type { ReadStore, StoredRecord } from '../../store/store.ts'

/** A version of a talk that a form is made from. */
export interface TalkVersion {
  readonly id: number
  readonly version: number
  readonly etag: VersionTag
  readonly record: VideoRecord
}

/** The talk as it is stored now; null if there is none. */
export async function findEditedTalk(store: Pick<ReadStore, 'read'>, id: number): Promise<TalkVersion | null> {
  const stored = await store.read(id)
  return stored === null ? null : toTalkVersion(stored)
}

/** The version that the ETag of a form names; null if this talk has no such version. */
export async function findVersion(
  store: Pick<ReadStore, 'readVersion'>,
  id: number,
  etag: string | null,
): Promise<TalkVersion | null> {
  const number = Number(/^(\d{1,9})-/.exec(etag ?? '')?.[1])
  const found = Number.isNaN(number) ? null : await store.readVersion(id, number)
  if (found === null || found.versionTag !== etag) return null
  return { id, version: number, etag, record: fromBody(found.body) }
}

/** Browsers keep the unsaved form of a talk under this name. */
export const toUnsavedKey = (id: number) => `video-${id}`

/** The flag in the URL after a save. Numbers only, since anybody can craft a URL. */
export interface SavedFlag {
  readonly id: number
  /** The version that the form was made from. */
  readonly base: number
  readonly version: number
}

export const toSavedFlag = ({ id, base, version }: SavedFlag) => `${id}-${base}-${version}`

export function parseSavedFlag(text: string | null): SavedFlag | null {
  const parts = /^(\d{1,15})-(\d{1,9})-(\d{1,9})$/.exec(text ?? '')
  return parts === null ? null : { id: Number(parts[1]), base: Number(parts[2]), version: Number(parts[3]) }
}

interface Between {
  readonly id: number
  readonly after: number
  readonly before: number
}

/** Versions are read one by one; of more versions during one edit, only the last ones are read. */
const maxVersions = 20

/** The versions of a talk between two others. */
export async function listVersionsBetween(
  store: Pick<ReadStore, 'readVersion'>,
  { id, after, before }: Between,
): Promise<StoredVersion[]> {
  const versions: StoredVersion[] = []
  for (let number = Math.max(after + 1, before - maxVersions); number < before; number++) {
    const made = await store.readVersion(id, number)
    if (made !== null) versions.push(made)
  }
  return versions
}

function toTalkVersion({ id, version, versionTag, body }: StoredRecord): TalkVersion {
  return { id, version, etag: versionTag, record: fromBody(body) }
}
