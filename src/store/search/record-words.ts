import type { VideoRecord } from '../../record/record.ts'
import type { searched } from '../../record/text/search-text.ts'
import { toWords } from '../../record/text/words.ts'
import type { Dictionary } from './dictionary.ts'

/** The words of a record, by number, and where they occur. */
export interface RecordWords {
  readonly words: ReadonlyMap<number, number>
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

export function toRecordWords(
  record: Pick<VideoRecord, (typeof searched)[number]>,
  dictionary: Dictionary,
): RecordWords {
  const words = new Map<number, number>()
  const counts = new Map<number, number>()
  let total = 0
  const add = (text: string, bit: number) => {
    const found = toWords(text)
    for (let i = 0; i < found.length && total < maxWords; i++, total++) {
      const number = dictionary.ensure(found[i] ?? '')
      const known = words.get(number)
      const position = bit === fieldBits.title && known === undefined ? Math.min(i, maxTitlePosition) : 0
      words.set(number, (known ?? 0) | bit | (position << positionShift))
      if (bit >= fieldBits.summary) counts.set(number, (counts.get(number) ?? 0) + 1)
    }
    return found.length
  }
  const titleLength = add(record.title, fieldBits.title)
  for (const name of record.speakers) add(name, fieldBits.speakers)
  for (const name of record.tags) add(name, fieldBits.tags)
  add(record.category, fieldBits.category)
  add(record.summary, fieldBits.summary)
  add(record.description, fieldBits.description)
  for (const [number, count] of counts) {
    if (count > 1) words.set(number, (words.get(number) ?? 0) | (toBucket(count) << frequencyShift))
  }
  return { words, titleLength: Math.min(titleLength, 255), size: Math.ceil(Math.log2(total + 1)) }
}

const toBucket = (count: number) => (count === 2 ? 1 : count < 5 ? 2 : 3)
