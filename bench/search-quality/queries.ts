import { parseSearch } from '../../src/record/text/search-text.ts'
import { createRandom, type Random } from '../generated/random.ts'
import { type Kind, kinds } from './kinds.ts'
import { type Talk, toTitleKey } from './talk.ts'

/** A search for a talk that is known to be there. */
export interface KnownItem {
  readonly kind: string
  readonly q: string
  readonly title: string
  /** The talk, those with the same title, and others that the query means as well. */
  readonly ids: ReadonlySet<number>
}

interface QueryOptions {
  /** Of each kind. */
  readonly queries: number
  readonly seed: number
  /** The only kind to generate. */
  readonly kind?: string | null
}

/** A talk with few words runs out of new queries; the rounds end anyway. */
const maxRounds = 40

/**
 * Distinct queries, fewer than requested if the talks have too few words; the same for the same talks and options.
 * `archive`: what is searched.
 */
export function createQueries(
  talks: readonly Talk[],
  { queries: count, seed, kind: wanted = null }: QueryOptions,
  archive: readonly Talk[] = talks,
): readonly KnownItem[] {
  const byTitle = Map.groupBy(archive, ({ title }) => toTitleKey(title))
  return kinds.flatMap((kind, i) => {
    if (wanted !== null && kind.name !== wanted) return []
    // A separate seed, so that queries of one kind stay the same when another kind changes.
    const random = createRandom(seed * kinds.length + i)
    return createQueriesOf(kind, talks, count, random).map(({ talk, q }) => {
      const same = byTitle.get(toTitleKey(talk.title)) ?? [talk]
      const meant = archive.filter((other) => kind.isMeant?.(talk, other) === true)
      return { kind: kind.name, q, title: talk.title, ids: new Set([...same, ...meant].map(({ id }) => id)) }
    })
  })
}

/** Every talk once in random order, then again with other words, until there are enough. */
function createQueriesOf(kind: Kind, talks: readonly Talk[], count: number, random: Random) {
  const found = new Map<string, { readonly talk: Talk; readonly q: string }>()
  const order = shuffle(talks, random)
  for (let round = 0; round < maxRounds; round++) {
    for (const talk of order) {
      if (found.size >= count) return [...found.values()]
      const q = kind.createQuery(talk, random, () => findOther(talks, talk, random))
      if (q !== null && parseSearch(q).ok) found.set(`${toTitleKey(talk.title)}\n${q}`, { talk, q })
    }
  }
  return [...found.values()]
}

/** The talk itself if there is no other. */
function findOther(talks: readonly Talk[], talk: Talk, random: Random): Talk {
  const other = talks[random.below(talks.length)] ?? talk
  return other === talk ? (talks[random.below(talks.length)] ?? talk) : other
}

function shuffle<T>(values: readonly T[], random: Random): T[] {
  const keyed = values.map((value) => ({ value, key: random.next() }))
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value)
}
