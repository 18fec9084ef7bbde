import type { Filters } from '../../record/query/query.ts'
import type { Visibility } from '../../record/state.ts'
import type { Hits } from '../../record/text/highlight.ts'
import type { Search, Term } from '../../record/text/search-text.ts'
import { toPhraseWords, toQueryWords } from '../../record/text/words.ts'
import type { ColumnDeps, RecordColumns } from '../columns/record-columns.ts'
import { countFlags } from '../columns/record-data.ts'
import type { SlotSet } from '../columns/slots.ts'
import { type BestMatches, createBestSearch } from './best-search.ts'
import { findWord } from './segment.ts'
import type { WordsIndex } from './words-index.ts'
import type { WordsLoader } from './words-loader.ts'

/** The matches of a search with `match=best`. */
export interface RankedMatches {
  readonly count: number
  /** Whether some records have not been looked at. */
  readonly isPartial: boolean
  /** The ids of these of the best, best first. */
  take(offset: number, limit: number): number[]
  toSlotSet(): SlotSet
  readonly isWidened: boolean
  readonly completeCount: number
  readonly unknown: readonly string[]
  readonly corrected: BestMatches['corrected']
  readonly hits: Hits
}

/** Searches with `match=best` (decision 42). Everything except `loadSome` reads within the caller's transaction. */
export interface RankedSearch {
  isComplete(): boolean
  /** One step of the background load, in a transaction of its own; whether anything is left. */
  loadSome(): Promise<boolean>
  /** `limit`: how many of the best are wanted. */
  find(search: Search, filters: Filters, limit: number): Promise<RankedMatches>
  /** The matches of `match=all` by the same ranking, and the records that it knows nothing about. */
  order(search: Search, visibility: Visibility, slots: SlotSet, limit: number): Promise<RankedOrder>
}

interface RankedOrder {
  take(offset: number, limit: number): number[]
  readonly rest: SlotSet
}

export function createRankedSearch(
  { db, onStep = () => undefined }: ColumnDeps,
  columns: RecordColumns,
  index: WordsIndex,
  loader: WordsLoader,
): RankedSearch {
  const findBest = createBestSearch(index, columns, onStep)

  /** The records that match all filters, have every phrase and nothing that is excluded: these are strict. */
  async function select({ all, none }: Search, filters: Filters): Promise<SlotSet> {
    const phrases = all.filter(({ isPhrase }) => isPhrase)
    const excluded = none.filter((term) => toLiteralWords(term) === null)
    const isStrict = phrases.length + excluded.length > 0
    const { flags } = await columns.select(
      isStrict ? { ...filters, search: { all: phrases, none: excluded } } : filters,
    )
    for (const term of none) dropWithWords(index, toLiteralWords(term) ?? [], flags)
    return { flags, count: countFlags(flags) }
  }

  const toQuery = async (search: Search, visibility: Visibility) => ({
    words: search.all.flatMap(({ text, isPhrase }) => (isPhrase ? toPhraseWords(text) : toQueryWords(text))),
    visibility,
    total: columns.countAll(visibility),
  })

  return {
    isComplete: () => columns.isComplete() && loader.isIdle(),
    loadSome: () =>
      db.transaction('read', async () => {
        await loader.loadChunk()
        return !loader.isIdle()
      }),
    async find(search, filters, limit) {
      await columns.refresh()
      if (!columns.isComplete()) await columns.loadAll()
      await loader.catchUp()
      const accepted = await select(search, filters)
      const isStrict = search.all.some(({ isPhrase }) => isPhrase)
      const { visibility } = filters
      const whole = hasFilters(filters) ? await select(search, { ...noFilters, visibility }) : accepted
      const best = findBest({ ...(await toQuery(search, visibility)), limit, accepted, whole, isStrict })
      return toRankedMatches(best, search.all, columns, index, best.isPartial || !loader.isComplete())
    },
    async order(search, visibility, slots, limit) {
      await loader.catchUp()
      const ordered = { accepted: slots, whole: slots, isStrict: false, isAny: true }
      const query = { ...(await toQuery(search, visibility)), ...ordered, limit }
      const { take, slots: listMatches } = findBest(query)
      const flags = slots.flags.slice()
      for (const slot of listMatches()) flags[slot] = 0
      return { take: (offset, size) => take(offset, size).map(columns.toId), rest: { flags, count: countFlags(flags) } }
    },
  }
}

const noFilters = { speakers: [], tags: [], has: [] }

const hasFilters = ({ visibility: _, ...filters }: Filters) =>
  Object.values(filters).some((value) => value !== undefined && !(Array.isArray(value) && value.length === 0))

function toRankedMatches(
  best: BestMatches,
  terms: readonly Term[],
  columns: RecordColumns,
  index: WordsIndex,
  isPartial: boolean,
): RankedMatches {
  return {
    count: best.count,
    isPartial,
    isWidened: best.isWidened,
    completeCount: best.completeCount,
    unknown: best.unknown,
    corrected: best.corrected,
    take: (offset, limit) => best.take(offset, limit).map(columns.toId),
    toSlotSet() {
      const flags = new Uint8Array(columns.slotEnd())
      for (const slot of best.slots()) flags[slot] = 1
      return { flags, count: best.count }
    },
    hits: toRankedHits(best, terms, index),
  }
}

/**
 * Every word that a term may stand for is marked, and every phrase; the words of a phrase are not marked elsewhere. Words
 * that are only like the typed ones are marked if they matter, function words if there are no others.
 */
function toRankedHits(best: BestMatches, terms: readonly Term[], { dictionary }: WordsIndex): Hits {
  const single = best.terms.filter(({ isOfPhrase }) => !isOfPhrase)
  const content = single.filter(({ isFunctionWord }) => !isFunctionWord)
  const alternatives = (content.length > 0 ? content : single).flatMap(({ parts }) => parts.flat())
  const marked = alternatives.filter(({ isNear }) => best.isWidened || !isNear)
  const words = marked.map(({ word }) => dictionary.toWord(word))
  return {
    words: new Set(words),
    prefixes: [],
    phrases: terms.filter(({ isPhrase }) => isPhrase).map(({ tokens }) => tokens),
  }
}

/**
 * The words that a literal term stands for, such as `C++`; null for other terms. The engine's index has no such words:
 * there, `C++` is the beginning of any word with a C.
 */
function toLiteralWords({ text }: Term): readonly string[] | null {
  const [word, ...others] = toQueryWords(text)
  return word?.isLiteral === true && others.length === 0 ? word.words : null
}

/** Clears the flags of the slots whose records have one of these words. */
function dropWithWords({ dictionary, segments }: WordsIndex, texts: readonly string[], flags: Uint8Array): void {
  const words = texts.map(dictionary.find).filter((word) => word >= 0)
  for (const segment of segments()) {
    const { slots, dead, positions, starts } = segment
    for (const index of words.map((word) => findWord(segment, word)).filter((found) => found >= 0)) {
      for (let i = starts[index] ?? 0; i < (starts[index + 1] ?? 0); i++) {
        const position = positions[i] ?? 0
        if (dead[position] === 0) flags[slots[position] ?? 0] = 0
      }
    }
  }
}
