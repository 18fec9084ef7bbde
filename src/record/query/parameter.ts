import { type CompanionTrait, companionTraits, isCompanionTrait } from '../companion/kinds.ts'
import {
  type FindingCode,
  findingCodes,
  isFindingCode,
  isMissing,
  type Missing,
  missingKinds,
} from '../quality/finding-codes.ts'
import { toHost } from '../quality/quality.ts'
import { isDay, parseMoment, type Timestamp } from '../timestamp.ts'

/** The value of a parameter, or the text that says what was expected. */
export type Read<T> = { readonly value: T } | string
export type Parse<T> = (text: string) => Read<T>

export const toRead = <T>(value: T | null, expected: string): Read<T> => (value === null ? expected : { value })

/** Reads parameters and collects their errors. */
export function createParameterReader(parameters: URLSearchParams) {
  const errors = new Map<string, readonly string[]>()
  /** The known parameters, and whether each may be repeated. */
  const asked = new Map<string, 'once' | 'repeatedly'>()
  function readEvenEmpty<T>(name: string, parse: Parse<T>): T | undefined {
    asked.set(name, 'once')
    const text = parameters.get(name)
    const read = text === null ? undefined : parse(text)
    if (typeof read !== 'string') return read?.value
    errors.set(name, [`${name} must be ${read}.`])
    return undefined
  }
  return {
    errors,
    asked,
    readEvenEmpty,
    read: <T>(name: string, parse: Parse<T>) =>
      readEvenEmpty<T | undefined>(name, (text) => (text === '' ? { value: undefined } : parse(text))),
    readAll(name: string): string[] {
      asked.set(name, 'repeatedly')
      return parameters.getAll(name).filter((text) => text !== '')
    },
    fail: (name: string, problem: string) => void errors.set(name, [problem]),
  }
}

export type ParameterReader = ReturnType<typeof createParameterReader>

/** Names separated by commas, each once. */
export function parseNames<T extends string>(
  text: string,
  isName: (text: string) => text is T,
  expected: string,
): Read<T[]> {
  const words = text.split(',').map((word) => word.trim())
  const names = words.filter(isName)
  return names.length === words.length ? { value: [...new Set(names)] } : expected
}

export const parseFlag: Parse<boolean> = (text) => (text === '0' || text === '1' ? { value: text === '1' } : '0 or 1')
export const parseDay: Parse<string> = (text) => (isDay(text) ? { value: text } : 'a day in the format YYYY-MM-DD')
export const parseSeconds: Parse<number> = (text) =>
  /^\d{1,15}$/.test(text) ? { value: Number(text) } : 'an integer number of seconds'

const isLacking = (text: string): text is Missing | CompanionTrait => isMissing(text) || isCompanionTrait(text)
export const parseMissing: Parse<(Missing | CompanionTrait)[]> = (text) =>
  parseNames(text, isLacking, `some of ${[...missingKinds, ...companionTraits].join(', ')}, separated by commas`)
export const parseFinding: Parse<FindingCode> = (text) =>
  isFindingCode(text) ? { value: text } : `one of ${findingCodes.join(', ')}`
export const parseFindings: Parse<FindingCode[]> = (text) =>
  parseNames(text, isFindingCode, `some of ${findingCodes.join(', ')}, separated by commas`)

/** The beginning of a day, or a time. */
export const parseSince: Parse<Timestamp> = (text) => toRead(parseMoment(text, 'first'), expectedMoment)
/** The end of a day, or a time. */
export const parseUntil: Parse<Timestamp> = (text) => toRead(parseMoment(text, 'last'), expectedMoment)

const expectedMoment = 'a day YYYY-MM-DD or a time YYYY-MM-DDThh:mm:ss in UTC'

/** With or without `www.`; names in other scripts as browsers send them. */
export function parseSourceHost(text: string): Read<string> {
  const url = /[\s/?#@\\:]/.test(text) ? null : URL.parse(`https://${text}/`)
  return url === null ? 'the name of a host, such as youtube.com' : { value: toHost(url.href) }
}

export const isIdText = (word: string) => /^[1-9]\d{0,15}$/.test(word) && Number(word) <= Number.MAX_SAFE_INTEGER

const maxIds = 100

export function parseIds(text: string): Read<number[]> {
  const words = text.split(',').map((word) => word.trim())
  const isFine = words.length <= maxIds && words.every(isIdText)
  return isFine ? { value: [...new Set(words.map(Number))] } : `at most ${maxIds} ids separated by commas`
}
