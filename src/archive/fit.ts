import { fields, isFieldName, isWritableName, type WritableName } from '../record/fields.ts'
import type { JsonObject, JsonValue } from '../record/json/json-value.ts'
import { type Changes, type FieldErrors, parseFields } from '../record/record.ts'
import { toLanguageName } from '../record/text/language.ts'
import { isSlug } from '../record/text/slug.ts'

/** A value that its field could not hold. In a new record the field stays empty, in another one as it was. */
export interface Unfit {
  readonly field: string
  readonly reason: string
  /** What a new record has there, where that is not nothing. */
  readonly instead?: string
}

export type Fitted =
  | { readonly ok: true; readonly changes: Changes; readonly unfit: readonly Unfit[] }
  /** No talk: it has no title. */
  | { readonly ok: false; readonly errors: FieldErrors }

/** The category of talks that name none that can be one. */
const noCategory = 'Uncategorised'
/** Of a talk with more names that no field has, so many are told. */
const maxUnknown = 100

/**
 * Takes the fields of a talk as far as a record can hold them. Only a title must be right: another value that does not
 * fit leaves its field empty. Null is nothing, as in files of older programs.
 */
export function fitFields(given: JsonObject, category: string): Fitted {
  // Hardly any talk has something that does not fit, so that is looked for only then.
  const whole = isOddLanguage(given.language) ? null : parseFields(given, 'whole', null)
  if (whole?.ok) return { ok: true, changes: whole.changes, unfit: [] }
  const title = fields.title.kind.parse(given.title ?? '')
  if (!title.ok) return { ok: false, errors: new Map([['title', title.problems]]) }
  const changes: Record<string, JsonValue> = { title: title.value }
  const unfit: Unfit[] = []
  let unknown = 0
  const wanted = { category: null, ...given }
  for (const [name, value] of Object.entries(wanted)) {
    const fitted: FittedValue = isWritableName(name) ? fitOne(name, value, category) : { reason: judgeUnknown(name) }
    if (fitted.value !== undefined) changes[name] = fitted.value
    const { reason, instead } = fitted
    if (reason === null || !(isFieldName(name) || ++unknown <= maxUnknown)) continue
    unfit.push({ field: name, reason, ...(instead === undefined ? {} : { instead }) })
  }
  // Every entry came out of its own field's `parse`, or is its empty value.
  return { ok: true, changes: changes as Changes, unfit }
}

interface FittedValue {
  readonly value?: JsonValue
  readonly reason: string | null
  readonly instead?: string
}

function fitOne(name: WritableName, value: JsonValue, category: string): FittedValue {
  const { kind } = fields[name]
  if (name === 'language' && isOddLanguage(value)) return { value: '', reason: toLanguageReason(value) }
  const parsed = kind.parse(value)
  if (parsed.ok) return { value: parsed.value, reason: null }
  const empty = toEmpty(name, category)
  const reason = value === null ? 'It has none.' : parsed.problems.join(' ')
  if (name === 'category') return { value: empty, reason, instead: `It is filed under ${JSON.stringify(empty)}.` }
  if (value === null) return { value: empty, reason: null }
  return { value: kind.type === 'list' && Array.isArray(value) ? fitList(name, value) : empty, reason }
}

function isOddLanguage(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '' && toLanguageName(value.trim()) === null
}

/** By language. To find the nearest names takes milliseconds, and a source may have the same mistake in every talk. */
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

/** What a field is without a value. A state that nobody knows is a draft's: to publish is somebody's decision. */
function toEmpty(name: WritableName, category: string): JsonValue {
  if (name === 'state') return 2
  if (name === 'category') return fields.category.kind.parse(category).ok ? category.trim() : noCategory
  const { absent } = fields[name]
  return absent.is === 'value' ? absent.value : ''
}

/** Those entries of a list that can be one; at most as many as the field takes. */
function fitList(name: WritableName, entries: readonly JsonValue[]): JsonValue {
  const { kind } = fields[name]
  const good = entries.filter((entry) => kind.parse([entry]).ok).slice(0, kind.maxItems)
  const parsed = kind.parse(good)
  return parsed.ok ? parsed.value : []
}

const judgeUnknown = (name: string) => (isFieldName(name) ? null : 'There is no such field.')

/** The slug that a source gives a talk, if it can be one. */
export function toGivenSlug(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && isSlug(value) ? value : null
}

/** A number that a source calls a talk by; older programs write it as text. */
export function toOwnId(value: JsonValue | undefined): number | null {
  const id = typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value) ? Number(value) : value
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : null
}

/** What a file's `videos` become. */
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

/** The fields that a record which is there already keeps as they are, since what came for them was no value of theirs. */
export function listLeft(unfit: readonly Unfit[], changes: Changes): readonly WritableName[] {
  const isEmpty = (name: WritableName) => changes[name] === '' || changes[name] === null
  return unfit.flatMap(({ field }): readonly WritableName[] => {
    if (field === 'videos') return mediaFields.filter(isEmpty)
    return isWritableName(field) ? [field] : []
  })
}
