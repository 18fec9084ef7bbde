import { categoryFields, isCategoryName } from '../../../record/category.ts'
import { isChangedName, isCompanionName } from '../../../record/companion/kinds.ts'
import type { FieldKind } from '../../../record/field-kind.ts'
import {
  isJsonObject,
  isNamesText,
  isSameJson,
  type JsonObject,
  type JsonValue,
  parseJsonText,
} from '../../../record/json.ts'
import { toEntryKind } from '../../../record/name.ts'
import { isProfileName } from '../../../record/profile.ts'
import { findingCodes } from '../../../record/quality/finding-codes.ts'
import { maxDumpLineBytes, maxExtrasBytes } from '../../../record/record.ts'
import { roles } from '../../../record/role.ts'
import { isSlug } from '../../../record/text/slug.ts'
import { isTimestamp } from '../../../record/timestamp.ts'
import { parseCategoryBody } from '../../write/category-rows.ts'
import { isBatchParts } from '../../write/names/name-change.ts'
import { parseProfileBody } from '../../write/names/profile-rows.ts'

/** Returns what is wrong with a value; null if it is valid. A missing column is `undefined`. */
type Judge = (value: JsonValue | undefined) => string | null

/** Leaves room for the numbers that are assigned after the import. */
const maxNumber = 2 ** 50
/** Leaves room for the times of later changes. */
export const endOfTime = '9000-01-01'

const isId = (value: JsonValue | undefined) =>
  Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= maxNumber
const is =
  (isGood: (value: JsonValue | undefined) => boolean, wanted: string): Judge =>
  (value) =>
    isGood(value) ? null : `must be ${wanted}`
const isText = (value: JsonValue | undefined, isGood: (text: string) => boolean) =>
  typeof value === 'string' && isGood(value)

const id = is(isId, `an integer from 1 to ${maxNumber}`)
const count = is((value) => Number.isSafeInteger(value) && Number(value) >= 0, 'an integer from 0')
const flag = is((value) => value === 0 || value === 1, '0 or 1')
const state = is((value) => value === 1 || value === 2, '1 or 2')
const slug = is((value) => isText(value, isSlug), 'lowercase words joined by hyphens')
const time = is(
  (value) => isText(value, (text) => isTimestamp(text) && text < endOfTime),
  'a time before the year 9000, YYYY-MM-DDThh:mm:ss.mmm',
)
const digest = is((value) => isText(value, (hex) => /^[0-9a-f]{64}$/.test(hex)), '64 hexadecimal digits')
const word = is((value) => isText(value, (each) => /^[a-z][a-z _-]{0,49}$/.test(each)), 'a lowercase word')
const orNull =
  (judge: Judge): Judge =>
  (value) =>
    value === null ? null : judge(value)
/** A column that dumps of older versions do not have. */
const since =
  (judge: Judge): Judge =>
  (value) =>
    value === undefined ? null : judge(value)
/** The value in the form in which the API would have stored it. */
const as =
  (kind: FieldKind<JsonValue>): Judge =>
  (value) => {
    const parsed = kind.parse(value ?? null)
    if (!parsed.ok) return `is wrong: ${parsed.problems.join(' ')}`
    return value !== undefined && isSameJson(parsed.value, value) ? null : 'is not as it would be stored'
  }
const isNames = (value: JsonValue | undefined) =>
  Array.isArray(value) && value.every((name) => typeof name === 'string' && isChangedName(name))
const changed = is(isNames, 'names of fields')
const object = is(isJsonObject, 'an object')

const maxPlainLength = 1024 * 1024
/** Undefined if it is not JSON, or too large. */
export const parseExtrasText = (value: JsonValue | undefined, max = maxExtrasBytes): JsonValue | undefined => {
  if (typeof value !== 'string' || Buffer.byteLength(value) > max) return undefined
  return parseJsonText(value)
}
const kept = is((value) => isJsonObject(parseExtrasText(value)), 'an object of JSON, as text')
/** A transcript is limited by its file; as JSON it may be longer. */
const content = is((value) => isJsonObject(parseExtrasText(value, maxDumpLineBytes)), 'an object of JSON, as text')
export const isBasisText = (value: JsonValue | undefined) => {
  const known = parseExtrasText(value)
  if (!isJsonObject(known) || !isJsonObject(known.said) || !Array.isArray(known.absent)) return false
  return known.absent.every((key) => typeof key === 'string')
}
const basis = is(isBasisText, 'an object of JSON with "said" and "absent", as text')

/** Any text, from a command or a source. */
const plain = is((value) => isText(value, (each) => each.length <= maxPlainLength && !each.includes('\0')), 'a text')
/** Older versions did not limit the description of an imported category. */
const oldText = is((value) => isText(value, (each) => each.length <= maxExtrasBytes && !each.includes('\0')), 'a text')
const reason = orNull(plain)

const toOneOf = (...words: readonly string[]) =>
  is((value) => isText(value, (each) => words.includes(each)), `one of ${words.join(', ')}`)

function isAscendingIds(text: string): boolean {
  const ids = parseExtrasText(text)
  return (
    Array.isArray(ids) && ids.length > 1 && ids.every((each, i) => isId(each) && (i === 0 || each > (ids[i - 1] ?? 0)))
  )
}

/** Columns of every version of fields. */
const fieldVersion = { number: id, at: time, author: plain, reason }

/** Every kind of line after the header, with all its columns. Anything else is refused. */
const dumpLines = {
  category: {
    id,
    title: as(categoryFields.title),
    slug,
    description: oldText,
    url: as(categoryFields.url),
    start_date: as(categoryFields.start_date),
    end_date: since(as(categoryFields.end_date)),
    place: since(as(categoryFields.place)),
    series: since(as(categoryFields.series)),
    whiteboard: as(categoryFields.whiteboard),
    added: time,
    listed: since(is((value) => value === 0 || value === 1 || value === 2, '0, 1 or 2')),
    merged_into: since(orNull(id)),
  },
  category_version: {
    category_id: id,
    ...fieldVersion,
    changed: is(
      (value) => isText(value, (text) => isNamesText(text, isCategoryName)),
      'names of fields of a category, as text',
    ),
    body: is((value) => isText(value, (text) => parseCategoryBody(text) !== null), 'a category, as text'),
  },
  category_origin: { source: plain, path: plain, category_id: id, body: kept, basis },
  batch: {
    id,
    kind: word,
    at: time,
    author: plain,
    records: count,
    reason,
    undoes: orNull(id),
    category_id: orNull(id),
    old_title: orNull(as(categoryFields.title)),
    new_title: orNull(as(categoryFields.title)),
    state: since(
      is((value) => value === 'running' || value === 'done' || value === 'stopped', 'running, done or stopped'),
    ),
    total: since(count),
    done: since(count),
    unchanged: since(count),
    last_id: since(count),
    runner: since(orNull(plain)),
    request_key: since(orNull(plain)),
    request: since(orNull(digest)),
    names: since(orNull(is((value) => isText(value, isBatchParts), 'changes of names, as text'))),
  },
  batch_note: {
    batch: id,
    record_id: id,
    kind: word,
    why: plain,
    fields: is((value) => isNames(parseExtrasText(value)), 'names of fields, as text'),
  },
  version: {
    seq: id,
    record_id: id,
    number: id,
    at: time,
    kind: word,
    state,
    author: plain,
    batch: orNull(id),
    reason,
    changed,
    checksum: digest,
    body: object,
  },
  companion: {
    record_id: id,
    name: is((value) => isText(value, isCompanionName), 'the name of a companion'),
    number: id,
    alone: flag,
    checksum: digest,
    body: content,
  },
  origin: {
    id,
    source: orNull(plain),
    path: orNull(plain),
    imported: orNull(kept),
    version: since(orNull(id)),
    body: orNull(kept),
    basis: orNull(basis),
  },
  origin_alias: {
    source: plain,
    path: plain,
    record_id: id,
    imported: since(orNull(kept)),
    version: since(orNull(id)),
  },
  tombstone: { record_id: id, at: time, seq: id, version: id, was_public: flag },
  erased_origin: { digest, at: time },
  speaker: { id, name: as(toEntryKind('speakers')), slug, merged_into: orNull(id) },
  speaker_version: {
    speaker_id: id,
    ...fieldVersion,
    changed: is(
      (value) => isText(value, (text) => isNamesText(text, isProfileName)),
      'names of fields of a speaker, as text',
    ),
    body: is((value) => isText(value, (text) => parseProfileBody(text) !== null), 'the profile of a speaker, as text'),
  },
  tag: { id, name: as(toEntryKind('tags')), slug, merged_into: orNull(id) },
  retired_name: { kind: toOneOf('speaker', 'tag', 'category'), id, digest },
  dismissed_variant: {
    kind: toOneOf('speaker', 'tag'),
    ids: is((value) => isText(value, isAscendingIds), 'ascending ids, as text'),
    at: time,
    author: plain,
  },
  accepted_finding: { record_id: id, code: toOneOf(...findingCodes), author: plain, at: time },
  hidden_finding: { code: toOneOf(...findingCodes), author: plain, at: time },
  distinct_pair: { low_id: id, high_id: id, author: plain, at: time },
  merged_record: { record_id: id, into_id: id, batch_id: id, at: time },
  scheduled_publish: {
    record_id: id,
    at: time,
    author: plain,
    role: toOneOf(...roles),
    asked_at: time,
    failure: orNull(plain),
  },
  end: { versions: count },
} as const satisfies { readonly [kind: string]: { readonly [column: string]: Judge } }

export type LineKind = keyof typeof dumpLines

export type ParsedDumpLine =
  | { readonly ok: true; readonly kind: LineKind; readonly row: JsonObject }
  | { readonly ok: false; readonly problem: string }

/** Checks each column by itself; dump-order.ts checks lines against each other. */
export function parseDumpLine(line: JsonValue): ParsedDumpLine {
  const [entry, ...others] = isJsonObject(line) ? Object.entries(line) : []
  if (entry === undefined || others.length > 0) return refuse('is not an object with one name')
  const [kind, row] = entry
  if (!isLineKind(kind)) return refuse(`${JSON.stringify(kind)} is a kind that this version does not know`)
  if (!isJsonObject(row)) return refuse(`${kind} must be an object`)
  const columns: { readonly [column: string]: Judge } = dumpLines[kind]
  const foreign = Object.keys(row).find((name) => !Object.hasOwn(columns, name))
  if (foreign !== undefined) return refuse(`${kind} has no ${JSON.stringify(foreign)}`)
  for (const [name, judge] of Object.entries(columns)) {
    const problem = judge(row[name])
    if (problem !== null) return refuse(`${name} of the ${kind} ${problem}`)
  }
  return { ok: true, kind, row }
}

const refuse = (problem: string): ParsedDumpLine => ({ ok: false, problem })

function isLineKind(kind: string): kind is LineKind {
  return Object.hasOwn(dumpLines, kind)
}
