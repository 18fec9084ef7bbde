import { createDisjointSets } from './disjoint-sets.ts'
import { spellingKeys, toBareKey, toExpandedKey } from './spelling-keys.ts'
import { stepSize, type VariantName, type VariantReason } from './variant.ts'

/** Names that are spelled alike are one item: the smallest index of them. */
export interface Spelled {
  readonly sets: readonly number[][]
  /** The items with a name whose umlauts are two letters in another. */
  readonly expanded: ReadonlySet<number>
  itemOf(index: number): number
  namesOf(item: number): readonly number[]
}

export function* joinSpellings(names: readonly VariantName[]): Generator<void, Spelled> {
  const joined = createDisjointSets(names.length)
  const firsts = new Map<string, number>()
  for (const [index, { name }] of names.entries()) {
    if (index % stepSize === 0) yield
    const key = toBareKey(name)
    const first = firsts.get(key)
    if (first === undefined) firsts.set(key, index)
    else joined.join(first, index)
  }
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
export function toSpellingReason(
  names: readonly VariantName[],
  set: readonly number[],
  { expanded }: Spelled,
): VariantReason {
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
