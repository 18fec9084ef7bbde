import type { Visibility } from '../../record/state.ts'
import { toFolded } from '../../record/text/fold.ts'
import { toTokenText } from '../../record/text/tokens.ts'
import { compareCodePoints } from '../columns/numbering.ts'
import type { NameCounts } from './complete-names.ts'
import { entryKinds, type Name, type NameIndex } from './name-index.ts'

/** A name that a query has in it. */
interface NamedIn {
  readonly name: Name
  readonly count: number
  /** The words of the name, folded, with spaces between them. */
  readonly words: string
}

/** A page shows no more. */
const maxNamed = 3
/** So many names are compared with the query at most, in a few milliseconds. */
const maxCompared = 20_000
const yearPattern = /^(?:19|20)\d\d$/

/**
 * Finds the names that a query has in it, longest first: the one that it is, with or without a year beside it, and
 * those of two words and more. A single word among others is a topic rather than a name. Names without visible
 * records are left out.
 */
export function findNamed(index: NameIndex, counts: NameCounts, text: string, visibility: Visibility): NamedIn[] {
  const tokens = toTokenText(text).split(' ')
  const [all, withoutYears] = [tokens.join(' '), tokens.filter((token) => !yearPattern.test(token)).join(' ')]
  const isNamed = (words: string) =>
    words === all || words === withoutYears || (words.includes(' ') && ` ${all} `.includes(` ${words} `))
  const found = listCandidates(index, tokens, toFolded(text).length).flatMap((name) => {
    const words = toTokenText(name.text)
    const count = isNamed(words) ? counts.countOf(name.kind, name.id, visibility) : 0
    return count > 0 ? [{ name, count, words }] : []
  })
  const isPart = ({ words }: NamedIn) => found.some((other) => other.words !== words && hasWords(other.words, words))
  return found
    .filter((each) => !isPart(each))
    .sort(compare)
    .slice(0, maxNamed)
}

const hasWords = (text: string, words: string) => ` ${text} `.includes(` ${words} `)

/** Names that have a word of the query and are not longer than it. */
function listCandidates(index: NameIndex, tokens: readonly string[], maxLength: number): Name[] {
  const { lengths } = index.arrays()
  const found = new Set<Name>()
  let left = maxCompared
  for (const token of new Set(tokens)) {
    for (const number of index.namesWith(index.dictionary.find(token))) {
      if ((lengths[number] ?? 0) > maxLength || left-- <= 0) continue
      const name = index.get(number)
      if (name !== undefined) found.add(name)
    }
  }
  return [...found]
}

function compare(a: NamedIn, b: NamedIn): number {
  return (
    b.words.length - a.words.length ||
    entryKinds.indexOf(a.name.kind) - entryKinds.indexOf(b.name.kind) ||
    b.count - a.count ||
    compareCodePoints(a.name.text, b.name.text)
  )
}
