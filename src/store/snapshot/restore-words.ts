import { createSegment, maxSegmentSize } from '../search/segment.ts'
import type { WordsIndex } from '../search/words-index.ts'
import type { SegmentSections } from './capture.ts'
import { BadSections, type SectionReader } from './section-file.ts'
import type { IsDue } from './slices.ts'
import { segmentSections, toSegmentSection, wordSections } from './snapshot-format.ts'

/** Fills an empty index with the dictionary and the segments of a snapshot. */
export async function* restoreWords(
  index: WordsIndex,
  file: SectionReader,
  segmentCount: number,
  slotEnd: number,
  isDue: IsDue,
): AsyncGenerator<void, void> {
  const newNumbers = yield* restoreDictionary(index, file, isDue)
  for (let number = 0; number < segmentCount; number++) {
    const arrays = yield* readSegment(file, number, isDue)
    yield* checkSegment(arrays, slotEnd, isDue)
    renumber(arrays.words, newNumbers)
    const { titleStarts, titlePositions, ...others } = arrays
    const segment = createSegment(others, { starts: titleStarts, positions: titlePositions })
    if (!index.adopt(segment)) throw new BadSections('a record is in two segments')
    if (isDue()) yield
  }
}

/** Texts are decoded in pieces, because one other letter doubles the memory of a whole text. */
const textBytes = 32 << 10

/** Returns the new number plus one for each number in the file; 0 for words that it does not have. */
async function* restoreDictionary(
  { dictionary }: WordsIndex,
  file: SectionReader,
  isDue: IsDue,
): AsyncGenerator<void, Uint32Array> {
  const numbers = yield* file.read(wordSections.numbers, Uint32Array, isDue)
  const signatures = yield* file.read(wordSections.signatures, Int32Array, isDue)
  const texts = yield* file.read(wordSections.texts, Uint8Array, isDue)
  const order = yield* file.read(wordSections.order, Int32Array, isDue)
  const newNumbers = toNewNumbers(numbers)
  let count = 0
  for (let from = 0; from < texts.length; ) {
    const to = texts.lastIndexOf(lineFeed, from + textBytes) + 1
    if (to <= from) throw new BadSections('a word is too long')
    const words = Buffer.from(texts.buffer, from, to - 1 - from)
      .toString()
      .split('\n')
    from = to
    for (const word of words) dictionary.add(word, signatures[count++] ?? 0)
    if (isDue()) yield
  }
  if (count !== numbers.length || count !== signatures.length) throw new BadSections('words are missing')
  if (dictionary.hasTwice()) throw new BadSections('a word occurs twice')
  if (!isPermutation(order, count)) throw new BadSections('the order of words is wrong')
  dictionary.setSortedNumbers(order)
  return newNumbers
}

const lineFeed = 10
/** More words than fit into memory. */
const maxWordNumber = 2 ** 28

function toNewNumbers(numbers: Uint32Array): Uint32Array {
  const last = numbers.at(-1) ?? 0
  if (last > maxWordNumber) throw new BadSections('a word has a number that is too large')
  const newNumbers = new Uint32Array(last + 1)
  for (let i = 0; i < numbers.length; i++) {
    if (i > 0 && (numbers[i] ?? 0) <= (numbers[i - 1] ?? 0)) throw new BadSections('the numbers of words do not ascend')
    newNumbers[numbers[i] ?? 0] = i + 1
  }
  return newNumbers
}

/** Whether these are the first numbers, each once. */
function isPermutation(numbers: Int32Array, max: number): boolean {
  const isKnown = new Uint8Array(numbers.length)
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] ?? 0
    if (number < 0 || number >= isKnown.length || isKnown[number] === 1) return false
    isKnown[number] = 1
  }
  return numbers.length <= max
}

async function* readSegment(file: SectionReader, number: number, isDue: IsDue): AsyncGenerator<void, SegmentSections> {
  const { slots, titleLengths, sizes, words, starts, positions, occurrences } = segmentSections
  const toName = (name: string) => toSegmentSection(number, name)
  return {
    slots: yield* file.read(toName('slots'), slots, isDue),
    titleLengths: yield* file.read(toName('titleLengths'), titleLengths, isDue),
    sizes: yield* file.read(toName('sizes'), sizes, isDue),
    words: yield* file.read(toName('words'), words, isDue),
    starts: yield* file.read(toName('starts'), starts, isDue),
    positions: yield* file.read(toName('positions'), positions, isDue),
    occurrences: yield* file.read(toName('occurrences'), occurrences, isDue),
    titleStarts: yield* file.read(toName('titleStarts'), starts, isDue),
    titlePositions: yield* file.read(toName('titlePositions'), positions, isDue),
  }
}

async function* checkSegment(arrays: SegmentSections, slotEnd: number, isDue: IsDue): AsyncGenerator<void, void> {
  if (!isAligned(arrays)) throw new BadSections('the arrays of a segment do not fit')
  const { slots, starts, positions, titleStarts, titlePositions } = arrays
  if (!isBetween(slots, 1, slotEnd)) throw new BadSections('a slot is outside')
  if (!isAscending(starts, 1)) throw new BadSections('a word has no postings')
  if (!isAscending(titleStarts, 0)) throw new BadSections('the words of titles do not ascend')
  yield* checkPositions(positions, slots.length, isDue)
  yield* checkPositions(titlePositions, slots.length, isDue)
}

function isAligned(arrays: SegmentSections): boolean {
  const { slots, titleLengths, sizes, words, starts, positions, occurrences, titleStarts, titlePositions } = arrays
  return (
    slots.length <= maxSegmentSize &&
    titleLengths.length === slots.length &&
    sizes.length === slots.length &&
    starts.length === words.length + 1 &&
    titleStarts.length === starts.length &&
    positions.length === occurrences.length &&
    starts[0] === 0 &&
    titleStarts[0] === 0 &&
    starts.at(-1) === positions.length &&
    titleStarts.at(-1) === titlePositions.length
  )
}

const checkedPostings = 1 << 19

async function* checkPositions(positions: Uint16Array, size: number, isDue: IsDue): AsyncGenerator<void, void> {
  // No position of 16 bits is outside a full segment.
  for (let at = 0; at < positions.length && size < maxSegmentSize; at += checkedPostings) {
    if (findLargest(positions.subarray(at, at + checkedPostings)) >= size) throw new BadSections('a posting is outside')
    if (isDue()) yield
  }
}

function isBetween(numbers: Uint32Array, first: number, end: number): boolean {
  for (let i = 0; i < numbers.length; i++) if ((numbers[i] ?? 0) < first || (numbers[i] ?? 0) >= end) return false
  return true
}

function isAscending(numbers: Uint32Array, step: number): boolean {
  for (let i = 1; i < numbers.length; i++) if ((numbers[i] ?? 0) < (numbers[i - 1] ?? 0) + step) return false
  return true
}

function findLargest(numbers: Uint16Array): number {
  let largest = 0
  for (let i = 0; i < numbers.length; i++) if ((numbers[i] ?? 0) > largest) largest = numbers[i] ?? 0
  return largest
}

/** Words stay in ascending order, because new numbers ascend with the old ones. */
function renumber(words: Uint32Array, newNumbers: Uint32Array): void {
  let last = -1
  for (let i = 0; i < words.length; i++) {
    const number = (newNumbers[words[i] ?? 0] ?? 0) - 1
    if (number <= last) throw new BadSections('the words of a segment do not ascend')
    words[i] = number
    last = number
  }
}
