/** Any JSON value. Objects from our parser have no prototype, so `__proto__` is an ordinary name. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

export interface JsonObject {
  readonly [name: string]: JsonValue
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isSameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => isSameJson(item, b[i]))
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => name in b && isSameJson(a[name], b[name]))
}

/** The value of a text that we have stored, or that another server sent; undefined if it is not JSON. */
export function parseJsonText(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a stored text is a JSON array of names. */
export function isNamesText(text: string, isName: (name: string) => boolean): boolean {
  const names = parseJsonText(text)
  return Array.isArray(names) && names.every((name) => typeof name === 'string' && isName(name))
}

/** Parses JSON and refuses what parsers disagree about: BOM, invalid UTF-8, duplicate names, deep nesting, overflow. */
export function parseJson(bytes: Uint8Array): ParsedJson {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    return fail('Unexpected byte order mark at the start.')
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return fail('Invalid UTF-8.')
  }
  const cursor: Cursor = { text, at: 0 }
  try {
    const value = readValue(cursor, 0)
    skipSpace(cursor)
    if (cursor.at < text.length) throw new JsonError('Unexpected text after the value', cursor.at)
    return { ok: true, value }
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    return fail(`${error.message}, ${toPosition(text, error.at)}.`)
  }
}

/**
 * Compact ASCII JSON without `<`, `>` and `&`: every parser reads the same value, and a browser that mistakes it for
 * HTML finds no markup.
 */
export function toAsciiJson(value: JsonValue): string {
  return toAscii(JSON.stringify(value))
}

const maxNesting = 32
/** Ample for any double in practice, although the exact decimal value of 5e-324 has 767 digits. */
const maxNumberLength = 400
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

type ParsedJson = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly problem: string }

interface Cursor {
  readonly text: string
  at: number
}

class JsonError extends Error {
  readonly at: number
  constructor(message: string, offset: number) {
    super(message)
    this.at = offset
  }
}

const fail = (problem: string): ParsedJson => ({ ok: false, problem })

function toPosition(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n')
  return `at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}

function readValue(cursor: Cursor, depth: number): JsonValue {
  skipSpace(cursor)
  switch (cursor.text[cursor.at]) {
    case '{':
      return readObject(cursor, depth + 1)
    case '[':
      return readArray(cursor, depth + 1)
    case '"':
      return readString(cursor)
    case 't':
      return readWord(cursor, 'true', true)
    case 'f':
      return readWord(cursor, 'false', false)
    case 'n':
      return readWord(cursor, 'null', null)
    case undefined:
      throw new JsonError('Unexpected end, expected a value', cursor.at)
    default:
      return readNumber(cursor)
  }
}

function readObject(cursor: Cursor, depth: number): JsonObject {
  enter(cursor, depth)
  const object: Record<string, JsonValue> = Object.create(null)
  if (takeIf(cursor, '}')) return object
  do {
    skipSpace(cursor)
    const start = cursor.at
    if (cursor.text[start] !== '"') throw new JsonError('Expected a name in double quotes', start)
    const name = readString(cursor)
    if (name in object) throw new JsonError(`Duplicate name ${JSON.stringify(name)}`, start)
    take(cursor, ':')
    object[name] = readValue(cursor, depth)
  } while (takeIf(cursor, ','))
  take(cursor, '}')
  return object
}

function readArray(cursor: Cursor, depth: number): JsonValue[] {
  enter(cursor, depth)
  const array: JsonValue[] = []
  if (takeIf(cursor, ']')) return array
  do array.push(readValue(cursor, depth))
  while (takeIf(cursor, ','))
  take(cursor, ']')
  return array
}

function enter(cursor: Cursor, depth: number): void {
  if (depth > maxNesting) throw new JsonError(`Nested deeper than ${maxNesting} levels`, cursor.at)
  cursor.at++
}

function readString(cursor: Cursor): string {
  const { text, at: start } = cursor
  let offset = start + 1
  let isPlain = true
  for (let code = text.charCodeAt(offset); code !== 0x22; code = text.charCodeAt(++offset)) {
    if (Number.isNaN(code)) throw new JsonError('Unterminated string', start)
    if (code < 0x20) throw new JsonError('Unescaped control character in a string', offset)
    if (code === 0x5c) {
      isPlain = false
      offset++
    }
  }
  cursor.at = offset + 1
  if (isPlain) return text.slice(start + 1, offset)
  try {
    return JSON.parse(text.slice(start, cursor.at))
  } catch {
    throw new JsonError('Invalid escape sequence in a string', start)
  }
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

function readNumber(cursor: Cursor): number {
  numberPattern.lastIndex = cursor.at
  const found = numberPattern.exec(cursor.text)
  if (found === null) throw new JsonError('Invalid value', cursor.at)
  if (found[0].length > maxNumberLength) {
    throw new JsonError(`Number with more than ${maxNumberLength} characters`, cursor.at)
  }
  const value = Number(found[0])
  if (!Number.isFinite(value)) throw new JsonError('Number too large', cursor.at)
  if (isRounded(found[0], value)) throw new JsonError('Number with more digits than can be stored', cursor.at)
  cursor.at = numberPattern.lastIndex
  return value === 0 ? 0 : value
}

/** Whether parsing turned a fraction into an integer, or a non-zero number into 0. */
function isRounded(text: string, value: number): boolean {
  if (!Number.isInteger(value) || /^-?\d+$/.test(text)) return false
  const [mantissa = '', exponent = '0'] = text.replace('-', '').toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = toSignificantLength(`${whole}${fraction}`)
  if (digits === 0) return false
  const places = digits - whole.length - Number(exponent)
  return value === 0 || places > 0
}

/** The number of digits up to the last one that is not 0. */
function toSignificantLength(digits: string): number {
  let length = digits.length
  while (length > 0 && digits[length - 1] === '0') length--
  return length
}

function readWord<T extends JsonValue>(cursor: Cursor, word: string, value: T): T {
  if (!cursor.text.startsWith(word, cursor.at)) throw new JsonError('Invalid value', cursor.at)
  cursor.at += word.length
  return value
}

function skipSpace(cursor: Cursor): void {
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
    cursor.at++
  }
}

function takeIf(cursor: Cursor, mark: string): boolean {
  skipSpace(cursor)
  if (cursor.text[cursor.at] !== mark) return false
  cursor.at++
  return true
}

function take(cursor: Cursor, mark: string): void {
  if (!takeIf(cursor, mark)) throw new JsonError(`Expected "${mark}"`, cursor.at)
}

/** Escapes JSON text the same way. */
function toAscii(json: string): string {
  return json.replace(/[<>&\u0080-\uffff]+/g, toEscapes)
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Escapes a run at a time: non-Latin text has long runs, and a call per character takes four times as long. */
function toEscapes(run: string): string {
  let escapes = ''
  for (let i = 0; i < run.length; i++) {
    const code = run.charCodeAt(i)
    escapes += `\\u${hex[code >> 8]}${hex[code & 0xff]}`
  }
  return escapes
}
