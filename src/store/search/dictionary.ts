import { countDifferentBits, toEdits, toSignature } from '../../record/text/spelling.ts'

/** The words of the archive, numbered from 0 in order of arrival. Words are never removed. */
export interface Dictionary {
  /** -1 if no record ever had the word. */
  find(word: string): number
  ensure(word: string): number
  toWord(number: number): string
  size(): number
  /** Words that begin with this text, in no particular order. */
  listBeginning(beginning: string): number[]
  /** Sorts by length, then by letter, so that the order does not depend on that of arrival. */
  sortByLength(numbers: number[]): number[]
  /** Other words within this many edits. */
  listNear(word: string, maxEdits: number): { readonly number: number; readonly edits: number }[]
  /** Longer words that contain this one behind their beginning. */
  listContaining(part: string): number[]
}

const firstSize = 1024

export function createDictionary(): Dictionary {
  const numbers = new Map<string, number>()
  const words: string[] = []
  let signatures = new Int32Array(firstSize)
  let lengths = new Uint8Array(firstSize)
  /** Numbers of the first words in alphabetical order. Words that came later are scanned. */
  let sorted: number[] = []

  function ensure(word: string): number {
    const known = numbers.get(word)
    if (known !== undefined) return known
    const number = words.push(word) - 1
    numbers.set(word, number)
    if (number >= signatures.length) {
      signatures = grow(signatures, new Int32Array(2 * number))
      lengths = grow(lengths, new Uint8Array(2 * number))
    }
    signatures[number] = toSignature(word)
    lengths[number] = word.length
    return number
  }

  function sort(): void {
    if (words.length - sorted.length <= 500 + sorted.length / 32) return
    sorted = Array.from(words.keys()).sort((a, b) => compare(words[a] ?? '', words[b] ?? ''))
  }

  function listBeginning(beginning: string): number[] {
    sort()
    const found: number[] = []
    for (let at = findFirst(sorted, words, beginning); at < sorted.length; at++) {
      const number = sorted[at] ?? 0
      if (!words[number]?.startsWith(beginning)) break
      found.push(number)
    }
    for (let number = sorted.length; number < words.length; number++) {
      if (words[number]?.startsWith(beginning)) found.push(number)
    }
    return found
  }

  function listNear(word: string, maxEdits: number): { number: number; edits: number }[] {
    const signature = toSignature(word)
    const found: { number: number; edits: number }[] = []
    for (let number = 0; number < words.length; number++) {
      const longer = (lengths[number] ?? 0) - word.length
      if (longer > maxEdits || -longer > maxEdits) continue
      if (countDifferentBits(signature, signatures[number] ?? 0) > 2 * maxEdits) continue
      const edits = toEdits(word, words[number] ?? '', maxEdits)
      if (edits > 0 && edits <= maxEdits) found.push({ number, edits })
    }
    return found.sort((a, b) => a.edits - b.edits || compare(words[a.number] ?? '', words[b.number] ?? ''))
  }

  function listContaining(part: string): number[] {
    const signature = toSignature(part)
    const found: number[] = []
    for (let number = 0; number < words.length; number++) {
      if ((lengths[number] ?? 0) <= part.length || (signature & ~(signatures[number] ?? 0)) !== 0) continue
      if ((words[number]?.indexOf(part) ?? -1) > 0) found.push(number)
    }
    return sortByLength(found)
  }

  function sortByLength(found: number[]): number[] {
    return found.sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || compare(words[a] ?? '', words[b] ?? ''))
  }

  return {
    find: (word) => numbers.get(word) ?? -1,
    ensure,
    toWord: (number) => words[number] ?? '',
    size: () => words.length,
    listBeginning,
    sortByLength,
    listNear,
    listContaining,
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function findFirst(sorted: readonly number[], words: readonly string[], beginning: string): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((words[sorted[middle] ?? 0] ?? '') < beginning) low = middle + 1
    else high = middle
  }
  return low
}

function grow<Numbers extends Int32Array | Uint8Array>(numbers: Numbers, larger: Numbers): Numbers {
  larger.set(numbers)
  return larger
}
