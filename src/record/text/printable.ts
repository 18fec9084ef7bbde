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
