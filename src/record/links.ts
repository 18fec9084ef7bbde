import { findBadText, ok, type Parsed, wrong } from './field-kind.ts'
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts'
import { isHttpUrl } from './text/address.ts'
import type { Timestamp } from './timestamp.ts'

/** A page about a talk elsewhere. The label may be empty. */
export interface RelatedLink {
  readonly url: string
  readonly label: string
}

/** The key under which extras have the links of a talk. */
export const linksKey = 'related_urls'

/** The name of the links in reports of batches, beside the names of fields. */
export const linksField = 'related'

export const maxLinks = 100
const maxUrl = 2048
const maxLabel = 255

/** One edit of the links, and the links before it; null if there were none. Types, so that they are assignable to JSON. */
export type LinksEdit = {
  readonly at: Timestamp
  readonly by: string
  readonly reason: string | null
  /** The batch that it belongs to, if any. */
  readonly batch?: number
  readonly before: JsonValue
}

/** The edits of the links of a talk. Stored beside the extras (decision 63). */
export type LinksLog = {
  /** The links in the source at its last import; null if it had none. */
  readonly imported: JsonValue
  /** The newest first. */
  readonly edits: readonly LinksEdit[]
}

/** Older edits are dropped. */
export const maxEdits = 50

/** Sources have URLs, or objects with a URL and a label. Other entries are not links. */
export function toLinks(value: JsonValue | undefined): RelatedLink[] {
  return Array.isArray(value) ? value.flatMap((entry: JsonValue) => toLink(entry) ?? []) : []
}

function toLink(entry: JsonValue): RelatedLink | null {
  const { url, label } = isJsonObject(entry) ? entry : { url: entry, label: null }
  if (typeof url !== 'string' || !isHttpUrl(url)) return null
  return { url, label: typeof label === 'string' ? label.trim() : '' }
}

/** A link as one line of text. */
export const toLine = ({ url, label }: RelatedLink) => `${url} ${label.replace(/\s/g, ' ')}`.trim()

/**
 * One link per line: a URL, then its label. An unchanged line keeps its entry as it was; entries that are not links
 * follow at the end.
 */
export function parseLinks(text: string, base: JsonValue | undefined): Parsed<JsonValue[]> {
  const entries = Array.isArray(base) ? base.map((entry: JsonValue) => ({ entry, link: toLink(entry) })) : []
  const others = entries.flatMap(({ entry, link }) => (link === null ? [entry] : []))
  const lines = text.split(/[\r\n]/).flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
  if (lines.length > maxLinks) return wrong(`Must have at most ${maxLinks} links.`)
  const problems: string[] = []
  const links = lines.map((line, i): JsonValue => {
    const known = entries.find(({ link }) => link !== null && toLine(link) === line)
    if (known !== undefined) return known.entry
    const [url = '', ...words] = line.split(/\s/)
    const label = words.filter((word) => word !== '').join(' ')
    const problem = findProblem(url, label)
    if (problem !== null) problems.push(`Line ${i + 1}: ${problem}`)
    return { label, url }
  })
  return problems.length > 0 ? wrong(...problems) : ok([...links, ...others])
}

function findProblem(url: string, label: string): string | null {
  if (!isHttpUrl(url)) return 'Must begin with an address that starts with http:// or https://.'
  return findBadText(url, maxUrl) ?? findBadText(label, maxLabel)
}

/** A hash that identifies the links that a form showed. */
export function toLinksTag(value: JsonValue | undefined): string {
  return new Bun.CryptoHasher('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('hex')
    .slice(0, 16)
}

/** Extras of a record, as they are stored. */
export interface StoredExtras {
  readonly values: JsonObject
  readonly basis: JsonObject
}

const none: StoredExtras = { values: {}, basis: { said: {}, absent: [] } }

/** The edits of the links; null if nobody has edited them. */
export function findLinksLog(basis: JsonObject): LinksLog | null {
  const { links } = basis
  // Safe: only `withLinks` and `withImportedLinks` write it.
  return isJsonObject(links) ? (links as LinksLog) : null
}

/** The extras after an edit of the links. */
export function withLinks(
  extras: StoredExtras | null,
  links: readonly JsonValue[],
  made: Omit<LinksEdit, 'before'>,
): StoredExtras {
  const { values, basis } = extras ?? none
  const before = values[linksKey] ?? null
  const { imported, edits } = findLinksLog(basis) ?? { imported: before, edits: [] }
  const log: LinksLog = { imported, edits: [{ ...made, before }, ...edits].slice(0, maxEdits) }
  return { values: withEntry(values, links.length === 0 ? null : links), basis: { ...basis, links: log } }
}

/** The extras that an import stores: edited links stay. */
export function withImportedLinks(before: StoredExtras | null, next: StoredExtras | null): StoredExtras | null {
  const log = before === null ? null : findLinksLog(before.basis)
  if (before === null || log === null) return next
  const { values, basis } = next ?? none
  const links: LinksLog = { ...log, imported: values[linksKey] ?? null }
  return { values: withEntry(values, before.values[linksKey] ?? null), basis: { ...basis, links } }
}

function withEntry(values: JsonObject, links: JsonValue): JsonObject {
  if (links !== null) return { ...values, [linksKey]: links }
  // An empty list, if the source has the key: an export writes the same keys.
  return Object.hasOwn(values, linksKey) ? { ...values, [linksKey]: [] } : values
}
