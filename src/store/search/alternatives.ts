import { toNicknames } from '../../record/text/nicknames.ts'
import { toMaxEdits } from '../../record/text/spelling.ts'
import { type QueryWord, toJoinedWords, toSpellings, toWordForms } from '../../record/text/words.ts'
import type { Dictionary } from './dictionary.ts'

export type Likeness = 'same' | 'joined' | 'form' | 'nameForm' | 'nickname' | 'beginning' | 'part' | 'spelling'

/** A word of the archive that a word of the query may stand for. */
export interface Alternative {
  readonly word: number
  readonly likeness: Likeness
  /** 1 for the word itself, less for others. */
  readonly quality: number
  /** Whether it is only like the word, which other records have: the search is widened before it counts. */
  readonly isNear: boolean
}

type Candidate = Omit<Alternative, 'isNear'>

/** A word of the query with everything that it may match. */
export interface SearchTerm {
  readonly typed: string
  /**
   * More than one for a word that is searched for by its parts. Each has alternatives, best first. None if no visible
   * record has the word in any form or spelling.
   */
  readonly parts: readonly (readonly Alternative[])[]
  readonly isOfPhrase: boolean
  /** Whether all accepted records have it: they have all phrases. The index of phrases does not know literal words. */
  readonly isAccepted: boolean
  /** A word such as `the`, which says little about a talk. */
  readonly isFunctionWord: boolean
}

/** The dictionary as the caller may see it. */
export interface VisibleWords {
  readonly dictionary: Dictionary
  /** The number of visible records with this word. */
  countRecords(word: number): number
  /** The number of those that have it in the name of a speaker. */
  countSpeakers(word: number): number
  /** The number of visible records in which the second word follows the first. */
  countPairs(first: number, second: number): number
}

export const qualities = {
  variant: 0.95,
  nickname: 0.6,
  form: 0.6,
  swappedEnding: 0.4,
  beginning: 0.42,
  part: 0.25,
  spelling: 0.5,
  spelling2: 0.33,
}
/** More words would take longer and bring little. */
const maxBeginnings = 40
const maxParts = 20
const maxSpellings = 8
const minPartLength = 5
const minStemLength = 7
/** Letters of each part of a compound; more if some record has the compound itself. */
const [minPart, minKnownPart] = [3, 4]
/** A word of so few records may be a misspelling in the archive itself, if a neighbour is far more frequent. */
const maxMisspelled = 2
const rareShare = 0.1
/** A word is written as two if so many times as many records write it so. */
const minPairs = 2
/** A word is a name if so many of the records that have it have it as the name of a speaker. */
const minNameShare = 0.25

/** Every word of the query as terms. */
export function findTerms(query: readonly QueryWord[], words: VisibleWords): SearchTerm[] {
  const terms: SearchTerm[] = []
  let runEnd = -1
  for (const [i, word] of query.entries()) {
    if (i < runEnd) continue
    if (word.isPair) {
      const end = query.findIndex((each, index) => index > i && !(each.isPair && each.typed === word.typed))
      runEnd = end < 0 ? query.length : end
      terms.push(...findRun(query.slice(i, runEnd), words))
    } else if (!isRepeated(query, i)) terms.push(...findWordTerms(word, words, toJoinedWords(query, i)))
  }
  const isQuestion = terms.filter(({ isFunctionWord }) => isFunctionWord).length > 1
  return isQuestion ? terms.map(toFiller) : terms
}

/** What a question calls that which it asks for: `what was the talk about`. */
const fillers: ReadonlySet<string> = new Set(['talk', 'talks', 'video', 'videos', 'session'])

const toFiller = (term: SearchTerm): SearchTerm => {
  return fillers.has(term.typed.toLowerCase()) ? { ...term, isFunctionWord: true } : term
}

/** Of a word inside and outside a phrase, the one outside counts: it has more alternatives. */
function isRepeated(query: readonly QueryWord[], index: number): boolean {
  const isOfPhrase = query[index]?.isOfPhrase === true
  return query.some((other, i) => {
    const isEqual = i !== index && !other.isPair && other.words[0] === query[index]?.words[0]
    return isEqual && (other.isOfPhrase === isOfPhrase ? i < index : isOfPhrase)
  })
}

/** The pairs of a run of characters, as one word. */
function findRun(pairs: readonly QueryWord[], words: VisibleWords): SearchTerm[] {
  const parts = pairs.flatMap(({ words: texts }) => {
    const found = collect([...toSame(texts, words), ...findBeginnings(texts[0] ?? '', true, words)])
    return found.length > 0 ? [found.map(toAlternative(() => false))] : []
  })
  const [first] = pairs
  return first === undefined ? [] : [toTerm(first, parts)]
}

function toTerm(
  { typed, isOfPhrase, isLiteral, words: [text = ''] }: QueryWord,
  parts: SearchTerm['parts'],
): SearchTerm {
  return { typed, parts, isOfPhrase, isAccepted: isOfPhrase && !isLiteral, isFunctionWord: functionWords.has(text) }
}

const toAlternative =
  (isNear: (candidate: Candidate) => boolean) =>
  (candidate: Candidate): Alternative => ({ ...candidate, isNear: isNear(candidate) })

/** The word as it was typed first, then other ways to write it. */
const toSame = ([typed = '', ...others]: readonly string[], words: VisibleWords): Candidate[] => [
  ...findKnown([typed], words).map((word): Candidate => ({ word, likeness: 'same', quality: 1 })),
  ...findKnown(others, words).map((word): Candidate => ({ word, likeness: 'same', quality: qualities.variant })),
]

function findWordTerms(query: QueryWord, words: VisibleWords, joinedTexts: readonly string[]): SearchTerm[] {
  const same = toSame(query.words, words)
  if (query.isLiteral || query.isOfPhrase) {
    const found =
      same.length > 0 ? [toTerm(query, [same.map(toAlternative(() => false))])] : findTerms(query.parts, words)
    return found.length > 0 ? found : [toTerm(query, [])]
  }
  const text = query.words[0] ?? ''
  const joined = findKnown(joinedTexts, words).map((word) => ({ word, likeness: 'joined' as const, quality: 1 }))
  const found = collect([
    ...same,
    ...joined,
    ...findForms(text, same.length > 0, words),
    ...findNicknames(text, words),
    ...findBeginnings(text, same.length > 0, words),
    ...findParts(text, same.length > 0, words),
    ...findSpellings(text, same, words),
  ])
  const compound = findCompound(text, found, words)
  const parts = compound.length > 0 ? compound : found.length > 0 ? [found] : []
  const isNear = toNearTest(text, same, words)
  return [
    toTerm(
      query,
      parts.map((part) => part.map(toAlternative(isNear))),
    ),
  ]
}

const nearLikenesses: ReadonlySet<Likeness> = new Set(['beginning', 'part', 'spelling'])

/**
 * Of a word that records have, longer words and other spellings are others; of a name, other forms too: `guido`, `guide`.
 * A short word has no other forms, but a plural.
 */
function toNearTest(text: string, same: readonly Candidate[], words: VisibleWords): (candidate: Candidate) => boolean {
  if (same.length === 0) return () => false
  const isOfName = same.some(({ word }) => isName(word, words))
  const plural = words.dictionary.find(`${text}s`)
  return ({ word, likeness }) => word !== plural && (nearLikenesses.has(likeness) || (isOfName && likeness === 'form'))
}

const isName = (word: number, { countSpeakers, countRecords }: VisibleWords) =>
  countSpeakers(word) >= minNameShare * countRecords(word)

/** A word that is unknown, rare, or more often written as two also matches records that have both of its parts. */
function findCompound(text: string, found: readonly Candidate[], words: VisibleWords): Candidate[][] {
  const same = found.filter(({ likeness }) => likeness === 'same').map(({ word }) => words.countRecords(word))
  const known = Math.max(0, ...same)
  const { parts, pairs } = splitCompound(text, words)
  const isPair = pairs > known * minPairs
  const isLong = parts.every((word) => words.dictionary.toWord(word).length >= minKnownPart)
  const isRare = same.length > 0 ? known <= maxMisspelled && isLong : found.length === 0
  if (!isPair && !isRare) return []
  const quality = isPair ? qualities.variant : qualities.form
  return parts.map((word) => collect([...found, { word, likeness: 'form', quality }]))
}

/** Each word once, as the first likeness that it was found by: another form of a word is no misspelling of it. */
function collect(found: readonly Candidate[]): Candidate[] {
  const first = new Map<number, Candidate>()
  for (const each of found) if (!first.has(each.word)) first.set(each.word, each)
  return [...first.values()].sort((a, b) => b.quality - a.quality)
}

function findKnown(texts: readonly string[], { dictionary, countRecords }: VisibleWords): number[] {
  return texts.map(dictionary.find).filter((word) => word >= 0 && countRecords(word) > 0)
}

/** A word that no record has may be a form of a name, too: `соловьеву`. One that some have is none: `lernen`, `Lerner`. */
function findForms(text: string, isKnown: boolean, words: VisibleWords): Candidate[] {
  const { dictionary, countRecords } = words
  const isOther = isKnown ? (word: number) => isName(word, words) : () => false
  const forms = toWordForms(text)
  const inflected = forms === null ? [] : dictionary.listBeginning(forms.beginning)
  const found = inflected.filter((word) => {
    const other = dictionary.toWord(word)
    return other !== text && forms?.isForm(other) === true && countRecords(word) > 0 && !isOther(word)
  })
  const toForm = (likeness: Likeness) => (word: number) => {
    return { word, likeness, quality: toFormQuality(text, dictionary.toWord(word)) }
  }
  return [
    ...findKnown(toSpellings(text), words).map(toForm('nameForm')),
    ...dictionary.sortByLength(found).map(toForm(isKnown ? 'form' : 'nameForm')),
  ]
}

function findNicknames(text: string, words: VisibleWords): Candidate[] {
  return findKnown(toNicknames(text), words).map((word) => ({
    word,
    likeness: 'nickname',
    quality: qualities.nickname,
  }))
}

/** In Latin script, two words that differ by their endings may well be two words: `bayes`, `bayer`. */
function toFormQuality(text: string, word: string): number {
  const isExtended = text.startsWith(word) || word.startsWith(text)
  return isExtended || !/^[a-z]/.test(text) || word[0] !== text[0] ? qualities.form : qualities.swappedEnding
}

function findBeginnings(text: string, isKnown: boolean, { dictionary, countRecords }: VisibleWords): Candidate[] {
  if (text.length < (isKnown ? 3 : 1) && !isWide(text)) return []
  const found: Candidate[] = []
  for (const word of dictionary.sortByLength(dictionary.listBeginning(text))) {
    if (found.length === maxBeginnings) break
    const { length } = dictionary.toWord(word)
    if (length === text.length || countRecords(word) === 0) continue
    found.push({ word, likeness: 'beginning', quality: qualities.beginning * Math.sqrt(text.length / length) })
  }
  return found
}

/** A single character of a script without spaces is a beginning of pairs. */
const isWide = (text: string) => text.length === 1 && text.charCodeAt(0) > 0xe00

/** Compounds: `entwicklung` in `softwareentwicklung`. Of an unknown word, its stem: `datenbank` in `datenbanksysteme`. */
function findParts(text: string, isKnown: boolean, { dictionary, countRecords }: VisibleWords): Candidate[] {
  const stem = isKnown ? text : (toWordForms(text)?.beginning ?? text)
  const part = stem.length < minStemLength ? text : stem
  if (part.length < minPartLength) return []
  const longer = part === text ? [] : dictionary.sortByLength(dictionary.listBeginning(part))
  const found: Candidate[] = []
  // Counting takes longest: it ends with the last word that is kept.
  for (const word of [...dictionary.listContaining(part), ...longer]) {
    if (found.length === maxParts) break
    if (countRecords(word) > 0) found.push({ word, likeness: 'part', quality: qualities.part })
  }
  return found
}

/** The nearest spellings. Those of a known word only if it is far more frequent: the known word may be the misspelling. */
function findSpellings(text: string, same: readonly Candidate[], words: VisibleWords): Candidate[] {
  const { dictionary, countRecords } = words
  const known = Math.max(0, ...same.map(({ word }) => countRecords(word)))
  if (known > maxMisspelled) return []
  const near = dictionary.listNear(text, toMaxEdits(text)).flatMap(({ number, edits }) => {
    const records = countRecords(number)
    return records > 0 && known <= records * rareShare ? [{ number, edits, records }] : []
  })
  const nearest = near.sort((a, b) => a.edits - b.edits || b.records - a.records).slice(0, maxSpellings)
  return nearest.map(({ number, edits }) => ({
    word: number,
    likeness: 'spelling',
    quality: toSpellingQuality(text, dictionary.toWord(number), edits),
  }))
}

/** Two swapped letters are the most common error; the first letter is rarely wrong. */
function toSpellingQuality(text: string, word: string, edits: number): number {
  const quality = edits === 1 ? qualities.spelling : qualities.spelling2
  const isSwap = edits === 1 && text.length === word.length && [...text].sort().join('') === [...word].sort().join('')
  return quality * (isSwap ? 1.2 : 1) * (text[0] === word[0] ? 1 : 0.8)
}

interface Compound {
  readonly parts: readonly number[]
  /** The number of records in which they follow each other. */
  readonly pairs: number
}

/** A word as two known ones, those that most often follow each other: `softwareentwicklung` -> `software`, `entwicklung`. */
function splitCompound(text: string, words: VisibleWords): Compound {
  const least = /^\p{Script=Hangul}/u.test(text) ? 2 : minPart
  let best: Compound = { parts: [], pairs: -1 }
  for (let offset = text.length - least; offset >= least; offset--) {
    const parts = findKnown([text.slice(0, offset), text.slice(offset)], words)
    const linked = text[offset] === 's' ? findKnown([text.slice(0, offset), text.slice(offset + 1)], words) : []
    for (const [first, second] of [parts, linked]) {
      if (first === undefined || second === undefined) continue
      const pairs = words.countPairs(first, second)
      if (pairs > best.pairs) best = { parts: [first, second], pairs }
    }
  }
  return best
}

/** The spellings that stood in for words that no visible record has, in capitals as the word was typed. */
export function toCorrected(terms: readonly SearchTerm[], { dictionary }: VisibleWords): { [typed: string]: string[] } {
  const corrected: { [typed: string]: string[] } = {}
  for (const { typed, parts } of terms) {
    const alternatives = parts.flat()
    if (alternatives.some(({ likeness }) => likeness !== 'spelling' && likeness !== 'part')) continue
    const spellings = alternatives.filter(({ likeness }) => likeness === 'spelling')
    const toText = ({ word }: Alternative) => toCaseOf(typed, dictionary.toWord(word))
    if (spellings.length > 0) corrected[typed] = spellings.map(toText)
  }
  return corrected
}

/** `beazley` for `Beasley` is `Beazley`, for `BEASLEY` it is `BEAZLEY`. */
function toCaseOf(typed: string, word: string): string {
  const [first = '', ...rest] = word
  const [typedFirst = '', ...typedRest] = typed
  if (typedFirst === typedFirst.toLowerCase()) return word
  const hasCapitals = typedRest.length > 0 && typed === typed.toUpperCase()
  return hasCapitals ? word.toUpperCase() : `${first.toUpperCase()}${rest.join('')}`
}

/**
 * The function words of the languages in which most questions are typed, without accents. Those that are also names of
 * topics or countries are left out: `it`, `ai`, `os`, and `de`, which tells PyCon DE from others.
 */
const functionWords: ReadonlySet<string> = new Set(
  [
    'a about all also am an and any are as at be been being but by can could did do does for from had has have he her',
    'him his how i if in into is its just like me more most my no not of on one or our out she should so some such',
    'than that the their them then there these they this those to too up very was we were what when where which',
    'while who whom whose why will with without would you your',
    'aber als am an auf aus bei beim bin bis da dann das dem den der des die doch du durch ein eine einem einen einer',
    'eines er fur gegen habe haben hat ich ihr im ist ja kann mein mit muss nach nicht noch nur ob oder ohne sein',
    'sich sie sind so uber um und uns unter vom von vor wann warum was wenn wer werden wie wir wird wo zu zum zur',
    'aux avec ce ces cette comment dans des du elle en est et il ils je la le les leur mais mes mon nous ont ou',
    'par pas plus pour pourquoi qu quand que quel quelle quels qui sans ses son sont sur tu un une vos votre vous',
    'al algo como con cual cuando del desde donde el ella ellos en entre era esta este esto fue hay la las lo los',
    'mas me mi muy nos o para pero por porque que quien sin sobre son su sus te tu un una uno y yo',
    'ao aos as com da das do dos e em eu foi isso mais mas meu na nas nem nos o ou pela pelo qual quem sao sem seu',
    'sua tem uma voce',
    'agli al alla alle anche che chi con cosa da dai dal dalla dei del della di dove e gli i il la le lo nei',
    'nel nella non o per perche piu quale quando questa questo sono su sul sulla tra un una uno',
    'aan dat deze die dit door een en er het hij hoe ik in is je maar met mijn naar niet of om onder ook op over te tot',
    'uit van voor waarom was wat we wie wij zijn',
    'а без бы был была были в во вот для до если есть еще же за и из или к как когда кто ли мне мы на не но о об он она они',
    'от по под при про с со так такое там то у уже что это этот я',
  ].flatMap((line) => line.split(' ')),
)
