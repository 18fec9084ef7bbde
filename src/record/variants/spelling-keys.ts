import { isAscii, toFolded } from '../text/fold.ts'

/** Each key ignores what it is named after, and all that the keys before it ignore. `toBareKey` follows them. */
export const spellingKeys = {
  case: (name: string) => name.toLowerCase(),
  space: (name: string) => name.toLowerCase().replace(spaces, ''),
  accent: (name: string) => toFolded(name).replace(spaces, ''),
} as const

/** Includes zero-width characters. */
const spaces = /[\s\u200b-\u200d\u2060\ufeff]/g
/** Characters that writers often omit or replace. Not symbols: `C`, `C++` and `C#` are different. */
const isSeparator = /[\p{P}\p{Z}\p{Cc}\p{Cf}`]/u
/** Punctuation that distinguishes names: `R&D`, `F#`. */
const significant = '#&@%*'
const isLetter = /\p{L}/u
const isDigit = /\p{N}/u
/** A short name without its separators may be another name: `I/O` and `IO`. */
const minBare = 4

/**
 * A name without case, accents, spaces and punctuation. Numbers stay apart (`2.7` is not `27`), a dot at the beginning
 * stays (`.NET`), and a leading `#` is taken for a hashtag.
 */
export function toBareKey(name: string): string {
  const folded = toFolded(name)
  const bare = toBare(folded)
  const isShort = isAscii(bare) && bare.length < minBare
  // The space keeps short names apart from long ones, which never begin with one.
  return isShort ? ` ${folded.trim().replace(spaces, ' ')}` : bare
}

const plainName = /^[a-z]+(?: [a-z]+)*$/

function toBare(folded: string): string {
  if (plainName.test(folded)) return folded.replaceAll(' ', '')
  const chars = [...folded]
  let bare = ''
  let wasDigit = false
  let hasGap = false
  for (const [i, char] of chars.entries()) {
    if (isGap(char, i, chars[i + 1] ?? '')) {
      hasGap = true
      continue
    }
    const isNumber = isDigit.test(char)
    bare += hasGap && wasDigit && isNumber ? `.${char}` : char
    wasDigit = isNumber
    hasGap = false
  }
  return bare
}

function isGap(char: string, offset: number, next: string): boolean {
  if (offset === 0 && char === '.') return !isLetter.test(next)
  if (offset === 0 && char === '#') return isLetter.test(next)
  return !significant.includes(char) && isSeparator.test(char)
}

const umlauts: { readonly [letter: string]: string } = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }
const umlaut = /[äöüåø]/g

/** The key of a name whose umlauts are written as two letters; null if it has none. */
export function toExpandedKey(name: string): string | null {
  if (isAscii(name)) return null
  const lower = name.normalize('NFC').toLowerCase()
  const expanded = lower.replace(umlaut, (letter) => umlauts[letter] ?? letter)
  return expanded === lower ? null : toBareKey(expanded)
}

/** The words of a folded name, with the symbols that distinguish them. */
export const wordPattern = /[\p{L}\p{N}\p{M}\p{S}#&@%*]+/gu
const apostrophes = /['\u2018\u2019\u02bc`]/g

/** The folded words of a name. */
export function toNameWords(name: string): readonly string[] {
  return toFolded(name).replace(apostrophes, '').match(wordPattern) ?? []
}

/** Whether a folded letter belongs to an alphabet with upper case. */
export const isCased = (letter: string) => letter.toUpperCase() !== letter
