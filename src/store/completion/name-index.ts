import type { EntryKind, NameKind } from '../../record/name.ts'
import { toFolded } from '../../record/text/fold.ts'
import { findTitleYear, toSeriesKey } from '../../record/text/series.ts'
import { toWords } from '../../record/text/words.ts'
import type { RecordWatcher } from '../columns/record-data.ts'
import type { Database } from '../database.ts'
import { createLookup, maxLookup } from '../read/statements.ts'
import { createDictionary, type Dictionary } from '../search/dictionary.ts'

export const entryKinds = ['speaker', 'category', 'tag'] as const satisfies readonly EntryKind[]

interface IndexedName {
  readonly kind: EntryKind
  readonly id: number
  readonly text: string
  /** Empty unless it is a category. */
  readonly slug: string
}

export interface Name extends IndexedName {
  /** The folded text, to compare and to sort by. */
  readonly key: string
  /** Of a category whose title has a year. */
  readonly edition?: { readonly series: string; readonly year: string }
}

/** The names of speakers, tags and categories by their words, in memory (decision 42). Names are numbered from 0. */
export interface NameIndex {
  readonly dictionary: Dictionary
  /** Adds a name, or replaces it if it was renamed. */
  set(row: IndexedName): void
  remove(kind: EntryKind, id: number): void
  /** Keeps these names only, and no word of others. Names get other numbers. */
  keep(isKept: (name: Name) => boolean): void
  /** The numbers of the names with this word. */
  namesWith(word: number): readonly number[]
  /** Undefined if the name was removed. */
  get(number: number): Name | undefined
  /** What a search needs of each name, by number: reading it from objects takes several times as long. */
  arrays(): NameArrays
  listIds(kind: EntryKind): number[]
  /** Moves whenever a name is added, renamed or removed. */
  revision(): number
  /** One more than the largest number. */
  end(): number
  clear(): void
}

interface NameArrays {
  /** Indexes in `entryKinds`. */
  readonly kinds: Uint8Array
  readonly ids: Float64Array
  /** The lengths of the keys. */
  readonly lengths: Uint16Array
}

const none: readonly number[] = []

export function createNameIndex(): NameIndex {
  let dictionary = createDictionary()
  const names: (Name | undefined)[] = []
  const numbers = { speaker: new Map<number, number>(), category: new Map<number, number>(), tag: new Map() }
  /** The numbers of names by word. */
  let postings: number[][] = []
  let arrays = createArrays(1024, null)
  let revision = 0

  function unlink(number: number, { text }: Name): void {
    for (const word of new Set(toWords(text).map(dictionary.find))) {
      postings[word] = (postings[word] ?? []).filter((each) => each !== number)
    }
  }

  function link(number: number, text: string): void {
    for (const word of new Set(toWords(text).map(dictionary.ensure))) {
      const known = postings[word]
      if (known === undefined) postings[word] = [number]
      else known.push(number)
    }
  }

  function ensureNumber(kind: EntryKind, id: number): number {
    const number = numbers[kind].get(id) ?? names.length
    numbers[kind].set(id, number)
    return number
  }

  function set(row: IndexedName): void {
    const number = ensureNumber(row.kind, row.id)
    const known = names[number]
    if (known?.text === row.text && known.slug === row.slug) return
    if (known !== undefined) unlink(number, known)
    revision++
    const name = { ...row, key: toFolded(row.text), ...(row.kind === 'category' ? toEdition(row.text) : {}) }
    names[number] = name
    if (number >= arrays.kinds.length) arrays = createArrays(2 * number, arrays)
    arrays.kinds[number] = entryKinds.indexOf(row.kind)
    arrays.ids[number] = row.id
    arrays.lengths[number] = Math.min(name.key.length, 0xffff)
    link(number, row.text)
  }

  function clear(): void {
    revision++
    dictionary = createDictionary()
    names.length = 0
    postings = []
    for (const kind of entryKinds) numbers[kind].clear()
  }

  return {
    get dictionary() {
      return dictionary
    },
    set,
    keep(isKept) {
      const kept = names.flatMap((name) => (name !== undefined && isKept(name) ? [name] : []))
      clear()
      for (const name of kept) set(name)
    },
    remove(kind, id) {
      const number = numbers[kind].get(id) ?? -1
      const known = names[number]
      if (known === undefined) return
      revision++
      unlink(number, known)
      names[number] = undefined
    },
    namesWith: (word) => postings[word] ?? none,
    get: (number) => names[number],
    arrays: () => arrays,
    listIds: (kind) => [...numbers[kind].keys()],
    revision: () => revision,
    end: () => names.length,
    clear,
  }
}

function toEdition(title: string): Pick<Name, 'edition'> {
  const [series, year] = [toSeriesKey({ series: '', title }), findTitleYear(title)]
  return series === null || year === null ? {} : { edition: { series, year } }
}

function createArrays(size: number, old: NameArrays | null): NameArrays {
  const arrays = { kinds: new Uint8Array(size), ids: new Float64Array(size), lengths: new Uint16Array(size) }
  if (old === null) return arrays
  arrays.kinds.set(old.kinds)
  arrays.ids.set(old.ids)
  arrays.lengths.set(old.lengths)
  return arrays
}

/** Kinds of names that records link to. */
const linkedKinds = ['speaker', 'tag'] as const

/**
 * Keeps the names of speakers and tags up to date (decision 42). A name is read whenever a record that has it is new or has
 * changed: nothing else gives a name to a record, renames it, or uses the id of a deleted name again. Names that no
 * record has are counted 0 and never shown; they are forgotten when they are many, or a record was erased.
 */
export interface NameLoader extends RecordWatcher {
  /** Whether all names of records have been read. */
  isComplete(): boolean
  /** One step of the background load, in a transaction of its own; whether anything is left. */
  loadSome(): Promise<boolean>
  /** Reads what a completion can wait for. Within the caller's transaction. */
  catchUp(): Promise<void>
}

interface NameLoaderDeps {
  readonly db: Database
  readonly index: NameIndex
  /** The ids of a record's speakers or tags. */
  namesOf(kind: NameKind, slot: number): ArrayLike<number>
  /** How many records have this name. */
  countRecords(kind: EntryKind, id: number): number
  onStep(): void
}

/** About 5 ms on SQLite. */
const maxPerStep = 8 * maxLookup
/** So many names that no record has are kept in any case. */
const minForgotten = 2_000

export function createNameLoader({ db, index, namesOf, countRecords, onStep }: NameLoaderDeps): NameLoader {
  const queues = { speaker: createQueue(), tag: createQueue() }
  const toLookup = (kind: NameKind) =>
    createLookup<{ id: number; text: string }, number>(
      db,
      (ids) => `SELECT id, name AS text FROM ${kind} WHERE id IN ${ids}`,
    )
  const lookups = { speaker: toLookup('speaker'), tag: toLookup('tag') }
  const isComplete = () => linkedKinds.every((kind) => queues[kind].size() === 0)

  async function loadChunk(): Promise<void> {
    const kind = queues.speaker.size() > 0 ? 'speaker' : 'tag'
    const ids = queues[kind].take(maxLookup)
    try {
      const rows = await lookups[kind](ids)
      const found = new Set(rows.map(({ id }) => id))
      for (const id of ids) if (!found.has(id)) index.remove(kind, id)
      for (const row of rows) index.set({ kind, ...row, slug: '' })
      index.dictionary.sort()
    } catch (error) {
      for (const id of ids) queues[kind].add(id)
      throw error
    }
  }

  let maxNames = minForgotten
  let hasErased = false

  function forgetUnused(): void {
    index.keep(({ kind, id }) => kind === 'category' || countRecords(kind, id) > 0)
    maxNames = Math.max(minForgotten, 2 * index.end())
    hasErased = false
  }

  async function catchUp(): Promise<void> {
    if (hasErased || index.end() > maxNames) forgetUnused()
    for (let done = 0; !isComplete() && done < maxPerStep; done += maxLookup) {
      onStep()
      await loadChunk()
    }
  }

  return {
    changed(slot) {
      for (const kind of linkedKinds) {
        const ids = namesOf(kind, slot)
        for (let i = 0; i < ids.length; i++) queues[kind].add(ids[i] ?? 0)
      }
    },
    removed() {
      hasErased = true
    },
    cleared() {
      index.clear()
      for (const kind of linkedKinds) queues[kind].clear()
    },
    isComplete,
    loadSome: () =>
      db.transaction('read', async () => {
        await catchUp()
        return !isComplete()
      }),
    catchUp,
  }
}

/** Ids that wait, each once. */
function createQueue() {
  const ids: number[] = []
  let isWaiting = new Uint8Array(1024)
  return {
    size: () => ids.length,
    add(id: number): void {
      if (id >= isWaiting.length) isWaiting = toLarger(isWaiting, id)
      if (isWaiting[id] === 1) return
      isWaiting[id] = 1
      ids.push(id)
    },
    take(count: number): number[] {
      const taken = ids.splice(-count)
      for (const id of taken) isWaiting[id] = 0
      return taken
    },
    clear(): void {
      ids.length = 0
      isWaiting.fill(0)
    },
  }
}

function toLarger(flags: Uint8Array<ArrayBuffer>, id: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(2 * id)
  larger.set(flags)
  return larger
}
