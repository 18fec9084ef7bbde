import { isOfRun } from './search-text.ts'
import { isWordCode } from './words.ts'

/** Tests whether a word of a folded text begins with `part`. In scripts without spaces any character begins a word. */
export function toWordStartTest(part: string): (text: string) => boolean {
  const isAnywhere = isOfRun(part)
  return (text) => {
    let at = text.indexOf(part)
    while (at > 0 && !isAnywhere && isWordCode(text, at - 1)) at = text.indexOf(part, at + 1)
    return at >= 0
  }
}

/** The initial of names that begin with no letter of an alphabet: with a digit, a symbol, a Han or Hangul character. */
export const otherInitial = 'other'

const [a, z, lastAscii] = [0x61, 0x7a, 0x7f]

/** Under which initial a folded name is listed from A to Z. Most begin with an ASCII letter, and take a shortcut. */
export function toInitial(text: string): string {
  const code = text.charCodeAt(0)
  if (code >= a && code <= z) return text.charAt(0)
  if (code <= lastAscii) return otherInitial
  return /^(?![\p{Script=Han}\p{Script=Hangul}])[\p{Ll}\p{Lo}]/u.exec(text)?.[0] ?? otherInitial
}
