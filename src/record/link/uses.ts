import { listOwn } from '../companion/companion.ts'
import type { ChangedName } from '../companion/kinds.ts'
import type { Recordings } from '../companion/recordings.ts'
import type { RelatedLinks } from '../companion/related.ts'
import type { JsonObject } from '../json.ts'
import { addressFields } from '../quality/finding-codes.ts'
import type { VideoRecord } from '../record.ts'
import type { Timestamp } from '../timestamp.ts'
import { isDead, type LinkRole, type LinkState } from './link.ts'

/** An address of a record, and what the record uses it for. */
export interface LinkUse {
  readonly url: string
  readonly role: LinkRole
}

/** An address of a record, and its state. */
export interface RecordLink extends LinkUse {
  readonly state: LinkState
  /** Of the state. */
  readonly since: Timestamp | null
  readonly target: string | null
}

/** The states of a record's addresses; `unknown` for one that is not among them. */
export type LinkStates = ReadonlyMap<string, Pick<RecordLink, 'state' | 'since'>>

export const toLinkStates = (links: readonly RecordLink[]): LinkStates =>
  new Map(links.map(({ url, state, since }) => [url, { state, since }]))

export const isDeadIn = (states: LinkStates, url: string) => isDead(states.get(url)?.state ?? 'unknown')

/** The dead addresses of a record. */
export interface DeadLinks {
  readonly urls: readonly string[]
  /** Whether the record had recordings, all of which are dead. */
  readonly isLost: boolean
}

/** The companions that have addresses. */
export interface LinkCompanions {
  readonly recordings: JsonObject
  readonly related: JsonObject
}

const addressNames: ReadonlySet<ChangedName> = new Set([...addressFields, ...(['recordings', 'related'] as const)])

/** Whether a change of it may change addresses of the record. */
export const hasAddresses = (name: ChangedName) => addressNames.has(name)

/** All addresses of a record, each once per role, in the order in which its page would play them. */
export function listLinkUses(record: VideoRecord, { recordings, related }: LinkCompanions): LinkUse[] {
  // Their kinds have validated them.
  const { recordings: others = [] } = recordings as Partial<Recordings>
  const { links = [] } = related as Partial<RelatedLinks>
  const all: LinkUse[] = [
    ...listOwn(record).map(({ url, kind }) => ({ url, role: kind })),
    ...others.map(({ url, kind }) => ({ url, role: kind })),
    ...(record.thumbnail_url === '' ? [] : [{ url: record.thumbnail_url, role: 'thumbnail' as const }]),
    ...links.map(({ url }) => ({ url, role: 'related' as const })),
  ]
  const seen = new Set<string>()
  return all.filter(({ url, role }) => {
    const key = `${role} ${url}`
    return !seen.has(key) && seen.add(key)
  })
}
