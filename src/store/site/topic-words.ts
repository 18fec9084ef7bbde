import type { VideoRecord } from '../../record/record.ts'
import { toWords } from '../../record/text/words.ts'
import type { RecordColumns } from '../columns/record-columns.ts'
import type { SlotSet } from '../columns/slots.ts'
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
/**
 * The weight of a word by the field in which the record has it. A word of the title that neither tags nor texts repeat is
 * often a figure of speech: "a confluence of great ideas".
 */
const worth = { title: 1, titleOnly: 0.5, texts: 0.3, textsAgain: 0.5 } as const
/** A word of fewer records weighs no more than one of this many: two records may share it by accident. */
const minRecords = 5

/** A word that at least this many records have, most of them in one event, belongs to the titles of that event. */
const minOfEvent = 6
const maxOfEvent = 0.6

/** How rare a word or name of `count` records is. */
export const toRarity = (total: number, count: number) => Math.log(1 + total / Math.max(minRecords, count))

export interface TopicWord {
  /** Its number in the dictionary. */
  readonly number: number
  readonly weight: number
  /** Whether only titles that have the word count. */
  readonly inTitles: boolean
  /** Whether the record has texts, and neither they nor its tags repeat the word of its title. */
  readonly isTitleOnly: boolean
}

/** What its postings are found by. */
type IndexedWord = Pick<TopicWord, 'number' | 'inTitles'>

interface FoundWord extends TopicWord {
  readonly count: number
  /** How many of them are in the event of the record. */
  readonly ofEvent: number
}

/** What the words of a record are counted in. */
interface Scope {
  readonly segments: readonly Segment[]
  /** The live records. */
  readonly live: SlotSet
  readonly category: number
}

/** Finds the topic of a record: the rarest words of its title, tags and texts, without those of its event. */
export function createTopicWords(columns: RecordColumns, index: WordsIndex) {
  const { data } = columns

  function toScope(slot: number): Scope {
    const category = data.arrays().categories[slot] ?? 0
    return { segments: [...index.segments()], live: data.counts.visible('live'), category }
  }

  /** Counts live records, because drafts must not change what a page shows, until there are more than `most`. */
  function countRecords(word: IndexedWord, most: number, { segments, live, category }: Scope) {
    const { categories } = data.arrays()
    let [count, ofEvent] = [0, 0]
    for (const segment of segments) {
      const { slots, dead } = segment
      const { positions, from, to } = findPostings(segment, word)
      for (let i = from; i < to; i++) {
        const position = positions[i] ?? 0
        const slot = slots[position] ?? 0
        if (dead[position] === 1 || live.flags[slot] !== 1) continue
        if (++count > most) return { count, ofEvent }
        if (categories[slot] === category) ofEvent++
      }
    }
    return { count, ofEvent }
  }

  function find(word: string, { value, isOfTitle, isTitleOnly }: Weighed, scope: Scope): FoundWord | null {
    const total = scope.live.count
    const number = index.dictionary.find(word)
    if (number < 0) return null
    const most = Math.max(alwaysRare, Math.min(isOfTitle ? maxOfTitle : maxOfTexts, maxShare * total))
    const all = countRecords({ number, inTitles: false }, most, scope)
    const inTitles = all.count > most && isOfTitle
    const { count, ofEvent } = inTitles ? countRecords({ number, inTitles }, most, scope) : all
    // A word that only this record has finds no other one.
    if (count < 2 || count > most) return null
    const weight = value * toRarity(total, all.count) ** 2
    return { number, inTitles, count, ofEvent, weight, isTitleOnly }
  }

  return (slot: number, record: VideoRecord): TopicWord[] => {
    const scope = toScope(slot)
    const found = [...weighWords(record)].flatMap(([word, weighed]) => find(word, weighed, scope) ?? [])
    const topic: TopicWord[] = []
    let left = maxPostings
    for (const word of found.sort((a, b) => b.weight - a.weight)) {
      if (topic.length === maxWords) break
      if (word.count > left) continue
      left -= word.count
      const isOfEvent = word.count >= minOfEvent && word.ofEvent > maxOfEvent * word.count
      if (!isOfEvent) topic.push(word)
    }
    return topic
  }
}

/** The postings of a word, from one index to the other; none if it is not in the segment. */
export function findPostings(segment: Segment, { number, inTitles }: IndexedWord) {
  const { starts, positions } = inTitles ? segment.titles : segment
  const offset = findWord(segment, number)
  const [from, to] = offset < 0 ? [0, 0] : [starts[offset] ?? 0, starts[offset + 1] ?? 0]
  return { positions, from, to }
}

interface Weighed {
  readonly value: number
  /** Whether the title or a tag has the word. */
  readonly isOfTitle: boolean
  readonly isTitleOnly: boolean
}

const ofTexts = { isOfTitle: false, isTitleOnly: false } as const
const ofTags = { isOfTitle: true, isTitleOnly: false } as const

function weighWords({ title, tags, category, speakers, summary, description }: VideoRecord): Map<string, Weighed> {
  const words = new Map<string, Weighed>()
  const texts = toWords(`${summary} ${description}`.slice(0, maxLength))
  for (const word of texts) words.set(word, { value: words.has(word) ? worth.textsAgain : worth.texts, ...ofTexts })
  const hasMore = texts.length > 0 || tags.length > 0
  for (const word of toWords(title)) {
    const isAlone = !words.has(word)
    const value = hasMore && isAlone ? worth.titleOnly : worth.title
    words.set(word, { value, isOfTitle: true, isTitleOnly: texts.length > 0 && isAlone })
  }
  for (const word of tags.flatMap(toWords)) words.set(word, { value: worth.title, ...ofTags })
  for (const word of [category, ...speakers].flatMap(toWords)) words.delete(word)
  return words
}
