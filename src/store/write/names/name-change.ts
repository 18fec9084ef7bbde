import { type CategoryFields, parseCategory } from '../../../record/category.ts'
import { isJsonObject, isSameJson, type JsonObject, type JsonValue, parseJsonText } from '../../../record/json.ts'
import type { EntryKind } from '../../../record/name.ts'
import { type ProfileFields, parseProfile } from '../../../record/profile.ts'
import type { BatchOther } from '../../batch-reads.ts'

/** The id of a speaker or tag; the slug of a category. */
export type NameRef = number | string

/** The change of a row by a batch: which row it was an alias of before, and after. */
export interface RowChange {
  readonly row: NameRef
  /** A digest of its name after the batch; null for categories. The name itself must not outlive an erasure. */
  readonly name: string | null
  readonly from: NameRef | null
  readonly to: NameRef | null
  /** It becomes an alias only if it has no records at the end. */
  readonly ifUnused?: true
}

/** The changes of a batch in names and categories: enough to undo them (decision 52). */
export interface NameChange {
  readonly kind: EntryKind
  /** Two rows that exchanged names and slugs: that of a renamed entry, and that of its new name. */
  readonly exchanged: readonly [number, number] | null
  readonly rows: readonly RowChange[]
  /** Fields of a category or speaker that took their values from one merged into it, or that were changed with its title or name. */
  readonly filled: FilledFields | null
}

export interface FilledFields {
  /** The slug of a category, the id of a speaker. */
  readonly slug: NameRef
  readonly before: FilledChanges
  readonly after: FilledChanges
  /** The new value of `listed` (public while empty), if the batch changed it. */
  readonly listed?: 0 | 1
}

/** Of a category, or of a speaker. */
export type FilledChanges = Partial<CategoryFields & ProfileFields>

/** A record whose page led to another one, or to none, before a batch, and after it. */
export interface MergedPart {
  readonly kind: 'merged'
  readonly record: number
  readonly from: number | null
  readonly to: number | null
}

/** What a bulk change was asked to do, for people who read it later. Nothing is undone by it. */
interface PatchPart {
  readonly kind: 'patch'
  readonly patch: JsonObject
}

/** A name, category or record that a batch left unchanged. */
export interface LeftPart extends Omit<BatchOther, 'kind'> {
  readonly kind: 'left'
  readonly of: BatchOther['kind']
}

/** A change of a batch other than to fields of records, or a name that it left. Stored as a JSON list in `batch.names` (decision 72). */
export type BatchPart = NameChange | MergedPart | PatchPart | LeftPart

export const isNameChange = (part: BatchPart): part is NameChange => 'rows' in part

/** Whether it changed anything, or will. */
export function hasEffect(part: BatchPart): boolean {
  if (part.kind === 'merged') return part.from !== part.to
  if (!isNameChange(part)) return false
  return part.exchanged !== null || part.filled !== null || part.rows.some(({ from, to }) => from !== to)
}

/** Enough digits to tell the names of one row apart. */
const digits = 16

export function toNameDigest(name: string): string {
  return new Bun.CryptoHasher('sha256').update(name).digest('hex').slice(0, digits)
}

/** Whether both concern the same row. */
export function hasSameRow(one: NameChange, other: NameChange): boolean {
  return one.kind === other.kind && one.rows.some(({ row }) => other.rows.some((each) => each.row === row))
}

/** Whether a text is a list of parts that an undo can read, or the one part that older versions stored. */
export function isBatchParts(text: string): boolean {
  const value = parseJsonText(text)
  return Array.isArray(value) ? value.every(isPart) : value !== undefined && isPart(value)
}

function isPart(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false
  if (value.kind === 'links') return Array.isArray(value.ids) && value.ids.every(Number.isSafeInteger)
  if (value.kind === 'merged') return isMerged(value)
  if (value.kind === 'patch') return isJsonObject(value.patch)
  return value.kind === 'left' ? isLeft(value) : isChange(value)
}

function isMerged({ record, from, to, ...others }: JsonObject): boolean {
  const isId = (id: JsonValue | undefined) => id === null || Number.isSafeInteger(id)
  return Number.isSafeInteger(record) && isId(from) && isId(to) && Object.keys(others).length === 1
}

function isLeft({ of, id, fields, left, by }: JsonObject): boolean {
  const isOf = of === 'video' || tables.some((table) => table === of)
  const isId = typeof id === 'string' || Number.isSafeInteger(id)
  const isBy = by === null || typeof by === 'string'
  return isOf && isId && isBy && typeof left === 'string' && Array.isArray(fields) && fields.every(isText)
}

const isText = (value: JsonValue) => typeof value === 'string'

function isChange(value: JsonObject): boolean {
  if (!Array.isArray(value.rows) || !isExchange(value.exchanged)) return false
  if (!tables.some((table) => table === value.kind) || Object.keys(value).length !== 4) return false
  const isCategory = value.kind === 'category'
  const isFilled = value.filled === null || (value.kind !== 'tag' && isFilling(value.filled, isCategory))
  return isFilled && value.rows.every((row) => isRowChange(row, isCategory))
}

function isFilling(value: JsonValue | undefined, isCategory: boolean): boolean {
  if (!isJsonObject(value)) return false
  const isRef = isCategory ? typeof value.slug === 'string' : Number.isSafeInteger(value.slug)
  const isOf = isCategory ? isGiven : isGivenProfile
  return isRef && isOf(value.before) && isOf(value.after)
}

/** Whether these are fields of a profile, each as it would be stored. */
function isGivenProfile(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value)) return false
  const { changes, errors } = parseProfile(value)
  return errors.size === 0 && isSameJson(changes, value)
}

const tables: readonly string[] = ['speaker', 'tag', 'category'] satisfies readonly EntryKind[]

const isExchange = (value: JsonValue | undefined) =>
  value === null || (Array.isArray(value) && value.length === 2 && value.every(Number.isSafeInteger))

/** Whether these are fields of a category, each as it would be stored. Older versions did not limit descriptions. */
function isGiven(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value)) return false
  const { description = '', ...others } = value
  const parsed = parseCategory(others)
  return typeof description === 'string' && parsed.ok && isSameJson(parsed.changes, others)
}

function isRowChange(value: JsonValue, isCategory: boolean): boolean {
  const isRef = (ref: JsonValue | undefined) => (isCategory ? typeof ref === 'string' : Number.isSafeInteger(ref))
  if (!isJsonObject(value) || !isRef(value.row)) return false
  const isNamed = isCategory ? value.name === null : typeof value.name === 'string'
  const isFlag = value.ifUnused === undefined || value.ifUnused === true
  return isNamed && isFlag && [value.from, value.to].every((ref) => ref === null || isRef(ref))
}

/** The column was written by us, or checked by the import of a dump. Older versions stored one change, not a list. */
export function parseParts(json: string | null): readonly BatchPart[] {
  const value = json === null ? [] : JSON.parse(json)
  const parts: readonly (BatchPart | { readonly kind: 'links' })[] = Array.isArray(value) ? value : [value]
  // Earlier builds noted changed links so; their versions tell it now.
  return parts
    .filter((part) => part.kind !== 'links')
    .map((part) => (part.kind === 'left' ? { ...part, left: toReason(part.left) } : part))
}

/** Earlier builds stored these reasons with spaces, and one of them under another name. */
function toReason(left: LeftPart['left']): LeftPart['left'] {
  const reason = left === null ? null : left.replaceAll(' ', '_')
  // Each former text is one of these reasons with spaces instead of underscores.
  return reason === 'for_publishers' ? 'publisher_required' : (reason as LeftPart['left'])
}

/** As the API returns them: unchanged ones first. */
export function toOthers(parts: readonly BatchPart[]): BatchOther[] {
  const known = new Map(parts.flatMap(toOther).map((other) => [JSON.stringify(other), other]))
  const all = [...known.values()]
  return [...all.filter(({ left }) => left !== null), ...all.filter(({ left }) => left === null)]
}

function toOther(part: BatchPart): BatchOther[] {
  const toDone = (kind: BatchOther['kind'], id: NameRef, fields: readonly string[]): BatchOther[] =>
    fields.length === 0 ? [] : [{ kind, id, fields, left: null, by: null }]
  if (part.kind === 'patch') return []
  if (part.kind === 'merged') return toDone('video', part.record, ['merged_into'])
  if (part.kind === 'left') return [{ kind: part.of, id: part.id, fields: part.fields, left: part.left, by: part.by }]
  const { kind, exchanged, rows, filled } = part
  if (exchanged !== null) return toDone(kind, exchanged[0], ['name'])
  const merged = rows.filter(({ from, to, ifUnused = false }) => from !== to && !ifUnused)
  const fields = filled === null ? [] : [...Object.keys(filled.after), ...('listed' in filled ? ['listed'] : [])]
  return [
    ...merged.flatMap(({ row }) => toDone(kind, row, ['merged_into'])),
    ...(filled === null ? [] : toDone(kind, filled.slug, fields)),
  ]
}
