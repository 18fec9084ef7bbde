import type { VideoRecord } from '../../record/record.ts'
import type { searched } from '../../record/text/search-text.ts'
import { toWords } from '../../record/text/words.ts'
import type { Dictionary } from './dictionary.ts'

/** The words of a record, by number, and where they occur. Valid until the next record. */
export interface RecordWords {
  readonly numbers: readonly number[]
  readonly occurrences: readonly number[]
  readonly titleLength: number
  /** The number of words in all fields, on a scale of doublings. */
  readonly size: number
}

/**
 * An occurrence has 16 bits: one for each field of `searched`, four for the position in the title, two for how often the
 * word occurs in the texts.
 */
export const fieldBits = { title: 1, speakers: 2, tags: 4, category: 8, summary: 16, description: 32 } as const
export const fieldMask = 63
const positionShift = 6
export const maxTitlePosition = 15
const frequencyShift = 10

export const toTitlePosition = (occurrence: number) => (occurrence >> positionShift) & maxTitlePosition
/** 0 for once, 1 for twice, 2 for up to four times, 3 for more. */
export const toFrequency = (occurrence: number) => (occurrence >> frequencyShift) & 3

/** Words beyond these are not found by ranked search. */
const maxWords = 20_000

type Searched = Pick<VideoRecord, (typeof searched)[number]>

/** Returns a function that finds the words of one record after the other; it reuses its arrays. */
export function createRecordWords(dictionary: Dictionary): (record: Searched) => RecordWords {
  /** The index of each word in `numbers`, if it was met in the current record. */
  let [indexes, met] = [new Uint32Array(1024), new Uint32Array(1024)]
  let current = 0
  let [total, titleLength] = [0, 0]
  const [numbers, occurrences, counts] = [[] as number[], [] as number[], [] as number[]]

  function begin(): void {
    current++
    total = 0
    for (const each of [numbers, occurrences, counts]) each.length = 0
  }

  function add(text: string, bit: number): void {
    const words = toWords(text)
    if (bit === fieldBits.title) titleLength = words.length
    for (let i = 0; i < words.length && total < maxWords; i++, total++) {
      const number = dictionary.ensure(words[i] ?? '')
      // A dictionary that was restored has many words at once.
      while (number >= met.length) [indexes, met] = [toLarger(indexes), toLarger(met)]
      const isNew = met[number] !== current
      if (isNew) {
        met[number] = current
        indexes[number] = numbers.push(number) - 1
        occurrences.push(bit === fieldBits.title ? Math.min(i, maxTitlePosition) << positionShift : 0)
        counts.push(0)
      }
      const index = indexes[number] ?? 0
      occurrences[index] = (occurrences[index] ?? 0) | bit
      if (bit >= fieldBits.summary) counts[index] = (counts[index] ?? 0) + 1
    }
  }

  return (record) => {
    begin()
    add(record.title, fieldBits.title)
    for (const name of record.speakers) add(name, fieldBits.speakers)
    for (const name of record.tags) add(name, fieldBits.tags)
    add(record.category, fieldBits.category)
    add(record.summary, fieldBits.summary)
    add(record.description, fieldBits.description)
    for (let i = 0; i < counts.length; i++) {
      const count = counts[i] ?? 0
      if (count > 1) occurrences[i] = (occurrences[i] ?? 0) | (toBucket(count) << frequencyShift)
    }
    return { numbers, occurrences, titleLength: Math.min(titleLength, 255), size: Math.ceil(Math.log2(total + 1)) }
  }
}

const toBucket = (count: number) => (count === 2 ? 1 : count < 5 ? 2 : 3)

function toLarger(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * numbers.length)
  larger.set(numbers)
  return larger
}
