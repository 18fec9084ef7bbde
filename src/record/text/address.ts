import { type FieldKind, findBadText, notA, ok, wrong } from '../field-kind.ts'
import type { JsonValue } from '../json.ts'

const maxUrlLength = 2048
/** Signed URLs of media stores are long. */
const maxMediaUrlLength = 10_000
const expected = 'Must be empty or an absolute URL that starts with http:// or https://.'

/** An absolute http(s) URL or `""`. Null is stored as `""`, because old clients send it. */
export function address(): FieldKind<string> {
  return {
    type: 'url',
    nullable: false,
    maxLength: maxUrlLength,
    parse: (value) => (value === null ? ok('') : parseAddress(value, maxUrlLength)),
  }
}

/** As `address`, but never empty. */
export function someAddress(): FieldKind<string> {
  return {
    type: 'url',
    nullable: false,
    maxLength: maxUrlLength,
    parse: (value) => (value === '' ? wrong('May not be blank.') : parseAddress(value, maxUrlLength)),
  }
}

/** As `address`, but null and `""` are stored as sent. */
export function mediaAddress(): FieldKind<string | null> {
  return {
    type: 'url',
    nullable: true,
    maxLength: maxMediaUrlLength,
    parse: (value) => (value === null ? ok(null) : parseAddress(value, maxMediaUrlLength)),
  }
}

function parseAddress(value: JsonValue, maxLength: number) {
  if (typeof value !== 'string') return notA('a string', value)
  const problem = findBadText(value, maxLength)
  if (problem !== null) return wrong(problem)
  return value === '' || isHttpUrl(value) ? ok(value) : wrong(expected)
}

export function isHttpUrl(value: string): boolean {
  return /^https?:\/\/[^\s/?#\\]\S*$/i.test(value) && URL.canParse(value)
}

/** Removes user names and passwords from the URLs in a text: `http://ann:secret@host/` -> `http://host/`. */
export function withoutUserInfo(text: string): string {
  const [before = '', ...addresses] = text.split('://')
  return [before, ...addresses.map(withoutUser)].join('://')
}

/** The user info after `://` ends at the last `@` of the authority. */
function withoutUser(rest: string): string {
  const end = rest.search(/[\s/?#\\]/)
  const authority = end < 0 ? rest : rest.slice(0, end)
  return rest.slice(authority.lastIndexOf('@') + 1)
}

/** For messages about an invalid address: drops all up to the last `@`, since a password may contain any character. */
export function toPublicAddress(given: string): string {
  const [start, end] = [given.indexOf('://'), given.lastIndexOf('@')]
  return start < 0 || end < start ? given : `${given.slice(0, start)}://${given.slice(end + 1)}`
}

/** A part of a URL; one that cannot be decoded stays as it is. */
export function toDecoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
