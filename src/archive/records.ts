import { basename, resolve } from 'node:path'
import { isFieldName } from '../record/fields.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../record/json.ts'
import { isTimestamp, toTimestamp } from '../record/timestamp.ts'
import { fitFields, toGivenSlug, toOwnId, type Unfit } from './fit.ts'
import type { ArchiveSource, Incoming } from './incoming.ts'

/** Clocks differ, and older programs wrote local time. */
const maxAheadMs = 86_400_000

/** A record as the API serves it, from a server or a file. Missing fields get their defaults. */
export function* readServedRecord(value: JsonValue, path: string, now = Date.now): Iterable<Incoming> {
  if (!isJsonObject(value)) return yield { is: 'problem', path, field: null, reason: 'Not a JSON object.' }
  const { id, slug, added, updated } = value
  const fitted = fitFields(value, '')
  if (!fitted.ok) {
    for (const [field, reasons] of fitted.errors) yield { is: 'problem', path, field, reason: reasons.join(' ') }
    return
  }
  const number = toOwnId(id)
  const checkTime = createTimeCheck(now())
  const reasons = { id: checkId(id), slug: checkSlug(slug), added: checkTime(added), updated: checkTime(updated) }
  const wrong = Object.entries(reasons).flatMap(([field, reason]) => (reason === null ? [] : [{ field, reason }]))
  const unfit = [...fitted.unfit, ...wrong]
  yield {
    is: 'talk',
    path: number === null ? path : `id ${number}`,
    id: number,
    slug: toGivenSlug(slug),
    added: reasons.added === null && !isNone(added) ? String(added) : null,
    updated: reasons.updated === null && !isNone(updated) ? String(updated) : null,
    changes: fitted.changes,
    unfit,
    isTakenDown: false,
    original: unfit.length === 0 ? null : { is: 'unfit', values: pick(value, unfit) },
  }
}

/** Why a value is refused; null if it is valid or missing. */
type Check = (value: JsonValue | undefined) => string | null

const isNone = (value: JsonValue | undefined) => value === undefined || value === null || value === ''

const checkId: Check = (id) => (isNone(id) || toOwnId(id) !== null ? null : 'Must be a positive integer.')

const checkSlug: Check = (slug) =>
  isNone(slug) || toGivenSlug(slug) !== null ? null : 'Must be lowercase words joined by hyphens.'

function createTimeCheck(nowMs: number): Check {
  const latest = toTimestamp(nowMs + maxAheadMs)
  return (time) => {
    if (isNone(time)) return null
    if (typeof time !== 'string' || !isTimestamp(time)) return 'Must be a time, YYYY-MM-DDThh:mm:ss.mmm.'
    return time > latest ? 'Must not be in the future.' : null
  }
}

/** The values that do not fit, including those beyond the limit of the report. */
function pick(value: JsonObject, unfit: readonly Unfit[]): JsonObject {
  const names = new Set(unfit.map(({ field }) => field))
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name) || !isFieldName(name)))
}

/**
 * Reads all lines twice, unless all have an id. Those with an id come first, so that no other talk of the same source
 * gets that id, and nothing has to be held in memory.
 */
async function* readLines(file: Bun.BunFile): AsyncIterable<Incoming> {
  for (const isFirst of [true, false]) {
    let [number, others] = [0, 0]
    for await (const bytes of splitLines(file.stream())) {
      number++
      const hasId = bytes !== 'too long' && hasOwnId(bytes)
      if (hasId === isFirst) yield* readLine(bytes, `line ${number}`)
      else others++
    }
    if (others === 0) return
  }
}

function* readLine(bytes: BoundedText, path: string): Iterable<Incoming> {
  const refuse = (reason: string): Incoming => ({ is: 'problem', path, field: null, reason })
  if (bytes === 'too long')
    return yield refuse(`Longer than ${maxTextBytes / mebibyte} MiB, which is too large for a record.`)
  if (bytes.every(isSpace)) return
  const parsed = parseJson(bytes)
  if (parsed.ok) yield* readServedRecord(parsed.value, path)
  else yield refuse(`Not JSON: ${parsed.problem}`)
}

const mark = Buffer.from('"id"')
const colon = 0x3a
const quote = 0x22
const [one, nine] = [0x31, 0x39]

/** Whether a talk's JSON has an id, found without parsing it. A string "id", such as a tag, or a null id does not count. */
export function hasOwnId(json: Uint8Array): boolean {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.length)
  for (let offset = bytes.indexOf(mark); offset >= 0; offset = bytes.indexOf(mark, offset + 1)) {
    const next = skipSpaces(bytes, offset + mark.length)
    if (bytes[next] !== colon) continue
    const value = skipSpaces(bytes, next + 1)
    // Older programs write it as a string.
    const first = bytes[bytes[value] === quote ? value + 1 : value] ?? 0
    if (first >= one && first <= nine) return true
  }
  return false
}

function skipSpaces(bytes: Uint8Array, from: number): number {
  let offset = from
  while (isSpace(bytes[offset])) offset++
  return offset
}

/** Whether JSON takes a byte for space. */
function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** A file of records, one JSON object per line. */
export function openLines(path: string): ArchiveSource {
  const file = Bun.file(resolve(path))
  return { name: basename(path), total: null, has: () => true, read: () => readLines(file) }
}

const mebibyte = 1024 * 1024
/** Parsing takes about three times as much memory. The largest archive that we know has 35 MB as an array. */
export const maxArrayBytes = 64 * mebibyte

/** A file with one JSON array of records, parsed in memory (decision 81). Those with an id come first. */
export function openArray(path: string): ArchiveSource {
  const name = basename(path)
  const file = Bun.file(resolve(path))
  const refuse = (reason: string): Incoming => {
    return { is: 'problem', path: name, field: null, reason: `${reason} Nothing of it was imported.` }
  }
  async function* read(): AsyncIterable<Incoming> {
    if (file.size > maxArrayBytes) return yield refuse(tooLarge)
    const parsed = parseJson(await file.bytes())
    if (!parsed.ok) return yield refuse(`Not JSON: ${parsed.problem}`)
    if (!Array.isArray(parsed.value)) return yield refuse('Not a JSON array.')
    const entries = parsed.value.map((value: JsonValue, i) => ({ value, path: `entry ${i + 1}` }))
    const hasId = ({ value }: { readonly value: JsonValue }) => isJsonObject(value) && toOwnId(value.id) !== null
    const [first, others] = [entries.filter(hasId), entries.filter((entry) => !hasId(entry))]
    for (const entry of [...first, ...others]) yield* readServedRecord(entry.value, entry.path)
  }
  return { name, total: null, has: () => true, read }
}

const tooLarge =
  `A JSON array of more than ${maxArrayBytes / mebibyte} MiB is too large to import. Write one record per line (NDJSON), ` +
  'for example with jq -c ".[]", and import that file.'

/** A record has at most a few hundred kilobytes. A longer line is not held in memory. */
const maxTextBytes = 8 * mebibyte

/** The bytes of a line, unless there are too many. */
type BoundedText = Uint8Array | 'too long'

const newline = 0x0a

/** Lines as bytes, each valid until the next one is read. */
export async function* splitLines(
  stream: ReadableStream<Uint8Array>,
  maxBytes = maxTextBytes,
): AsyncIterable<BoundedText> {
  let parts: Uint8Array[] = []
  let length = 0
  const end = (part: Uint8Array) => {
    const whole = length + part.length > maxBytes ? 'too long' : length === 0 ? part : Buffer.concat([...parts, part])
    parts = []
    length = 0
    return whole
  }
  for await (const chunk of stream) {
    let from = 0
    for (let offset = chunk.indexOf(newline); offset >= 0; offset = chunk.indexOf(newline, from)) {
      yield end(chunk.subarray(from, offset))
      from = offset + 1
    }
    const rest = chunk.subarray(from)
    length += rest.length
    if (length > maxBytes) parts = []
    // A copy: the stream may reuse its buffer.
    else if (rest.length > 0) parts.push(new Uint8Array(rest))
  }
  if (length > 0) yield end(new Uint8Array())
}
