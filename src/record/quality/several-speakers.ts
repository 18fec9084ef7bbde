/** A cheap test for most names, which have no separator. */
const maybeSeveral = /[,;&/|+、，；]| (?:and|with|und|et|y|e|en|og|och|i|и|та) /iu

/** No person's name has these. */
const strong = /\s*[;|、，；]\s*/u
/** `AC/DC` has no spaces. */
const slash = /\s+\/\s+|(?<=\p{L}{2} \p{L}{2,255})\/(?=\p{L}{2,255} \p{L}{2})/u
const joined = /,?\s+(?:and|with|&|\+)\s+/iu
/** In other languages these also join the surnames of one person: "José Ortega y Gasset". */
const joinedElsewhere = /\s+(?:und|et|y|e|en|og|och|i|и|та)\s+/iu
const comma = /\s*,\s*/u

/** What follows the comma after the name of one person. */
const suffix = /^(?:jr|sr|ii|iii|iv|ph\.?\s?d|m\.?d|m\.?sc|b\.?sc|mba|dr|prof|esq)\.?$/iu

/** Words that say that this is no list of people. */
const notPeople = new Set(
  (
    'academy agency association bank board ceo centre center chair club co collective college committee community ' +
    'company conference corp council crew cto department director engineer engineering faculty foundation friends ' +
    'gmbh group inc institute lab laboratory labs limited llc ltd manager network office organisers organizers panel ' +
    'professor project research school science sciences services society software solutions studio studios systems ' +
    'team technologies technology union university workshop'
  ).split(' '),
)

const particles = new Set('al bin da das de del della den der di do dos du el la le ten ter van von zu'.split(' '))
const maxWords = 5

/**
 * The people that one entry of `speakers` seems to name, in their order; the entry itself if it names one. It rather
 * takes several for one: "Smith, John", "Barnes & Noble" and "Jane Roe, CEO" are one.
 */
export function splitSpeaker(name: string): readonly string[] {
  if (!maybeSeveral.test(name)) return [name]
  const bare = name.replace(/\s*[([][^)\]]{0,255}[)\]]|\s*(?:\.{3}|…)$/gu, '')
  const people = [...new Set(toPeople(bare).map((each) => each.trim()))]
  return people.length > 1 && people.every(isPerson) ? people : [name]
}

export const isSeveralSpeakers = (name: string) => splitSpeaker(name).length > 1

function toPeople(text: string): readonly string[] {
  const strongly = toParts(text, strong)
  if (strongly.length > 1) return strongly.flatMap(splitCommas)
  const slashed = toParts(text, slash)
  if (slashed.length > 1) return isInTwoScripts(slashed) ? [text] : slashed.flatMap(splitCommas)
  const parts = toParts(text, joined).flatMap(splitCommas)
  if (parts.length > 2) return parts
  // Two single words are a firm or a band.
  if (parts.length === 2) return parts.some(isFullName) ? parts : [text]
  const elsewhere = toParts(text, joinedElsewhere).flatMap(splitCommas)
  return elsewhere.length > 1 && elsewhere.every(isFullName) ? elsewhere : [text]
}

const toParts = (text: string, separator: RegExp) => text.split(separator).filter((part) => part.trim() !== '')

/** "加藤皓也/Hiroya Kato" is one person. */
function isInTwoScripts(parts: readonly string[]): boolean {
  const latin = parts.filter((part) => /\p{Script=Latin}/u.test(part))
  return latin.length > 0 && latin.length < parts.length
}

/** "Smith, John" is one person, and so is "John Smith, PhD". */
function splitCommas(text: string): readonly string[] {
  const parts: string[] = []
  for (const part of toParts(text, comma)) {
    const last = suffix.test(part) ? parts.pop() : undefined
    parts.push(last === undefined ? part : `${last}, ${part}`)
  }
  return parts.length > 2 || parts.every(isFullName) ? parts : [text]
}

const toWords = (text: string) => text.split(/[\s.]+/u).filter((word) => word !== '')

const isFullName = (text: string) => toWords(text).length > 1

/** Capitals, or a script without them. */
const nameWord = /^[\p{Lu}\p{Lt}\p{Lo}"'“‘][\p{L}\p{M}'’"”.-]{0,60},?$/u

function isPerson(text: string): boolean {
  const words = toWords(text)
  if (words.length === 0 || words.length > maxWords) return false
  return words.every((word) => {
    const lower = word.toLowerCase()
    return particles.has(lower) || (nameWord.test(word) && !notPeople.has(lower))
  })
}
