/**
 * Characters that control a terminal or reorder the displayed text: control characters, line separators and
 * bidirectional marks.
 */
const controls = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Untrusted text, such as a file name, as one line that is safe to print. */
export function toPrintable(text: string): string {
  return text.replace(controls, toEscape)
}

/** As `toPrintable`, but keeps newlines and tabs. */
export function toPrintableLines(text: string): string {
  return text.replace(controls, (character) =>
    character === '\n' || character === '\t' ? character : toEscape(character),
  )
}

const toEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The beginning of a text that is longer than `max` characters. */
export function toShort(text: string, max: number): string {
  const characters = [...text.slice(0, 2 * max + 1)]
  return characters.length <= max ? text : `${characters.slice(0, max).join('')}…`
}

/**
 * Characters that nobody sees in a title or name, and that make two look alike or turn their letters round. Joiners of
 * letters and emoji (U+200C, U+200D) are not among them.
 */
const unseen = /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

/** Each invisible character of a text once, as `U+200B`. */
export const listUnseen = (text: string) => [...new Set(text.match(unseen))].map(toCodePoint)

/** A text in which invisible characters can be seen. */
export const markUnseen = (text: string) => text.replace(unseen, (character) => `⟨${toCodePoint(character)}⟩`)

const toCodePoint = (character: string) => `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
