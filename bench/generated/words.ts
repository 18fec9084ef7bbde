const onsets = ['b', 'c', 'd', 'f', 'g', 'h', 'j', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'w', 'z', 'br', 'st']
const vowels = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'io', 'ou']
const codas = ['', 'n', 'r', 's', 't', 'l', 'm']

/** The n-th of endlessly many distinct, pronounceable words; the first ones are short. */
export function toWord(index: number): string {
  const syllables = onsets.length * vowels.length * codas.length
  // Spread over the alphabet, so that words in common use begin with any letter; 607 and 1,260 have no common divisor.
  const place = (index * 607) % syllables
  const more = Math.floor(index / syllables)
  return toSyllable(place) + (more === 0 ? '' : toSyllable((more - 1) % syllables))
}

function toSyllable(place: number): string {
  const onset = onsets[place % onsets.length]
  const vowel = vowels[Math.floor(place / onsets.length) % vowels.length]
  return `${onset}${vowel}${codas[Math.floor(place / onsets.length / vowels.length)]}`
}

const firstHan = 0x4e00
const hanCount = 1500

/** The n-th of many Han characters: scripts without spaces are indexed differently. */
export function toHan(index: number): string {
  return String.fromCodePoint(firstHan + (index % hanCount) * 7)
}

const accents: { readonly [letter: string]: string } = { a: 'á', e: 'é', o: 'ö', u: 'ü', c: 'ç', n: 'ñ', s: 'š' }

/** The n-th of many people; every third has an accent. */
export function toPersonName(index: number): string {
  const name = `${toTitleCase(toWord(index % 211))} ${toTitleCase(toWord(300 + index))}`
  return index % 3 === 0 ? name.replace(/[aeoucns]/, (letter) => accents[letter] ?? letter) : name
}

export function toTitleCase(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
