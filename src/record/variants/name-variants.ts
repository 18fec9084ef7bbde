import { toFolded } from '../text/fold.ts'
import { createDisjointSets } from './disjoint-sets.ts'
import { joins, listWords } from './joins.ts'
import { joinSpellings, toSpellingReason } from './spelled.ts'
import {
  maxGroup,
  type VariantGroup,
  type VariantInput,
  type VariantName,
  type VariantReason,
  variantReasons,
} from './variant.ts'

/**
 * The groups in time proportional to the names (decision 54): by reason, the surest first, then by name. Names that are
 * spelled alike form one group, whose reason is the weakest that it needs; each weaker reason joins such groups on its
 * own, so a name is in at most one group per reason. Yields between steps of a few milliseconds.
 */
export function* findVariants(input: VariantInput): Generator<void, readonly VariantGroup[]> {
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

/** Names that were merged into another and are written again, with that other. */
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
    let at = id
    // A damaged store may have a cycle.
    for (let next: number | undefined = id; next !== undefined && !seen.has(next); next = aliases.get(at)) {
      at = ends.get(next) ?? next
      seen.add(next)
    }
    for (const each of seen) ends.set(each, at)
    return at
  }
}

/** Without groups whose names are all in a group of a surer reason. */
function toGroups(names: readonly VariantName[], sets: readonly [VariantReason, readonly number[]][]): VariantGroup[] {
  const groupsOf = new Map<number, Set<number>>()
  const groups: (VariantGroup & { readonly key: string })[] = []
  for (const [reason, set] of sets) {
    const [first = 0] = set
    const known = groupsOf.get(first) ?? new Set()
    if ([...known].some((group) => set.every((index) => groupsOf.get(index)?.has(group)))) continue
    for (const index of set) groupsOf.set(index, (groupsOf.get(index) ?? new Set()).add(groups.length))
    const shown = set.slice(0, maxGroup).map((index) => names[index]?.id ?? 0)
    const key = toFolded(names[first]?.name ?? '')
    groups.push({ reason, ids: shown.sort(byNumber), key })
  }
  const toRank = ({ reason }: VariantGroup) => variantReasons.indexOf(reason)
  groups.sort((a, b) => toRank(a) - toRank(b) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return groups.map(({ reason, ids }) => ({ reason, ids }))
}
