import { type FieldKind, ok, text, wrong } from '../field-kind.ts'
import { toFolded } from './fold.ts'
import languageNames from './language-names.json'

const nameByCode: { readonly [code: string]: string } = languageNames
/** Made at the first question: it takes 3 ms, which every thread would pay at its start. */
let nameByKey: ReadonlyMap<string, string> | null = null

const maxNameLength = 100
/** The longest name has 27 letters; what stands behind would only take time. */
const maxCompared = 32

/** A language's English name; codes and case variants are made canonical. `""` while nobody knows it. */
export function language(): FieldKind<string> {
  return text(maxNameLength, (value) => {
    const word = value.trim()
    const name = word === '' ? '' : toLanguageName(word)
    return name === null ? wrong(toUnknown(word)) : ok(name)
  })
}

/** `en`, `eng`, `ENGLISH` -> `English`; null for a word that is no language. */
export function toLanguageName(word: string): string | null {
  return toNamesByKey().get(toFolded(word)) ?? findByCode(word) ?? null
}

function toNamesByKey(): ReadonlyMap<string, string> {
  nameByKey ??= new Map(Object.values(nameByCode).map((name) => [toFolded(name), name]))
  return nameByKey
}

/** Of codes that were asked for; there are not many, since all have two or three letters. */
const known = new Map<string, string | undefined>()

function findByCode(word: string): string | undefined {
  if (!/^[a-z]{2,3}$/i.test(word)) return undefined
  const code = word.toLowerCase()
  if (!known.has(code)) known.set(code, nameByCode[code] ?? nameByCode[Intl.getCanonicalLocales(code)[0] ?? ''])
  return known.get(code)
}

function toUnknown(word: string): string {
  const nearest = findNearest(word)
  const shown = JSON.stringify(word.length > 60 ? `${word.slice(0, 60)}…` : word)
  return `${shown} is not the English name or code of a language; did you mean ${nearest.join(', ')}?`
}

function findNearest(word: string): string[] {
  const byCode = findByCode(word.split(/[-_]/)[0] ?? '')
  const key = toFolded(word).slice(0, maxCompared)
  const ranked = [...toNamesByKey()]
    .map(([candidate, name]) => ({ name, distance: toDistance(key, candidate) }))
    .sort((a, b) => a.distance - b.distance)
    .map((each) => each.name)
  return [...new Set([...(byCode === undefined ? [] : [byCode]), ...ranked])].slice(0, 3)
}

/** Edit distance (Levenshtein) in one row, which is written over from left to right. */
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
