import { type FieldKind, ok, text, wrong } from '../field-kind.ts'
import { toFolded } from './fold.ts'
import languages from './languages.json'
import { createEditCount } from './spelling.ts'

/** All codes of each language: the one that browsers know, its ISO 639-3 code, then others. */
const codesByName = new Map(Object.entries(languages).map(([name, codes]) => [name, codes.split(' ')]))
const nameByCode = new Map([...codesByName].flatMap(([name, codes]) => codes.map((code) => [code, name])))
const nameByKey = new Map([...codesByName.keys()].map((name) => [toFolded(name), name]))

const maxNameLength = 100
/** The longest name has 27 letters; comparing more would only take time. */
const maxCompared = 32

/** The English name of a language; codes and case variants are stored as that name. `""` while it is unknown. */
export function language(): FieldKind<string> {
  return text(maxNameLength, (value) => {
    const word = value.trim()
    const name = word === '' ? '' : parseLanguageName(word)
    return name === null ? wrong(toUnknownText(word)) : ok(name)
  })
}

/** `en`, `eng`, `ENGLISH` -> `English`; null if the word is not a language. */
export function parseLanguageName(word: string): string | null {
  return nameByKey.get(toFolded(word)) ?? nameByCode.get(word.toLowerCase()) ?? null
}

/** The same for addresses of pages, which have codes: `ga` is Irish, though there is a language Ga. */
export function parseLanguageCode(word: string): string | null {
  return nameByCode.get(word.toLowerCase()) ?? parseLanguageName(word)
}

/** All languages that a record can have, by name. */
export const listLanguageNames = (): readonly string[] => sortedNames

const sortedNames = [...codesByName.keys()].sort()

/** `English` -> `en`, as browsers know it; null for `""`. */
export function toLanguageCode(name: string): string | null {
  return codesByName.get(name)?.[0] ?? null
}

/** `English` -> `eng`, as ISO 639-3 has it; null if there is none. Reads back as the same name: `kom` is Kom, not Komi. */
export function toIsoCode(name: string): string | null {
  return codesByName.get(name)?.find((code) => code.length === 3 && parseLanguageName(code) === name) ?? null
}

const tagPattern = /^([a-z]{2,3})(?:-([a-z]{4}))?(?:-([a-z]{2}|\d{3}))?((?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3})){0,4})$/

/**
 * A language tag of BCP 47 in its usual form: `eng`, `en-orig` and `a.en`, as tools write them, are `en`; `pt_br` is
 * `pt-BR`. Null if it is not a tag.
 */
export function parseLanguageTag(word: string): string | null {
  const plain = word
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/^a?\./, '')
    .replace(/-orig$/, '')
  const [, language = '', script, region, variants = ''] = tagPattern.exec(plain) ?? []
  if (language === '') return null
  const short = toLanguageCode(nameByCode.get(language) ?? '')
  const titled = script === undefined ? '' : `-${script.slice(0, 1).toUpperCase()}${script.slice(1)}`
  return `${language.length === 3 ? (short ?? language) : language}${titled}${region === undefined ? '' : `-${region.toUpperCase()}`}${variants}`
}

/** The tag for a typed tag, or for the English name of a language. */
export const parseLanguageWord = (word: string) =>
  parseLanguageTag(word) ?? toLanguageCode(parseLanguageName(word) ?? '')

function toUnknownText(word: string): string {
  const nearest = findNearest(word)
  const shown = JSON.stringify(word.length > 60 ? `${word.slice(0, 60)}…` : word)
  return `${shown} is not the English name or code of a language. Did you mean ${nearest.join(', ')}?`
}

function findNearest(word: string): string[] {
  const byCode = nameByCode.get(word.split(/[-_]/)[0]?.toLowerCase() ?? '')
  const countEdits = createEditCount(toFolded(word).slice(0, maxCompared))
  const ranked = [...nameByKey]
    .map(([candidate, name]) => ({ name, edits: countEdits(candidate, maxCompared) }))
    .sort((a, b) => a.edits - b.edits)
    .map((each) => each.name)
  return [...new Set([...(byCode === undefined ? [] : [byCode]), ...ranked])].slice(0, 3)
}
