import type { JsonValue } from './json.ts'
import { isDay } from './timestamp.ts'

/** The value to store, or every problem with it, as sentences for the client. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly string[] }

/** The type of a field: how a value is parsed, and what OPTIONS and OpenAPI say about it. */
export interface FieldKind<T extends JsonValue> {
  readonly type: 'string' | 'integer' | 'boolean' | 'choice' | 'date' | 'datetime' | 'list' | 'url'
  readonly nullable: boolean
  readonly maxLength?: number
  readonly min?: number
  readonly max?: number
  readonly maxItems?: number
  readonly choices?: readonly { readonly value: number; readonly display_name: string }[]
  parse(value: JsonValue): Parsed<T>
}

export const ok = <T>(value: T): Parsed<T> => ({ ok: true, value })
export const wrong = (...problems: string[]): Parsed<never> => ({ ok: false, problems })

export function findBadText(text: string, maxLength: number): string | null {
  const bad = findBadCharacter(text)
  if (bad !== null || !isLonger(text, maxLength)) return bad
  return `Must have at most ${maxLength.toLocaleString('en')} characters.`
}

/** All of Unicode is allowed except lone surrogates and C0 controls other than tab, newline and carriage return. */
function findBadCharacter(text: string): string | null {
  if (!text.isWellFormed()) return 'Contains an unpaired surrogate, which is not a valid character.'
  const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.exec(text)
  if (control !== null) {
    const code = control[0].charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()
    return `Contains the control character U+${code}.`
  }
  return null
}

/** Counts code points. */
export function isLonger(text: string, maxLength: number): boolean {
  if (text.length <= maxLength) return false
  let count = 0
  for (const _ of text) if (++count > maxLength) return true
  return false
}

/** Free text, stored unchanged unless `parseValid` changes or rejects it. */
export function text(maxLength: number, parseValid: (value: string) => Parsed<string> = ok): FieldKind<string> {
  return string(maxLength, (value) => {
    const problem = findBadText(value, maxLength)
    return problem === null ? parseValid(value) : wrong(problem)
  })
}

/** A name: trimmed, never blank. */
export function name(maxLength: number): FieldKind<string> {
  return string(maxLength, (value) => {
    const trimmed = value.trim()
    if (trimmed === '') return wrong('May not be blank.')
    // Check before trimming, which would silently remove some control characters.
    const problem = findBadCharacter(value) ?? findBadText(trimmed, maxLength)
    return problem === null ? ok(trimmed) : wrong(problem)
  })
}

function string(maxLength: number, parse: (value: string) => Parsed<string>): FieldKind<string> {
  return {
    type: 'string',
    nullable: false,
    maxLength,
    parse: (value) => (typeof value === 'string' ? parse(value) : notA('a string', value)),
  }
}

/** A list of names. */
export function names(maxItems: number, maxLength: number): FieldKind<readonly string[]> {
  return list(maxItems, name(maxLength))
}

/** A list of texts. Duplicates are dropped; order is kept. */
export function list(maxItems: number, item: FieldKind<string>): FieldKind<readonly string[]> {
  return {
    type: 'list',
    nullable: false,
    maxItems,
    ...(item.maxLength === undefined ? {} : { maxLength: item.maxLength }),
    parse(value) {
      if (!Array.isArray(value)) return notA('an array of strings', value)
      if (value.length > maxItems) return wrong(`Must have at most ${maxItems} entries.`)
      const parsed = value.map((entry) => item.parse(entry))
      const problems = parsed.flatMap((entry, i) => (entry.ok ? [] : entry.problems.map((p) => `Entry ${i + 1}: ${p}`)))
      if (problems.length > 0) return wrong(...problems)
      return ok([...new Set(parsed.flatMap((entry) => (entry.ok ? [entry.value] : [])))])
    },
  }
}

export function integer(min: number, max: number): FieldKind<number | null> {
  return {
    type: 'integer',
    nullable: true,
    min,
    max,
    parse(value) {
      if (value === null) return ok(null)
      if (typeof value !== 'number') return notA('an integer or null', value)
      if (!Number.isInteger(value)) return wrong('Must be an integer.')
      if (value < min || value > max) return wrong(`Must be from ${min} to ${max}.`)
      return ok(value)
    },
  }
}

/** A calendar day; null while it is unknown. */
export function day(): FieldKind<string | null> {
  return {
    type: 'date',
    nullable: true,
    parse(value) {
      if (value === null) return ok(null)
      if (typeof value !== 'string') return notA('a day in the format YYYY-MM-DD or null', value)
      return isDay(value) ? ok(value) : wrong('Must be an existing calendar day in the format YYYY-MM-DD.')
    },
  }
}

export function flag(): FieldKind<boolean> {
  return {
    type: 'boolean',
    nullable: false,
    parse: (value) => (typeof value === 'boolean' ? ok(value) : notA('true or false', value)),
  }
}

export function choice<T extends number>(...choices: readonly { value: T; display_name: string }[]): FieldKind<T> {
  return {
    type: 'choice',
    nullable: false,
    choices,
    parse(value) {
      const found = choices.find((each) => each.value === value)
      if (found !== undefined) return ok(found.value)
      return wrong(`Must be ${choices.map((each) => `${each.value} (${each.display_name})`).join(' or ')}.`)
    },
  }
}

export function notA(expected: string, value: JsonValue): Parsed<never> {
  return wrong(value === null ? 'May not be null.' : `Must be ${expected}, not ${toTypeName(value)}.`)
}

function toTypeName(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  switch (typeof value) {
    case 'object':
      return 'an object'
    case 'number':
      return 'a number'
    case 'boolean':
      return 'a boolean'
    default:
      return 'a string'
  }
}
