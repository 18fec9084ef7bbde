import type { JsonObject, JsonValue } from './json-value.ts'

const maxNesting = 32
/** More than any number needs that a double can hold; all of 5e-324 written out would have 767 digits, but nobody does. */
const maxNumberLength = 400
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export type ParsedJson =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problem: string }

/** Bytes -> JSON, refusing what parsers disagree about: BOM, invalid UTF-8, repeated names, deep nesting, overflow. */
export function parseJson(bytes: Uint8Array): ParsedJson {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return fail('It begins with a byte order mark.')
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return fail('It is not valid UTF-8.')
  }
  const cursor: Cursor = { text, at: 0 }
  try {
    const value = readValue(cursor, 0)
    skipSpace(cursor)
    if (cursor.at < text.length) throw new JsonError('Nothing may follow the value', cursor.at)
    return { ok: true, value }
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    return fail(`${error.message}, ${toPlace(text, error.at)}.`)
  }
}

interface Cursor {
  readonly text: string
  at: number
}

class JsonError extends Error {
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

const fail = (problem: string): ParsedJson => ({ ok: false, problem })

function toPlace(text: string, at: number): string {
  const before = text.slice(0, at).split('\n')
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
      throw new JsonError('It ends where a value should be', cursor.at)
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
    if (cursor.text[start] !== '"') throw new JsonError('A name in double quotes should be here', start)
    const name = readString(cursor)
    if (name in object) throw new JsonError(`The name ${JSON.stringify(name)} is there twice`, start)
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
  if (depth > maxNesting) throw new JsonError(`It is nested deeper than ${maxNesting} levels`, cursor.at)
  cursor.at++
}

function readString(cursor: Cursor): string {
  const { text, at: start } = cursor
  let at = start + 1
  let isPlain = true
  for (let code = text.charCodeAt(at); code !== 0x22; code = text.charCodeAt(++at)) {
    if (Number.isNaN(code)) throw new JsonError('This string is not closed', start)
    if (code < 0x20) throw new JsonError('A control character in a string must be escaped', at)
    if (code === 0x5c) {
      isPlain = false
      at++
    }
  }
  cursor.at = at + 1
  if (isPlain) return text.slice(start + 1, at)
  try {
    return JSON.parse(text.slice(start, cursor.at))
  } catch {
    throw new JsonError('This string has a wrong escape', start)
  }
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

function readNumber(cursor: Cursor): number {
  numberPattern.lastIndex = cursor.at
  const found = numberPattern.exec(cursor.text)
  if (found === null) throw new JsonError('This is no JSON value', cursor.at)
  if (found[0].length > maxNumberLength) {
    throw new JsonError(`This number has more than ${maxNumberLength} characters`, cursor.at)
  }
  const value = Number(found[0])
  if (!Number.isFinite(value)) throw new JsonError('This number is too large', cursor.at)
  if (isRounded(found[0], value)) throw new JsonError('This number has more digits than can be kept', cursor.at)
  cursor.at = numberPattern.lastIndex
  return value === 0 ? 0 : value
}

/** Whether reading made it a whole number that it was not, or nothing of something. */
function isRounded(text: string, value: number): boolean {
  if (!Number.isInteger(value) || /^-?\d+$/.test(text)) return false
  const [mantissa = '', exponent = '0'] = text.replace('-', '').toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = toSignificantLength(`${whole}${fraction}`)
  if (digits === 0) return false
  const places = digits - whole.length - Number(exponent)
  return value === 0 || places > 0
}

/** How many digits there are up to the last one that is not 0. */
function toSignificantLength(digits: string): number {
  let length = digits.length
  while (length > 0 && digits[length - 1] === '0') length--
  return length
}

function readWord<T extends JsonValue>(cursor: Cursor, word: string, value: T): T {
  if (!cursor.text.startsWith(word, cursor.at)) throw new JsonError('This is no JSON value', cursor.at)
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
  if (!takeIf(cursor, mark)) throw new JsonError(`"${mark}" should be here`, cursor.at)
}
