import { findBadText } from '../field-kind.ts'
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../json.ts'
import type { FieldErrors, VideoRecord } from '../record.ts'
import { someAddress } from '../text/address.ts'

/**
 * What belongs to a record beside its fields (decision 91): links, other recordings, chapters. A record has at most one
 * companion of each kind. Each has versions in the log of its record; nothing of it is in the record itself.
 */
export interface CompanionKind<Content extends JsonObject = JsonObject> {
  /** As people read it. */
  readonly label: string
  /** Its content where nobody has given any. */
  readonly empty: Content
  /** The content of a PUT. What the service itself adds to an answer is ignored. */
  parse(body: JsonValue, record: CompanionRecord): ParsedCompanion<Content>
  /** What the source of an import says of it, in its own keys. */
  fromSource(source: CompanionSource): Content
  /** These keys as an export writes them. `source`: what the record was imported from, if it was. */
  toSource(content: Content, source: CompanionSource | null, file: JsonObject): JsonObject
  /** What the filters `has` and `missing` find it by, and the pages of the talks that it names. */
  listTraits(content: Content): readonly string[]
  /** The ids of other records that it names. */
  listRecords(content: Content): readonly number[]
  /** As people edit it: one entry per line. */
  toLines(content: Content): string
  /** A body for `parse`; what is wrong is told with the number of its line. */
  parseLines(text: string): ParsedCompanion<JsonObject>
  readonly entries: EntryList
  /** The content after a bulk change; null if this kind has none. */
  readonly edit: CompanionEditor<Content> | null
}

/** Where a content has its entries. */
interface EntryList {
  readonly list: string
  /** The member by which an entry is known when two people change a content at once; null: they are one whole. */
  readonly key: string | null
  /** Whether they are in the order of their keys. */
  readonly isSorted: boolean
}

/** What a companion may depend on. */
export type CompanionRecord = Pick<
  VideoRecord,
  'id' | 'source_url' | 'video_mp4_url' | 'video_webm_url' | 'video_ogv_url' | 'video_flv_url' | 'duration'
>

/** For content that is to be judged without its record, which may have changed since. */
export const anyRecord: CompanionRecord = {
  ...{ id: 0, source_url: '', duration: null },
  ...{ video_mp4_url: null, video_webm_url: null, video_ogv_url: null, video_flv_url: null },
}

/** Extras, as an import stores them (decision 12). */
export interface CompanionSource {
  readonly values: JsonObject
  readonly basis: JsonObject
}

export type ParsedCompanion<Content> =
  | { readonly ok: true; readonly content: Content }
  | { readonly ok: false; readonly errors: FieldErrors }

/** Bulk changes of a companion: a request is parsed once, then applied to the content of each record. */
interface CompanionEditor<Content> {
  parse(request: JsonObject): ParsedCompanion<JsonObject>
  /** Null if the result would have too many entries. */
  apply(content: Content, request: JsonObject, record: CompanionRecord): Content | null
}

export const accept = <Content>(content: Content): ParsedCompanion<Content> => ({ ok: true, content })
export const refuse = (name: string, problems: readonly string[]): ParsedCompanion<never> => ({
  ok: false,
  errors: new Map([[name, problems]]),
})

const maxProblems = 100

/**
 * Reads the entries of a body with one list: `{"links": [...]}`. `parse` throws `BadEntry`, and returns null for an entry
 * that is to be left out.
 */
export function parseEntries<Entry extends JsonObject>(
  body: JsonValue,
  { name, max, count = () => true }: ListRules<Entry>,
  parse: (entry: JsonObject) => Entry | null,
): ParsedCompanion<readonly Entry[]> {
  if (!isJsonObject(body)) return refuse(name, ['This field is required.'])
  const foreign = Object.keys(body).filter((key) => key !== name)
  const given = body[name]
  if (!Array.isArray(given))
    return refuse(name, [given === undefined ? 'This field is required.' : 'Must be an array.'])
  const problems: string[] = []
  const entries: Entry[] = []
  for (const [i, each] of given.entries()) {
    try {
      if (!isJsonObject(each)) throw new BadEntry('Must be an object.')
      const entry = parse(each)
      if (entry !== null && !entries.some((known) => isSameJson(known, entry))) entries.push(entry)
    } catch (error) {
      if (!(error instanceof BadEntry)) throw error
      if (problems.length < maxProblems) problems.push(`Entry ${i + 1}: ${error.message}`)
    }
  }
  if (entries.filter(count).length > max) problems.unshift(`Must have at most ${max} entries.`)
  const errors = new Map<string, readonly string[]>(foreign.map((key) => [key, ['Unknown field.']]))
  if (problems.length > 0) errors.set(name, problems)
  return errors.size > 0 ? { ok: false, errors } : accept(entries)
}

interface ListRules<Entry> {
  readonly name: string
  readonly max: number
  /** Which entries count. */
  count?(entry: Entry): boolean
}

/** Reads a text of one entry per line; blank lines do not count. `parse` throws `BadEntry`. */
export function parseLinesOf(
  name: string,
  text: string,
  parse: (line: string) => JsonObject,
): ParsedCompanion<JsonObject> {
  const entries: JsonObject[] = []
  const problems: string[] = []
  for (const [i, line] of text.split(/\r\n|[\r\n]/).entries()) {
    if (line.trim() === '') continue
    try {
      entries.push(parse(line.trim()))
    } catch (error) {
      if (!(error instanceof BadEntry)) throw error
      if (problems.length < maxProblems) problems.push(`Line ${i + 1}: ${error.message}`)
    }
  }
  return problems.length > 0 ? refuse(name, problems) : accept({ [name]: entries })
}

/** The address in a line, and the words around it, without the signs between both. */
export function splitLine(line: string): { readonly url: string; readonly words: string } {
  const url = line.split(/\s+/).find((word) => /^https?:\/\//i.test(word))
  if (url === undefined) throw new BadEntry('It has no address that begins with http:// or https://.')
  const at = line.indexOf(url)
  const [before, after] = [line.slice(0, at), dropSigns(line.slice(at + url.length))]
  return { url, words: `${before.replace(/[\s:–—-]{1,20}$/, '')} ${after}`.trim() }
}

/** Without the signs between a time or an address and the words that follow: spaces, dashes, spaces. */
export const dropSigns = (text: string) => text.replace(/^\s{0,20}[:–—-]{0,20}\s{0,20}/, '')

/** Words that begin with a sign get one more, which `dropSigns` drops. */
export const withSign = (words: string) => (/^[:–—-]/.test(words) ? `– ${words}` : words)

/** What is wrong with an entry, as a sentence. */
export class BadEntry extends Error {}

/** Refuses members that the kind does not have: a misspelt one would be lost. */
export function refuseOthers(others: JsonObject, ignored: readonly string[] = []): void {
  const name = Object.keys(others).find((each) => !ignored.includes(each))
  if (name !== undefined) throw new BadEntry(`There is no ${JSON.stringify(name)}.`)
}

const address = someAddress()

/** An address of a companion: as `source_url`, never empty, and without user info. */
export function requireAddress(value: JsonValue | undefined): string {
  if (value === undefined) throw new BadEntry('It has no "url".')
  const parsed = address.parse(typeof value === 'string' ? value.trim() : value)
  if (!parsed.ok) throw new BadEntry(parsed.problems.join(' '))
  if (hasUser(parsed.value)) throw new BadEntry('The address may not have a user name or password.')
  return parsed.value
}

const hasUser = (url: string) => {
  const { username, password } = new URL(url)
  return username !== '' || password !== ''
}

/** The address of an entry of a source; null if it is none of ours. */
export function findAddress(value: JsonValue | undefined): string | null {
  try {
    return requireAddress(value)
  } catch (error) {
    if (error instanceof BadEntry) return null
    throw error
  }
}

/** A text of one line. */
export function requireLine(name: string, value: JsonValue | undefined, max: number): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw new BadEntry(`"${name}" must be a string.`)
  const line = value.replace(/\s+/g, ' ').trim()
  const problem = findBadText(value, Number.POSITIVE_INFINITY) ?? findBadText(line, max)
  if (problem !== null) throw new BadEntry(`"${name}": ${problem}`)
  return line
}

export function requireOneOf<Word extends string>(
  name: string,
  value: JsonValue | undefined,
  words: readonly Word[],
): Word | null {
  if (value === undefined || value === null) return null
  const word = words.find((each) => each === value)
  if (word === undefined) throw new BadEntry(`"${name}" must be one of ${words.join(', ')}.`)
  return word
}

/** The addresses at which the record itself says that its talk can be watched, its page first. */
export function listOwn(record: CompanionRecord): readonly { readonly url: string; readonly kind: 'page' | 'file' }[] {
  const { source_url: page, video_mp4_url, video_webm_url, video_ogv_url, video_flv_url } = record
  const files = [video_mp4_url, video_webm_url, video_ogv_url, video_flv_url].flatMap((url) =>
    url === null || url === '' ? [] : [{ url, kind: 'file' as const }],
  )
  const isFile = files.some(({ url }) => url === page)
  return page === '' || isFile ? files : [{ url: page, kind: 'page' }, ...files]
}
