import { toFolded } from '../text/fold.ts'
import { createInitialsFinder } from './initials.ts'
import { findNearPairs, isMisspelling, maxSeries } from './misspelling.ts'
import { toSingularKey } from './plural.ts'
import { spellingKeys, toBareKey, toExpandedKey, toNameWords } from './spelling-keys.ts'
import {
  maxGroup,
  stepSize,
  type VariantInput,
  type VariantName,
  type VariantReason,
  type VariantSet,
  variantReasons,
} from './variant.ts'

/**
 * The groups in time proportional to the names (decision 54): by reason, the surest first, then by name. Names that are
 * spelled alike form one group, whose reason is the weakest that it needs; each weaker reason joins such groups on its
 * own, so a name is in at most one group per reason. Yields between steps of a few milliseconds.
 */
export function* findVariants(input: VariantInput): Generator<void, readonly VariantSet[]> {
  const spelled = yield* joinSpellings(input.names)
  const sets: [VariantReason, number[]][] = toAliasSets(input).map((set) => ['alias', set])
  for (const set of spelled.sets) sets.push([toSpellingReason(input.names, set, spelled), set])
  const words = yield* listWords(input.names)
  for (const [reason, join] of joins) {
    const joined = createDisjointSets(input.names.length)
    yield* join({ ...input, words, itemOf: spelled.itemOf }, joined)
    for (const items of joined.list()) sets.push([reason, items.flatMap(spelled.namesOf).sort(byNumber)])
  }
  return toGroups(input.names, sets)
}

const byNumber = (a: number, b: number) => a - b

/** Aliases that records have again, each with the name that it was merged into. */
function toAliasSets({ names, aliases }: VariantInput): number[][] {
  const indexes = new Map(names.map(({ id }, index) => [id, index]))
  const joined = createDisjointSets(names.length)
  const findEnd = createChains(aliases)
  for (const [index, { id }] of names.entries()) {
    const target = indexes.get(findEnd(id))
    if (target !== undefined && target !== index) joined.join(target, index)
  }
  return joined.list()
}

/** Finds the end of the chain of merges that begins with a name. Each chain is walked once. */
function createChains(aliases: ReadonlyMap<number, number>): (id: number) => number {
  const ends = new Map<number, number>()
  return (id) => {
    const seen = new Set<number>()
    let current = id
    // A damaged store may have a cycle.
    for (let next: number | undefined = id; next !== undefined && !seen.has(next); next = aliases.get(current)) {
      current = ends.get(next) ?? next
      seen.add(next)
    }
    for (const each of seen) ends.set(each, current)
    return current
  }
}

/** Without groups whose names are all in a group of a surer reason. */
function toGroups(names: readonly VariantName[], sets: readonly [VariantReason, readonly number[]][]): VariantSet[] {
  const groupsOf = new Map<number, Set<number>>()
  const groups: (VariantSet & { readonly key: string })[] = []
  for (const [reason, set] of sets) {
    const [first = 0] = set
    const known = groupsOf.get(first) ?? new Set()
    if ([...known].some((group) => set.every((index) => groupsOf.get(index)?.has(group)))) continue
    for (const index of set) groupsOf.set(index, (groupsOf.get(index) ?? new Set()).add(groups.length))
    const shown = set.slice(0, maxGroup).map((index) => names[index]?.id ?? 0)
    const key = toFolded(names[first]?.name ?? '')
    groups.push({ reason, ids: shown.sort(byNumber), key })
  }
  const toRank = ({ reason }: VariantSet) => variantReasons.indexOf(reason)
  groups.sort((a, b) => toRank(a) - toRank(b) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return groups.map(({ reason, ids }) => ({ reason, ids }))
}

function* listWords(names: readonly VariantName[]): Generator<void, readonly (readonly string[])[]> {
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

/** Each function joins items that are not spelled alike. */
const joins: readonly (readonly [VariantReason, Join])[] = [
  ['order', joinOrders],
  ['plural', joinPlurals],
  ['initials', joinInitials],
  ['letter', joinLetters],
]

const digit = /\p{N}/u
const minOrdered = 5
/** Longer names are titles. */
const maxOrdered = 8

/** `Smith, John` and `John Smith`. */
function* joinOrders({ words, itemOf }: JoinInput, joined: DisjointSets): Generator<void> {
  const toKey = (index: number) => {
    const each = words[index] ?? []
    const key = each.length < 2 || each.length > maxOrdered ? '' : [...each].sort().join(' ')
    return key.length <= minOrdered || digit.test(key) ? null : key
  }
  yield* joinByKey(words.length, toKey, itemOf, joined)
}

/** Only for tags: `Peter` and `Peters` are different people. */
function* joinPlurals({ kind, names, itemOf }: JoinInput, joined: DisjointSets): Generator<void> {
  if (kind === 'tag') yield* joinByKey(names.length, (i) => toSingularKey(names[i]?.name ?? ''), itemOf, joined)
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
    // A longer chain of similar names is a family of names (`anna`, `anne`, `annie`).
    if (set.length > maxSeries) continue
    const [first = 0, ...others] = set.map((text) => items.get(texts[text] ?? '') ?? 0)
    for (const other of others) joined.join(first, other)
  }
}

/** Names that are spelled alike are one item: the smallest index of them. */
interface Spelled {
  readonly sets: readonly number[][]
  /** The items with a name whose umlauts are two letters in another. */
  readonly expanded: ReadonlySet<number>
  itemOf(index: number): number
  namesOf(item: number): readonly number[]
}

function* joinSpellings(names: readonly VariantName[]): Generator<void, Spelled> {
  const joined = createDisjointSets(names.length)
  const toKey = (index: number) => toBareKey(names[index]?.name ?? '')
  const firsts = yield* joinByKey(names.length, toKey, (index) => index, joined)
  const expanded: number[] = []
  for (const [index, { name }] of names.entries()) {
    if (index % stepSize === 0) yield
    const key = toExpandedKey(name)
    const other = key === null ? undefined : firsts.get(key)
    if (other === undefined) continue
    joined.join(other, index)
    expanded.push(other)
  }
  const sets = joined.list()
  const known = new Map(sets.map((set) => [set[0], set]))
  return {
    sets,
    expanded: new Set(expanded.map(joined.find)),
    itemOf: joined.find,
    namesOf: (item) => known.get(item) ?? [item],
  }
}

/** The first key that all names of the set have in common. Umlauts as two letters have none, and count as accents. */
function toSpellingReason(names: readonly VariantName[], set: readonly number[], { expanded }: Spelled): VariantReason {
  const [first = 0] = set
  const toName = (index: number) => names[index]?.name ?? ''
  const isCommon = (toKey: (name: string) => string) => {
    const key = toKey(toName(first))
    return set.every((index) => toKey(toName(index)) === key)
  }
  const { case: toCase, space: toSpaceless, accent: toPlain } = spellingKeys
  if (isCommon(toCase)) return 'case'
  if (isCommon(toSpaceless)) return 'space'
  return isCommon(toPlain) || expanded.has(first) ? 'accent' : 'punctuation'
}

/** Joins the items of all names with the same key, and returns the first item of each key. Null is no key. */
function* joinByKey(
  size: number,
  toKey: (index: number) => string | null,
  itemOf: (index: number) => number,
  joined: DisjointSets,
): Generator<void, ReadonlyMap<string, number>> {
  const firsts = new Map<string, number>()
  for (let index = 0; index < size; index++) {
    if (index % stepSize === 0) yield
    const key = toKey(index)
    if (key === null) continue
    const first = firsts.get(key)
    if (first === undefined) firsts.set(key, itemOf(index))
    else joined.join(first, itemOf(index))
  }
  return firsts
}

/** Union–find: items are joined pair by pair into sets. */
interface DisjointSets {
  /** The representative of the item's set. */
  find(item: number): number
  join(a: number, b: number): void
  /** The sets of two or more, each in ascending order. */
  list(): number[][]
}

function createDisjointSets(size: number): DisjointSets {
  const parents = Int32Array.from({ length: size }, (_, item) => item)

  function find(item: number): number {
    let root = item
    for (let above = parents[root] ?? root; above !== root; above = parents[root] ?? root) {
      // Halves the path, which keeps later searches short.
      parents[root] = parents[above] ?? above
      root = above
    }
    return root
  }

  return {
    find,
    join(a, b) {
      const [one, other] = [find(a), find(b)]
      // The smallest item represents its set, so the result does not depend on the order of the calls.
      parents[Math.max(one, other)] = Math.min(one, other)
    },
    list() {
      const sets = new Map<number, number[]>()
      for (let item = 0; item < size; item++) {
        const root = find(item)
        if (root === item && parents[item] === item) continue
        const known = sets.get(root)
        if (known === undefined) sets.set(root, [root, item])
        else known.push(item)
      }
      return [...sets.values()]
    },
  }
}
