import { type CategoryChanges, parseCategory } from '../../../record/category.ts'
import { isJsonObject, isSameJson, type JsonValue } from '../../../record/json/json-value.ts'
import type { NameTable } from './retired-names.ts'

/** The id of a speaker or tag; the slug of a category, whose id changes when it is renamed in slices (ADR 32). */
export type NameRef = number | string

/** What a batch did to a row: which row it was an alias of before, and after. */
export interface RowChange {
  readonly row: NameRef
  /** A digest of its name after the batch; null for categories. The name itself must not outlive an erasure. */
  readonly name: string | null
  readonly from: NameRef | null
  readonly to: NameRef | null
  /** It becomes an alias only if it has no records at the end. */
  readonly ifUnused?: true
}

/** What a batch did to names besides changing records: enough to undo it. Stored as JSON in `batch.names` (ADR 52). */
export interface NameChange {
  readonly kind: NameTable
  /** Two rows that exchanged names and slugs: that of a renamed entry, and that of its new name. */
  readonly exchanged: readonly [number, number] | null
  readonly rows: readonly RowChange[]
  /** Fields of a category that took their values from one merged into it, or that were changed with its title. */
  readonly filled: FilledFields | null
}

export interface FilledFields {
  readonly slug: string
  readonly before: CategoryChanges
  readonly after: CategoryChanges
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

/** Whether a text is a change of names that an undo can read. */
export function isNameChange(text: string): boolean {
  const value = parseText(text)
  if (!isJsonObject(value) || !Array.isArray(value.rows) || !isExchange(value.exchanged)) return false
  if (!tables.some((table) => table === value.kind) || Object.keys(value).length !== 4) return false
  const { filled } = value
  const isFilled =
    filled === null ||
    (isJsonObject(filled) && typeof filled.slug === 'string' && isGiven(filled.before) && isGiven(filled.after))
  return isFilled && value.rows.every((row) => isRowChange(row, value.kind === 'category'))
}

const tables: readonly string[] = ['speaker', 'tag', 'category'] satisfies readonly NameTable[]

function parseText(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isExchange = (value: JsonValue | undefined) =>
  value === null || (Array.isArray(value) && value.length === 2 && value.every(Number.isSafeInteger))

/** Whether these are fields of a category, each as it would be stored. Older versions did not limit descriptions. */
function isGiven(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value) || 'title' in value) return false
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

/** The column was written by us, or checked by the import of a dump. */
export const parseNameChange = (json: string | null): NameChange | null => (json === null ? null : JSON.parse(json))
