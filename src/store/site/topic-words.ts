import type { VideoRecord } from '../../record/record.ts'
import { toWords } from '../../record/text/words.ts'
import type { RecordColumns } from '../columns/record-columns.ts'
import { findWord, type Segment } from '../search/segment.ts'
import type { WordsIndex } from '../search/words-index.ts'

/** Words that more records have say little, and would cost most of the time. */
const maxRecords = 3_000
/** The same for small archives. */
const maxShare = 0.2
const alwaysRare = 50
const maxWords = 24
/** Of the texts; the rest repeats. */
const maxLength = 3_000
/** What a word is worth by where the record has it. */
const worth = { title: 1, texts: 0.3, textsAgain: 0.5 } as const
/** A word that so many records have, most of them in one event, is part of how that event names its talks. */
const minOfEvent = 6
const maxOfEvent = 0.6

export interface TopicWord {
  /** Its number in the dictionary. */
  readonly number: number
  readonly weight: number
}

/** Finds what a record is about: the rarest words of its title, tags and texts, without those of its event. */
export function createTopicWords(columns: RecordColumns, index: WordsIndex) {
  function isOfEvent(word: number, count: number, category: number): boolean {
    if (count < minOfEvent) return false
    const { categories } = columns.data.arrays()
    let ofEvent = 0
    for (const segment of index.segments()) {
      const [from, to] = findPostings(segment, word)
      for (let i = from; i < to; i++) {
        if (categories[segment.slots[segment.positions[i] ?? 0] ?? 0] === category) ofEvent++
      }
    }
    return ofEvent > maxOfEvent * count
  }

  return (slot: number, record: VideoRecord): TopicWord[] => {
    const total = columns.data.total.get(0, 'live')
    const most = Math.min(maxRecords, Math.max(alwaysRare, maxShare * total))
    const category = columns.data.arrays().categories[slot] ?? 0
    const found: TopicWord[] = []
    for (const [word, value] of weighWords(record)) {
      const number = index.dictionary.find(word)
      const count = number < 0 ? 0 : countRecords(index, number)
      // A word that only this record has finds no other one.
      if (count < 2 || count > most) continue
      found.push({ number, weight: value * Math.log(1 + total / count) ** 2 })
    }
    const rarest = found.sort((a, b) => b.weight - a.weight).slice(0, 2 * maxWords)
    return rarest.filter(({ number }) => !isOfEvent(number, countRecords(index, number), category)).slice(0, maxWords)
  }
}

function countRecords(index: WordsIndex, word: number): number {
  return index.segments().reduce((sum, segment) => {
    const [from, to] = findPostings(segment, word)
    return sum + to - from
  }, 0)
}

/** Where the postings of a word begin and end. */
export function findPostings(segment: Segment, word: number): [number, number] {
  const at = findWord(segment, word)
  return at < 0 ? [0, 0] : [segment.starts[at] ?? 0, segment.starts[at + 1] ?? 0]
}

function weighWords({ title, tags, category, speakers, summary, description }: VideoRecord): Map<string, number> {
  const words = new Map<string, number>()
  for (const word of toWords(`${summary} ${description}`.slice(0, maxLength))) {
    words.set(word, words.has(word) ? worth.textsAgain : worth.texts)
  }
  for (const word of [title, ...tags].flatMap(toWords)) words.set(word, worth.title)
  for (const word of [category, ...speakers].flatMap(toWords)) words.delete(word)
  return words
}
