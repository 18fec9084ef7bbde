import type { VersionTag } from '../../../record/command.ts'
import { fromBody } from '../../../record/json/body-bytes.ts'
import type { VideoRecord } from '../../../record/record.ts'
import type { ReadStore, StoredRecord } from '../../../store/store.ts'

/** A version of a talk that a form is made from. */
export interface TalkVersion {
  readonly id: number
  readonly version: number
  readonly etag: VersionTag
  readonly record: VideoRecord
}

/** The talk as it is stored now; null if there is none. */
export async function findTalk(store: Pick<ReadStore, 'read'>, id: number): Promise<TalkVersion | null> {
  const stored = await store.read(id)
  return stored === null ? null : toTalkVersion(stored)
}

export function toTalkVersion({ id, version, versionTag, body }: StoredRecord): TalkVersion {
  return { id, version, etag: versionTag, record: fromBody(body) }
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
