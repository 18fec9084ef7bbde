import { type FieldKind, ok, text, wrong } from '../field-kind.ts'
import { toFolded } from './fold.ts'
import languageNames from './language-names.json'

const nameByCode: { readonly [code: string]: string } = languageNames
/** The first code of a name: those of two letters come before the older ones of three. */
const codeByName = new Map(
  Object.entries(nameByCode)
    .map(([code, name]): [string, string] => [name, code])
    .reverse(),
)
const nameByKey = new Map(Object.values(nameByCode).map((name) => [toFolded(name), name]))

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
  return nameByKey.get(toFolded(word)) ?? findByCode(word) ?? null
}

/** The same for addresses of pages, which have codes: `ga` is Irish, though there is a language Ga. */
export function parseLanguageCode(word: string): string | null {
  return findByCode(word) ?? parseLanguageName(word)
}

/** All languages that a record can have, by name. */
export const listLanguageNames = (): readonly string[] => sortedNames

const sortedNames = [...new Set(Object.values(nameByCode))].sort()

/** `English` -> `en`, as browsers know it; null for `""`. */
export function toLanguageCode(name: string): string | null {
  return codeByName.get(name) ?? null
}

/** ICU maps three-letter codes to two-letter ones. */
function findByCode(word: string): string | undefined {
  if (!/^[a-z]{2,3}$/i.test(word)) return undefined
  const code = word.toLowerCase()
  return nameByCode[code] ?? nameByCode[Intl.getCanonicalLocales(code)[0] ?? '']
}

function toUnknownText(word: string): string {
  const nearest = findNearest(word)
  const shown = JSON.stringify(word.length > 60 ? `${word.slice(0, 60)}…` : word)
  return `${shown} is not the English name or code of a language. Did you mean ${nearest.join(', ')}?`
}

function findNearest(word: string): string[] {
  const byCode = findByCode(word.split(/[-_]/)[0] ?? '')
  const key = toFolded(word).slice(0, maxCompared)
  const ranked = [...nameByKey]
    .map(([candidate, name]) => ({ name, distance: toDistance(key, candidate) }))
    .sort((a, b) => a.distance - b.distance)
    .map((each) => each.name)
  return [...new Set([...(byCode === undefined ? [] : [byCode]), ...ranked])].slice(0, 3)
}

/** Levenshtein distance, computed in a single row. */
function toDistance(a: string, b: string): number {
  const row = new Uint16Array(b.length + 1)
  for (let j = 1; j <= b.length; j++) row[j] = j
  for (let i = 0; i < a.length; i++) {
    const letter = a.charCodeAt(i)
    let [diagonal, left] = [i, i + 1]
    row[0] = left
    for (let j = 1; j <= b.length; j++) {
      const above = row[j] ?? 0
      left = Math.min(diagonal + (letter === b.charCodeAt(j - 1) ? 0 : 1), above + 1, left + 1)
      diagonal = above
      row[j] = left
    }
  }
  return row[b.length] ?? 0
}
