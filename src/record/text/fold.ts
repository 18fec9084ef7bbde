/** Accents, points, vowel signs and soft hyphens that writers leave out; not those that make a letter, as in Thai, Hindi or kana. */
const marks = /(?![\u3099\u309a])\p{Script=Inherited}|[\u0591-\u05c7\u00ad]/gu

/** Latin letters whose stroke or ligature Unicode does not take apart, and the Greek sigma that ends a word. */
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

/** Whether there is nothing in it but ASCII, as in most texts: then much need not be looked for. */
export const isAscii = (text: string) => asciiPattern.test(text)

/** Case and accents taken away: how titles are sorted and texts are searched, the same on every engine. */
export function toFolded(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  const bare = text.normalize('NFKD').replace(marks, '').normalize('NFC').toLowerCase()
  return bare.replace(letterPattern, (letter) => letters[letter] ?? letter)
}
