/**
 * What makes a terminal do something, or show a text in another order than it is written: control characters, and the
 * signs that turn the direction of writing.
 */
const controls = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** One line of text as it may be shown: names of files, fields and servers come from others. */
export function toPrintable(text: string): string {
  return text.replace(controls, toEscape)
}

/** The same for several lines, whose own line ends and tabs stay. */
export function toPrintableLines(text: string): string {
  return text.replace(controls, (sign) => (sign === '\n' || sign === '\t' ? sign : toEscape(sign)))
}

const toEscape = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
