import { type LinkState, linkStates } from '../link/link.ts'
import type { Timestamp } from '../timestamp.ts'
import { createParameterReader, parseNames } from './parameter.ts'
import type { BadQuery, Paging } from './query.ts'

export interface LinkFilters {
  readonly states?: readonly LinkState[]
  /** In lower case. */
  readonly host?: string
  /** Slug or title of the category of a record that has the address. */
  readonly category?: string
}

export interface LinksQuery extends LinkFilters, Paging {}

/** `isTroubled`: only addresses that a curator should act on. */
export interface LinksReportQuery extends Omit<LinkFilters, 'states'>, Paging {
  readonly isTroubled?: true
}

/** An address of records. Types, not interfaces, so that they are assignable to JSON. */
export type LinkLine = {
  readonly url: string
  readonly host: string
  readonly state: LinkState
  readonly since: Timestamp | null
  readonly failures: number
  readonly status: number | null
  readonly last_ok: Timestamp | null
  readonly checked: Timestamp | null
  readonly evidence: string
  readonly target: string | null
  /** Ids of the records that have it, ascending. */
  readonly videos: readonly number[]
}

export type LinkCounts = { readonly [State in LinkState]: number }

/** How many addresses of an event are at a host, by state. */
export type LinkReportLine = LinkCounts & {
  /** Title of the category. */
  readonly category: string
  readonly slug: string
  readonly host: string
}

export interface LinkReport {
  readonly count: number
  readonly page: number
  readonly lines: readonly LinkReportLine[]
  /** Each address once, over all pages. */
  readonly totals: LinkCounts
}

const isLinkState = (text: string): text is LinkState => linkStates.some((state) => state === text)

/** Parses `state`, `host` and `category`; ignores empty ones. */
export function parseLinkFilters(
  parameters: URLSearchParams,
): { readonly ok: true; readonly filters: LinkFilters } | BadQuery {
  const reader = createParameterReader(parameters)
  const states = reader.read('state', (text) =>
    parseNames(text, isLinkState, `some of ${linkStates.join(', ')}, separated by commas`),
  )
  const host = reader.read('host', (text) => ({ value: text.toLowerCase() }))
  const category = reader.read('category', (text) => ({ value: text }))
  if (reader.errors.size > 0) return { ok: false, problem: 'bad_parameter', errors: reader.errors }
  const given = { states, host, category }
  return { ok: true, filters: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
}
