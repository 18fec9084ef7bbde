import { toFolded } from './fold.ts'
import { type Kind, ok, text, wrong } from './kind.ts'
import languageNames from './language-names.json'

const nameByCode: { readonly [code: string]: string } = languageNames
/** Made at the first question: it takes 3 ms, which every thread would pay at its start. */
let nameByKey: ReadonlyMap<string, string> | null = null

const maxNameLength = 100

/** A language's English name; codes and case variants are made canonical. `""` while nobody knows it. */
export function language(): Kind<string> {
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
  const nearest = findNearest(word.slice(0, 100))
  const shown = JSON.stringify(word.length > 60 ? `${word.slice(0, 60)}…` : word)
  return `${shown} is not the English name or code of a language; did you mean ${nearest.join(', ')}?`
}

function findNearest(word: string): string[] {
  const byCode = findByCode(word.split(/[-_]/)[0] ?? '')
  const key = toFolded(word)
  const ranked = [...toNamesByKey()]
    .map(([candidate, name]) => ({ name, distance: toDistance(key, candidate) }))
    .sort((a, b) => a.distance - b.distance)
    .map((each) => each.name)
  return [...new Set([...(byCode === undefined ? [] : [byCode]), ...ranked])].slice(0, 3)
}

/** Edit distance (Levenshtein), row by row. */
function toDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
