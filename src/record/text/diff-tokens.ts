/** What a character is to a diff. A `mark` belongs to the character before it. */
type CharacterClass = 'space' | 'break' | 'letter' | 'dense' | 'mark' | 'flag' | 'other'

/** Scripts without spaces between words. */
const dense =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u
const mark = /^[\p{M}\p{Emoji_Modifier}\u00ad\u200c\u200d]$/u
const flag = /^\p{Regional_Indicator}$/u
const letter = /^[\p{L}\p{N}_]$/u

const [cr, lf, zeroWidthJoiner] = [0x0d, 0x0a, 0x200d]

/** Classes are looked up by code point: testing patterns takes ten times as long. */
const known = new Map<number, CharacterClass>()

function classOf(code: number): CharacterClass {
  const before = known.get(code)
  if (before !== undefined) return before
  const found = classify(String.fromCodePoint(code), code)
  known.set(code, found)
  return found
}

function classify(character: string, code: number): CharacterClass {
  if (code === cr || code === lf) return 'break'
  if (mark.test(character)) return 'mark'
  if (dense.test(character)) return 'dense'
  if (letter.test(character)) return 'letter'
  if (flag.test(character)) return 'flag'
  return /^\s$/.test(character) ? 'space' : 'other'
}

/**
 * A text as tokens that a diff compares: words, runs of spaces, line breaks, and single characters of everything else
 * and of scripts without spaces. No token ends inside what a reader sees as one character. Joined, they are the text.
 */
export function toDiffTokens(text: string): string[] {
  const tokens: string[] = []
  for (let from = 0; from < text.length; ) {
    const to = findTokenEnd(text, from)
    tokens.push(text.slice(from, to))
    from = to
  }
  return tokens
}

function findTokenEnd(text: string, from: number): number {
  const first = classAt(text, from)
  const next = from + widthAt(text, from)
  switch (first) {
    case 'break':
      return text.charCodeAt(from) === cr && text.charCodeAt(next) === lf ? next + 1 : next
    case 'space':
      return skip(text, next, (each) => each === 'space')
    case 'letter':
      return skip(text, next, (each) => each === 'letter' || each === 'mark')
    case 'flag':
      return classAt(text, next) === 'flag' ? next + widthAt(text, next) : next
    default:
      return skipMarks(text, next)
  }
}

function skip(text: string, start: number, isPart: (each: CharacterClass) => boolean): number {
  let at = start
  while (at < text.length && isPart(classAt(text, at))) at += widthAt(text, at)
  return at
}

/** Marks after a character, and what a joiner adds to it, as in emoji of several people. */
function skipMarks(text: string, start: number): number {
  let at = start
  while (at < text.length && classAt(text, at) === 'mark') {
    const isJoiner = text.charCodeAt(at) === zeroWidthJoiner
    at += widthAt(text, at)
    if (isJoiner && at < text.length && classAt(text, at) === 'other') at += widthAt(text, at)
  }
  return at
}

const widthAt = (text: string, at: number) => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)

function classAt(text: string, at: number): CharacterClass {
  return at < text.length ? classOf(text.codePointAt(at) ?? 0) : 'other'
}

/** A text as lines with their line ends. Joined, they are the text. */
export function toLines(text: string): string[] {
  const lines: string[] = []
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code !== lf && (code !== cr || text.charCodeAt(at + 1) === lf)) continue
    lines.push(text.slice(from, at + 1))
    from = at + 1
  }
  if (from < text.length) lines.push(text.slice(from))
  return lines
}
