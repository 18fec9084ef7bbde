import { Refused } from '../http/problem.ts'
import type { Call, Caller } from '../http/route.ts'
import type { VersionTag } from '../record/command.ts'
import { fromBody, parseRecordId, type VideoRecord } from '../record/record.ts'
import type { SiteDeps } from '../site/site.ts'
import type { UrlParameters, Urls } from '../site/urls.ts'
import type { StoredVersion } from '../store/change-log.ts'
import type { ReadStore, StoredRecord } from '../store/store.ts'
import { findEventOfTalk, findNext, type NextInList } from './lists/read-list.ts'

/** Urls of the pages about one talk. Each keeps the work list that the person came from. */
export interface TalkPages {
  /** The list as an address has it; null outside of a list. */
  readonly list: string | null
  readonly edit: string
  readonly links: string
  readonly preview: string
  history(parameters?: UrlParameters): string
  compare(parameters?: UrlParameters): string
  version(number: number): string
}

export function toTalkPages(urls: Urls, id: number, list: string | null): TalkPages {
  return {
    list,
    edit: urls.edit(id, { list }),
    links: urls.links(id, { list }),
    preview: urls.preview(id, { list }),
    history: (parameters = {}) => urls.history(id, { ...parameters, list }),
    compare: (parameters = {}) => urls.compare(id, { ...parameters, list }),
    version: (number) => urls.version(id, number, { list }),
  }
}

/** The work list in an address; null if the person did not come from one. */
export const readList = (call: Call) => call.query().get('list') || null

/** The pages of the talk that is open. */
export function readTalkPages(call: Call<'id'>, urls: Urls): TalkPages {
  return toTalkPages(urls, Number(call.params.id), readList(call))
}

/** Where a person is in a work list. */
export interface ListPlace {
  /** The list as an address has it. */
  readonly list: string
  /** The talk that was open before. */
  readonly from: number | null
  /** Whether the person has just asked for the next talk, and there is none. */
  readonly isEnd: boolean
  /** The title of the event that the list is narrowed to; absent if it is not known. */
  readonly event?: string
  /** Absent if nobody asked, or the list cannot be read. */
  readonly next?: NextInList
}

/** Null outside of a list. */
export function readListPlace(call: Call): ListPlace | null {
  const list = readList(call)
  const from = parseRecordId(call.query().get('from') ?? '')
  return list === null ? null : { list, from, isEnd: call.query().get('end') === '1' }
}

export async function findListPlace(
  call: Call,
  deps: SiteDeps,
  caller: Caller,
  { id, category }: Pick<VideoRecord, 'id' | 'category'>,
): Promise<ListPlace | null> {
  const place = readListPlace(call)
  if (place === null) return null
  const next = await tryNext(deps, caller, place.list, id)
  const event = await findEventOfTalk(deps.store, new URLSearchParams(place.list), category)
  return { ...place, ...(event === null ? {} : { event }), ...(next === null ? {} : { next }) }
}

/** Null if the list cannot be read now: it may take too long, but that is no reason not to open or save a talk. */
export async function tryNext(...search: Parameters<typeof findNext>): Promise<NextInList | null> {
  try {
    return await findNext(...search)
  } catch (error) {
    if (error instanceof Refused) return null
    throw error
  }
}

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

function toTalkVersion({ id, version, versionTag, body }: StoredRecord): TalkVersion {
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

/** Under this name browsers keep what is typed into the form of a talk. */
export const toUnsavedKey = (id: number) => `video-${id}`

interface Between {
  readonly id: number
  readonly after: number
  readonly before: number
}

/** Versions are read one by one; of more than this many during one edit, the last count. */
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
