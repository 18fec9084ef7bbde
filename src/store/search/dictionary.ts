import { createEditCount, hasMoreBits, toSignature } from '../../record/text/spelling.ts'

/** The words of the archive, numbered from 0 in order of arrival. Words are only added; `copyUsed` leaves some out. */
export interface Dictionary {
  /** -1 if no record ever had the word. */
  find(word: string): number
  ensure(word: string): number
  toWord(number: number): string
  size(): number
  /** Sorts new words, if there are many: a few milliseconds that a search need not wait for. */
  sort(): void
  /** Words that begin with this text, in no particular order. */
  listBeginning(beginning: string): number[]
  /** Sorts by length, then by letter, so that the order does not depend on that of arrival. */
  sortByLength(numbers: number[]): number[]
  /** Other words within this many edits. */
  listNear(word: string, maxEdits: number): { readonly number: number; readonly edits: number }[]
  /** Longer words that contain this one behind their beginning. */
  listContaining(part: string): number[]
  /** A dictionary of the words whose flags are 1, and their new numbers, which ascend with the old ones. */
  copyUsed(flags: Uint8Array): { readonly dictionary: Dictionary; readonly newNumbers: Uint32Array }
}

export function createDictionary(): Dictionary {
  const numbers = new Map<string, number>()
  const words: string[] = []
  /** The words of each length, so that a search for spellings looks at a few lengths only. */
  const byLength: LengthGroup[] = []
  /** Numbers of the first words in alphabetical order. Words that came later are scanned. */
  let sorted = new Int32Array(0)

  function append(word: string): number {
    const number = words.push(word) - 1
    numbers.set(word, number)
    const group = byLength[word.length] ?? { numbers: new Int32Array(8), signatures: new Int32Array(8), size: 0 }
    byLength[word.length] = group
    addToGroup(group, number, toSignature(word))
    return number
  }

  const find = (word: string) => numbers.get(word) ?? -1

  function sort(): void {
    if (words.length - sorted.length <= maxUnsorted) return
    // Without a function that compares, which takes three times as long.
    const added = words.slice(sorted.length).sort()
    sorted = merge(sorted, Int32Array.from(added, find), words)
  }

  function listBeginning(beginning: string): number[] {
    sort()
    const found: number[] = []
    for (let index = findFirst(sorted, words, beginning); index < sorted.length; index++) {
      const number = sorted[index] ?? 0
      if (!words[number]?.startsWith(beginning)) break
      found.push(number)
    }
    for (let number = sorted.length; number < words.length; number++) {
      if (words[number]?.startsWith(beginning)) found.push(number)
    }
    return found
  }

  function listNear(word: string, maxEdits: number): { number: number; edits: number }[] {
    if (maxEdits === 0) return []
    const countEdits = createEditCount(word)
    const signature = toSignature(word)
    const found: { number: number; edits: number }[] = []
    for (let length = word.length - maxEdits; length <= word.length + maxEdits; length++) {
      const { numbers: group, signatures, size } = byLength[length] ?? noWords
      for (let i = 0; i < size; i++) {
        if (hasMoreBits(signature ^ (signatures[i] ?? 0), 2 * maxEdits)) continue
        const number = group[i] ?? 0
        const edits = countEdits(words[number] ?? '', maxEdits)
        if (edits > 0 && edits <= maxEdits) found.push({ number, edits })
      }
    }
    return found.sort((a, b) => a.edits - b.edits || compare(words[a.number] ?? '', words[b.number] ?? ''))
  }

  function listContaining(part: string): number[] {
    const signature = toSignature(part)
    const found: number[] = []
    for (let length = part.length + minOtherPart; length < byLength.length; length++) {
      const { numbers: group, signatures, size } = byLength[length] ?? noWords
      for (let i = 0; i < size; i++) {
        if ((signature & ~(signatures[i] ?? 0)) !== 0) continue
        const number = group[i] ?? 0
        if ((words[number]?.indexOf(part) ?? -1) > 0) found.push(number)
      }
    }
    return sortByLength(found)
  }

  const toLength = (number: number) => words[number]?.length ?? 0

  function sortByLength(found: number[]): number[] {
    return found.sort((a, b) => toLength(a) - toLength(b) || compare(words[a] ?? '', words[b] ?? ''))
  }

  function copyUsed(flags: Uint8Array): ReturnType<Dictionary['copyUsed']> {
    const dictionary = createDictionary()
    const newNumbers = new Uint32Array(words.length)
    for (const [number, word] of words.entries()) if (flags[number] === 1) newNumbers[number] = dictionary.ensure(word)
    dictionary.sort()
    return { dictionary, newNumbers }
  }

  return {
    find,
    ensure: (word) => numbers.get(word) ?? append(word),
    toWord: (number) => words[number] ?? '',
    size: () => words.length,
    sort,
    listBeginning,
    sortByLength,
    listNear,
    listContaining,
    copyUsed,
  }
}

/** A search looks at so many words in a tenth of a millisecond. */
const maxUnsorted = 1_000

/** What a compound has beside the part, at least. */
const minOtherPart = 2

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Puts numbers, which are in order, among others that are. */
function merge(sorted: Int32Array, added: Int32Array, words: readonly string[]): Int32Array<ArrayBuffer> {
  const merged = new Int32Array(sorted.length + added.length)
  let from = 0
  for (let i = 0; i < added.length; i++) {
    const number = added[i] ?? 0
    const to = findFirst(sorted, words, words[number] ?? '')
    merged.set(sorted.subarray(from, to), from + i)
    merged[to + i] = number
    from = to
  }
  merged.set(sorted.subarray(from), from + added.length)
  return merged
}

/** Where the first word is that does not come before this one. */
function findFirst(sorted: Int32Array, words: readonly string[], word: string): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((words[sorted[middle] ?? 0] ?? '') < word) low = middle + 1
    else high = middle
  }
  return low
}

/** Numbers and signatures of the words of one length; the first `size` are in use. */
interface LengthGroup {
  numbers: Int32Array<ArrayBuffer>
  signatures: Int32Array<ArrayBuffer>
  size: number
}

const noWords: LengthGroup = { numbers: new Int32Array(0), signatures: new Int32Array(0), size: 0 }

function addToGroup(group: LengthGroup, number: number, signature: number): void {
  if (group.size === group.numbers.length) {
    group.numbers = toLarger(group.numbers)
    group.signatures = toLarger(group.signatures)
  }
  group.numbers[group.size] = number
  group.signatures[group.size++] = signature
}

function toLarger(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * numbers.length)
  larger.set(numbers)
  return larger
}
