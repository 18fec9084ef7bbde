import type { NameKind } from '../../record/name.ts'
import {
  type Completion,
  type CompletionQuery,
  type Completions,
  maxCompletions,
} from '../../record/query/completion.ts'
import { fromBody, type VideoRecord } from '../../record/record.ts'
import { toFolded } from '../../record/text/fold.ts'
import type { Database } from '../database.ts'
import { createLookup } from '../read/statements.ts'
import type { MemoryIndexes } from '../search/memory-indexes.ts'
import { createCategoryNames, createNameSearch, findNamed, type RankedName } from './complete-names.ts'
import { createTitleSearch, type FoundTitle } from './complete-titles.ts'
import { type Strictness, toTypedWords } from './typed-words.ts'

interface CompletionDeps {
  readonly db: Database
  readonly indexes: MemoryIndexes
  /** Moves with every change of the store. */
  changesCounter(): number
  /** Called between the steps; may throw. */
  onStep(): void
}

/** Names and slots of records that match what was typed, best first. */
interface Found {
  readonly names: readonly RankedName[]
  readonly titles: readonly FoundTitle[]
}

/** A name, or the slot of a record. */
type FoundEntry = Pick<RankedName, 'name' | 'count'> | number

/** Places that names leave to titles. */
const titlePlaces = 3
/** Titles are not suggested for a single letter: it begins a word in most of them. */
const minTitleText = 2
/** Records that changed and are read before the answer, in about 10 ms. */
const maxCaughtUp = 256

/**
 * Suggests names and titles that have all typed words (decision 42): those as typed first, then the most used. Also finds
 * the names that a whole query has in it.
 */
export function createCompletion({ db, indexes, changesCounter, onStep }: CompletionDeps) {
  const { columns, names, nameLoader, words, wordsLoader } = indexes
  const ensureCategories = createCategoryNames(db, names, [changesCounter, columns.revision])
  const searchNames = createNameSearch(names, columns, onStep)
  const searchTitles = createTitleSearch(words, columns, onStep)
  const readBodies = createLookup<{ id: number; body: Uint8Array }, number>(
    db,
    (ids) => `SELECT id, body FROM record WHERE id IN ${ids}`,
  )
  const toSlugLookup = (kind: NameKind) =>
    createLookup<{ id: number; slug: string }, number>(db, (ids) => `SELECT id, slug FROM ${kind} WHERE id IN ${ids}`)
  const slugs = { speaker: toSlugLookup('speaker'), tag: toSlugLookup('tag') }

  function find({ text, visibility }: CompletionQuery, strictness: Strictness): Found {
    const typed = toTypedWords(text, strictness)
    if (typed.length === 0) return { names: [], titles: [] }
    const query = { words: typed, visibility, strictness, limit: maxCompletions }
    const hasTitles = [...text].length >= minTitleText
    return { names: searchNames({ ...query, key: toFolded(text) }), titles: hasTitles ? searchTitles(query) : [] }
  }

  async function readRecords(found: readonly FoundEntry[]): Promise<ReadonlyMap<number, VideoRecord>> {
    const ids = found.flatMap((match) => (typeof match === 'number' ? [columns.toId(match)] : []))
    return new Map((await readBodies(ids)).map(({ id, body }) => [id, fromBody(body)]))
  }

  /** The slugs of the speakers or tags among the matches, which the index does not have. */
  async function readSlugs(found: readonly FoundEntry[], kind: NameKind): Promise<ReadonlyMap<number, string>> {
    const ids = found.flatMap((match) => (typeof match !== 'number' && match.name.kind === kind ? [match.name.id] : []))
    return new Map((await slugs[kind](ids)).map(({ id, slug }) => [id, slug]))
  }

  async function toCompletions(found: readonly FoundEntry[]): Promise<Completion[]> {
    const records = await readRecords(found)
    const slugsOf = { speaker: await readSlugs(found, 'speaker'), tag: await readSlugs(found, 'tag') }
    return found.map((match) => {
      if (typeof match === 'number') {
        const record = records.get(columns.toId(match))
        return { kind: 'video', id: columns.toId(match), text: record?.title ?? '', slug: record?.slug ?? '', count: 1 }
      }
      const { count, name } = match
      const { kind, id, text } = name
      if (kind === 'category') return { kind, text, slug: name.slug, count }
      return { kind, id, text, slug: slugsOf[kind].get(id) ?? '', count }
    })
  }

  /** Whether names can be looked for. */
  async function ensureNames(): Promise<boolean> {
    await columns.refresh()
    // The columns must not be used before: they may not know yet that a record was withdrawn.
    if (!columns.isComplete()) return false
    await nameLoader.catchUp()
    await ensureCategories()
    return true
  }

  async function suggest(query: CompletionQuery): Promise<Completions> {
    if (!(await ensureNames())) return { results: [], isPartial: true }
    await wordsLoader.catchUp(maxCaughtUp)
    const typed = choose(find(query, 'typed'))
    const found = typed.length > 0 ? typed : choose(takeNearest(find(query, 'forgiving')))
    const isPartial = !nameLoader.isComplete() || !wordsLoader.isComplete()
    return { results: await toCompletions(found), isPartial }
  }

  async function findNames({ text, visibility }: CompletionQuery): Promise<Completions> {
    if (!(await ensureNames())) return { results: [], isPartial: true }
    return {
      results: await toCompletions(findNamed(names, columns, text, visibility)),
      isPartial: !nameLoader.isComplete(),
    }
  }

  return {
    suggest: (query: CompletionQuery): Promise<Completions> => db.transaction('read', () => suggest(query)),
    findNamed: (query: CompletionQuery): Promise<Completions> => db.transaction('read', () => findNames(query)),
  }
}

/** Those with the fewest errors: `dave beaz` is one away from a David Beazley, and two from `have beauty`. */
function takeNearest({ names, titles }: Found): Found {
  const toEdits = ({ tier }: RankedName) => Math.max(0, tier - 1)
  const errors = [...names.map(toEdits), ...titles.map(({ edits }) => edits)].filter((edits) => edits > 0)
  const most = Math.min(...errors)
  return {
    names: names.filter((name) => toEdits(name) <= most),
    titles: titles.filter(({ edits }) => edits <= most),
  }
}

/** Names and then titles, until there are enough. */
function choose({ names, titles }: Found): FoundEntry[] {
  const kept = names.slice(0, maxCompletions - Math.min(titlePlaces, titles.length))
  return [...kept, ...titles.map(({ slot }) => slot).slice(0, maxCompletions - kept.length)]
}
