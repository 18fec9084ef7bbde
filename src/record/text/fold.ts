/**
 * Accents, points, vowel signs and soft hyphens that writers often omit; not marks that make a different letter, as in
 * Thai, Hindi or kana.
 */
const marks = /(?![\u3099\u309a])\p{Script=Inherited}|[\u0591-\u05c7\u00ad]/gu

/** Latin letters with strokes or ligatures that Unicode does not decompose, and the Greek final sigma. */
const letters: { readonly [letter: string]: string } = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
}
const letterPattern = new RegExp(`[${Object.keys(letters).join('')}]`, 'g')

const asciiPattern = /^[\u0000-\u007f]*$/

/** Most texts are ASCII, and take a shortcut. */
export const isAscii = (text: string) => asciiPattern.test(text)

/** Without case and accents, for sorting titles and searching. Ours, so that both engines agree. */
export function toFolded(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  const bare = text.normalize('NFKD').replace(marks, '').normalize('NFC').toLowerCase()
  return bare.replace(letterPattern, (letter) => letters[letter] ?? letter)
}

/** Index entries must stay short, and one letter may fold into several. */
const maxKeyLength = 500

/** The key by which a text is sorted and looked up. */
export function toSortKey(text: string): string {
  return toFolded(text).slice(0, maxKeyLength).toWellFormed()
}
