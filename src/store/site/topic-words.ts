import type { VideoRecord } from '../../record/record.ts'
import { toWords } from '../../record/text/words.ts'
import type { RecordColumns } from '../columns/record-columns.ts'
import { findWord, type Segment } from '../search/segment.ts'
import type { WordsIndex } from '../search/words-index.ts'

/** A more frequent word of a title or tag counts in titles only, and not at all if too many titles have it. */
const maxOfTitle = 2_000
/** A more frequent word of texts is ignored. */
const maxOfTexts = 400
/** The same limit for small archives, as a share of all records. */
const maxShare = 0.2
const alwaysRare = 50
const maxWords = 20
/** Limit for all words together; takes about a millisecond. */
const maxPostings = 10_000
/** Characters of the texts that are read; the rest repeats. */
const maxLength = 1_200
/** The weight of a word by the field in which the record has it. */
const worth = { title: 1, texts: 0.3, textsAgain: 0.5 } as const
/** A word that at least this many records have, most of them in one event, belongs to the titles of that event. */
const minOfEvent = 6
const maxOfEvent = 0.6

export interface TopicWord {
  /** Its number in the dictionary. */
  readonly number: number
  readonly weight: number
  /** Whether only titles that have the word count. */
  readonly inTitles: boolean
}

interface FoundWord extends TopicWord {
  readonly count: number
}

/** Finds the topic of a record: the rarest words of its title, tags and texts, without those of its event. */
export function createTopicWords({ data }: RecordColumns, index: WordsIndex) {
  const countRecords = (number: number, inTitles: boolean) =>
    index.segments().reduce((sum, segment) => {
      const { from, to } = findPostings(segment, { number, inTitles })
      return sum + to - from
    }, 0)

  function isOfEvent({ count, ...word }: FoundWord, category: number): boolean {
    if (count < minOfEvent) return false
    const { categories } = data.arrays()
    let ofEvent = 0
    for (const segment of index.segments()) {
      const { positions, from, to } = findPostings(segment, word)
      for (let i = from; i < to; i++) if (categories[segment.slots[positions[i] ?? 0] ?? 0] === category) ofEvent++
    }
    return ofEvent > maxOfEvent * count
  }

  function find(word: string, value: number, total: number): FoundWord | null {
    const number = index.dictionary.find(word)
    const all = number < 0 ? 0 : countRecords(number, false)
    const most = Math.max(alwaysRare, Math.min(value === worth.title ? maxOfTitle : maxOfTexts, maxShare * total))
    const inTitles = all > most && value === worth.title
    const count = inTitles ? countRecords(number, true) : all
    // A word that only this record has finds no other one.
    if (count < 2 || count > most) return null
    return { number, inTitles, count, weight: value * Math.log(1 + total / all) ** 2 }
  }

  return (slot: number, record: VideoRecord): TopicWord[] => {
    const total = data.counts.visible('live').count
    const category = data.arrays().categories[slot] ?? 0
    const found = [...weighWords(record)].flatMap(([word, value]) => find(word, value, total) ?? [])
    const topic: TopicWord[] = []
    let left = maxPostings
    for (const word of found.sort((a, b) => b.weight - a.weight)) {
      if (topic.length === maxWords) break
      if (word.count > left) continue
      left -= word.count
      if (!isOfEvent(word, category)) topic.push(word)
    }
    return topic
  }
}

/** The postings of a word, from one index to the other; none if it is not in the segment. */
export function findPostings(segment: Segment, { number, inTitles }: Omit<TopicWord, 'weight'>) {
  const at = findWord(segment, number)
  const { starts, positions } = inTitles ? segment.titles : segment
  return { positions, from: at < 0 ? 0 : (starts[at] ?? 0), to: at < 0 ? 0 : (starts[at + 1] ?? 0) }
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
