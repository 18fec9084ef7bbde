import { toFolded } from '../../record/text/fold.ts'
import { toWords } from '../../record/text/words.ts'
import { createDictionary, type Dictionary } from '../search/dictionary.ts'

export const nameKinds = ['speaker', 'category', 'tag'] as const
export type NameKind = (typeof nameKinds)[number]

export interface NameEntry {
  readonly kind: NameKind
  readonly id: number
  readonly text: string
  /** Empty unless it is a category. */
  readonly slug: string
}

export interface Name extends NameEntry {
  /** The folded text, to compare and to sort by. */
  readonly key: string
}

/** The names of speakers, tags and categories by their words, in memory (decision 42). Names are numbered from 0. */
export interface NameIndex {
  readonly dictionary: Dictionary
  /** Adds a name, or replaces it if it was renamed. */
  set(row: NameEntry): void
  remove(kind: NameKind, id: number): void
  /** Keeps these names only, and no word of others. Names get other numbers. */
  keep(isKept: (name: Name) => boolean): void
  /** The numbers of the names with this word. */
  namesWith(word: number): readonly number[]
  /** Undefined if the name was removed. */
  get(number: number): Name | undefined
  /** What a search needs of each name, by number: reading it from objects takes several times as long. */
  arrays(): NameArrays
  listIds(kind: NameKind): number[]
  /** Moves whenever a name is added, renamed or removed. */
  revision(): number
  /** One more than the largest number. */
  end(): number
  clear(): void
}

export interface NameArrays {
  /** Indexes in `nameKinds`. */
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

  function ensureNumber(kind: NameKind, id: number): number {
    const number = numbers[kind].get(id) ?? names.length
    numbers[kind].set(id, number)
    return number
  }

  function set(row: NameEntry): void {
    const number = ensureNumber(row.kind, row.id)
    const known = names[number]
    if (known?.text === row.text && known.slug === row.slug) return
    if (known !== undefined) unlink(number, known)
    revision++
    const name = { ...row, key: toFolded(row.text) }
    names[number] = name
    if (number >= arrays.kinds.length) arrays = createArrays(2 * number, arrays)
    arrays.kinds[number] = nameKinds.indexOf(row.kind)
    arrays.ids[number] = row.id
    arrays.lengths[number] = Math.min(name.key.length, 0xffff)
    link(number, row.text)
  }

  function clear(): void {
    revision++
    dictionary = createDictionary()
    names.length = 0
    postings = []
    for (const kind of nameKinds) numbers[kind].clear()
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

function createArrays(size: number, old: NameArrays | null): NameArrays {
  const arrays = { kinds: new Uint8Array(size), ids: new Float64Array(size), lengths: new Uint16Array(size) }
  if (old === null) return arrays
  arrays.kinds.set(old.kinds)
  arrays.ids.set(old.ids)
  arrays.lengths.set(old.lengths)
  return arrays
}
