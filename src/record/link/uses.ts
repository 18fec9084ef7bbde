import { listOwn } from '../companion/address.ts'
import type { ChangedName } from '../companion/kinds.ts'
import type { Recordings } from '../companion/recordings.ts'
import type { RelatedLinks } from '../companion/related.ts'
import type { JsonObject } from '../json.ts'
import { mediaFields } from '../quality/finding-codes.ts'
import type { VideoRecord } from '../record.ts'
import type { LinkRole } from './link.ts'

/** An address of a record, and as what the record has it. */
export interface LinkUse {
  readonly url: string
  readonly role: LinkRole
}

/** The companions that have addresses. */
export interface LinkCompanions {
  readonly recordings: JsonObject
  readonly related: JsonObject
}

const addressNames: ReadonlySet<ChangedName> = new Set([
  'source_url',
  ...mediaFields,
  'thumbnail_url',
  'recordings',
  'related',
] as const)

/** Whether a change of it may change addresses of the record. */
export const hasAddresses = (name: ChangedName) => addressNames.has(name)

/** All addresses of a record, each once per role, in the order in which its page would play them. */
export function listLinkUses(record: VideoRecord, { recordings, related }: LinkCompanions): LinkUse[] {
  // As their kinds have made them.
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
