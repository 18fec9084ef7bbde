import { type FieldKind, findBadText, notA, ok, wrong } from '../field-kind.ts'
import type { JsonValue } from '../json/json-value.ts'

const maxUrlLength = 2048
/** Signed addresses of media stores are long. */
const maxMediaUrlLength = 10_000
const expected = 'Must be empty or an absolute URL that begins with http:// or https://.'

/** An absolute http(s) URL or `""`; null is taken as `""`, since an old client sends it. */
export function address(): FieldKind<string> {
  return {
    type: 'url',
    nullable: false,
    maxLength: maxUrlLength,
    parse: (value) => (value === null ? ok('') : parseAddress(value, maxUrlLength)),
  }
}

/** The same, but null and `""` are kept apart as they were written. */
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

/** A text without the names and passwords in its addresses: `http://ann:secret@host/` -> `http://host/`. */
export function withoutUserInfo(text: string): string {
  const [before = '', ...addresses] = text.split('://')
  return [before, ...addresses.map(withoutUser)].join('://')
}

/** What stands behind `://` begins with a host, before which a user may stand, up to the last `@`. */
function withoutUser(rest: string): string {
  const end = rest.search(/[\s/?#\\]/)
  const authority = end < 0 ? rest : rest.slice(0, end)
  return rest.slice(authority.lastIndexOf('@') + 1)
}

/** The same of what should be an address and may be none, for messages: a password may have any sign in it. */
export function toPublicAddress(given: string): string {
  const [start, end] = [given.indexOf('://'), given.lastIndexOf('@')]
  return start < 0 || end < start ? given : `${given.slice(0, start)}://${given.slice(end + 1)}`
}
