import { fields, isFieldName, isWritableName, type WritableName } from '../record/fields.ts'
import type { JsonObject, JsonValue } from '../record/json.ts'
import { type Changes, type FieldErrors, parseFields } from '../record/record.ts'
import { parseLanguageName } from '../record/text/language.ts'
import { isSlug } from '../record/text/slug.ts'

/** A value that does not fit its field. The field stays empty in a new record, and unchanged in an existing one. */
export interface Unfit {
  readonly field: string
  readonly reason: string
  /** What a new record gets instead of an empty field; a sentence for reports. */
  readonly instead?: string
}

export type Fitted =
  | { readonly ok: true; readonly changes: Changes; readonly unfit: readonly Unfit[] }
  /** Without a valid title it is not a talk. */
  | { readonly ok: false; readonly errors: FieldErrors }

/** The category of talks without a valid one. */
const noCategory = 'Uncategorised'
/** How many unknown fields of one talk are reported. */
const maxUnknown = 100

/**
 * Maps a talk to the fields of a record. Only the title must be valid: any other value that does not fit leaves its field
 * empty. Null means empty, as in files of older programs.
 */
export function fitFields(given: JsonObject, category: string): Fitted {
  // Nearly all talks fit, so single fields are checked only if the talk as a whole does not fit.
  const whole = isUnknownLanguage(given.language) ? null : parseFields(given, 'whole', null)
  if (whole?.ok) return { ok: true, changes: whole.changes, unfit: [] }
  const title = fields.title.kind.parse(given.title ?? '')
  if (!title.ok) return { ok: false, errors: new Map([['title', title.problems]]) }
  const changes: Record<string, JsonValue> = { title: title.value }
  const unfit: Unfit[] = []
  let unknown = 0
  const wanted = { category: null, ...given }
  for (const [name, value] of Object.entries(wanted)) {
    const fitted: FittedValue = isWritableName(name) ? fitOne(name, value, category) : { reason: checkName(name) }
    if (fitted.value !== undefined) changes[name] = fitted.value
    const { reason, instead } = fitted
    if (reason === null || !(isFieldName(name) || ++unknown <= maxUnknown)) continue
    unfit.push({ field: name, reason, ...(instead === undefined ? {} : { instead }) })
  }
  // Every value was returned by its own field's `parse`, or is its empty value.
  return { ok: true, changes: changes as Changes, unfit }
}

interface FittedValue {
  readonly value?: JsonValue
  readonly reason: string | null
  readonly instead?: string
}

function fitOne(name: WritableName, value: JsonValue, category: string): FittedValue {
  const { kind } = fields[name]
  if (name === 'language' && isUnknownLanguage(value)) return { value: '', reason: toLanguageReason(value) }
  const parsed = kind.parse(value)
  if (parsed.ok) return { value: parsed.value, reason: null }
  const empty = toEmpty(name, category)
  const reason = value === null ? 'Missing.' : parsed.problems.join(' ')
  if (name === 'category')
    return { value: empty, reason, instead: `The record is in the category ${JSON.stringify(empty)}.` }
  if (value === null) return { value: empty, reason: null }
  return { value: kind.type === 'list' && Array.isArray(value) ? fitList(name, value) : empty, reason }
}

function isUnknownLanguage(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '' && parseLanguageName(value.trim()) === null
}

/** By language: finding the nearest names takes milliseconds, and a source may have the same error in every talk. */
const languageReasons = new Map<string, string>()
const maxLanguageReasons = 100

function toLanguageReason(language: string): string {
  const known = languageReasons.get(language)
  if (known !== undefined) return known
  if (languageReasons.size >= maxLanguageReasons) return 'Not the English name or code of a language.'
  const parsed = fields.language.kind.parse(language)
  const reason = parsed.ok ? '' : parsed.problems.join(' ')
  languageReasons.set(language, reason)
  return reason
}

/** The empty value of a field. An unknown state becomes a draft, since publishing is a decision. */
function toEmpty(name: WritableName, category: string): JsonValue {
  if (name === 'state') return 2
  if (name === 'category') return fields.category.kind.parse(category).ok ? category.trim() : noCategory
  const { absent } = fields[name]
  return absent.is === 'value' ? absent.value : ''
}

/** The valid entries of a list, at most as many as the field takes. */
function fitList(name: WritableName, entries: readonly JsonValue[]): JsonValue {
  const { kind } = fields[name]
  const good = entries.filter((entry) => kind.parse([entry]).ok).slice(0, kind.maxItems)
  const parsed = kind.parse(good)
  return parsed.ok ? parsed.value : []
}

const checkName = (name: string) => (isFieldName(name) ? null : 'Unknown field.')

/** The slug that a source gives a talk, if it is valid. */
export function toGivenSlug(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && isSlug(value) ? value : null
}

/** The id that a source gives a talk. Older programs write it as a string. */
export function toOwnId(value: JsonValue | undefined): number | null {
  const id = typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value) ? Number(value) : value
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : null
}

/** The fields that are set from a file's `videos`. */
const mediaFields = [
  'source_url',
  'video_mp4_url',
  'video_mp4_length',
  'video_webm_url',
  'video_webm_length',
  'video_ogv_url',
  'video_ogv_length',
  'video_flv_url',
  'video_flv_length',
] as const satisfies readonly WritableName[]

/** The fields that an existing record keeps, because the new values do not fit. */
export function listLeft(unfit: readonly Unfit[], changes: Changes): readonly WritableName[] {
  const isEmpty = (name: WritableName) => changes[name] === '' || changes[name] === null
  return unfit.flatMap(({ field }): readonly WritableName[] => {
    if (field === 'videos') return mediaFields.filter(isEmpty)
    return isWritableName(field) ? [field] : []
  })
}
