import { createDisjointSets, type DisjointSets } from './disjoint-sets.ts'
import { createInitialsFinder } from './initials.ts'
import { findNearPairs, isMisspelling, maxSeries } from './misspelling.ts'
import { toNameWords } from './spelling-keys.ts'
import { stepSize, type VariantInput, type VariantName, type VariantReason } from './variant.ts'

export function* listWords(names: readonly VariantName[]): Generator<void, readonly (readonly string[])[]> {
  const all: (readonly string[])[] = []
  for (const [index, { name }] of names.entries()) {
    if (index % stepSize === 0) yield
    all.push(toNameWords(name))
  }
  return all
}

interface JoinInput extends VariantInput {
  readonly words: readonly (readonly string[])[]
  itemOf(index: number): number
}
type Join = (input: JoinInput, joined: DisjointSets) => Generator<void>

/** Each joins items that are not spelled alike. */
export const joins: readonly (readonly [VariantReason, Join])[] = [
  ['order', joinOrders],
  ['initials', joinInitials],
  ['letter', joinLetters],
]

const digit = /\p{N}/u
const minOrdered = 5
/** Longer names are titles. */
const maxOrdered = 8

/** `Smith, John` and `John Smith`. */
function* joinOrders({ words, itemOf }: JoinInput, joined: DisjointSets): Generator<void> {
  const firsts = new Map<string, number>()
  for (const [index, each] of words.entries()) {
    if (index % stepSize === 0) yield
    const key = each.length < 2 || each.length > maxOrdered ? '' : [...each].sort().join(' ')
    if (key.length <= minOrdered || digit.test(key)) continue
    const first = firsts.get(key)
    if (first === undefined) firsts.set(key, itemOf(index))
    else joined.join(first, itemOf(index))
  }
}

/** Only for people: a letter in a tag is seldom an initial. */
function* joinInitials({ kind, names, words, itemOf }: JoinInput, joined: DisjointSets): Generator<void> {
  if (kind !== 'speaker') return
  const finder = createInitialsFinder()
  for (const [index, { name }] of names.entries()) {
    if (index % stepSize === 0) yield
    finder.add(itemOf(index), name, words[index] ?? [])
  }
  yield* finder.joinAll(joined.join, joined.find)
}

function* joinLetters({ kind, words, itemOf }: JoinInput, joined: DisjointSets): Generator<void> {
  const items = new Map<string, number>()
  for (const [index, each] of words.entries()) {
    if (index % stepSize === 0) yield
    items.set(each.join(' '), itemOf(index))
  }
  const texts = [...items.keys()]
  const near = createDisjointSets(texts.length)
  yield* findNearPairs(texts, (a, b) => {
    const [one = '', other = ''] = [texts[a], texts[b]]
    if (isMisspelling(one, other, kind)) near.join(a, b)
  })
  for (const set of near.list()) {
    // A longer chain of near names is a family of them (`anna`, `anne`, `annie`).
    if (set.length > maxSeries) continue
    const [first = 0, ...others] = set.map((text) => items.get(texts[text] ?? '') ?? 0)
    for (const other of others) joined.join(first, other)
  }
}
