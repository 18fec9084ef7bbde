import type { VideoRecord } from '../../record/record.ts'
import type { RecordColumns } from '../columns/record-columns.ts'
import { createMatches } from '../search/matches.ts'
import { fieldBits, toFrequency } from '../search/record-words.ts'
import type { WordsIndex } from '../search/words-index.ts'
import { createTopicWords, findPostings, type TopicWord } from './topic-words.ts'

/** The best by their words, whose tags and speakers are compared. */
const maxCompared = 50
/** What a word is worth by where another record has it; its event's name and speakers are no topic. */
const worth = { title: 1, tags: 0.8, texts: 0.25, textsAgain: 0.4 } as const
/** Longer records have more words by chance; on a scale of doublings. */
const usualSize = 6
/** Records that score less than this share of the weightiest word have it in common by chance. */
const leastShare = 0.35
const sharedTag = 0.7
const sharedSpeaker = 0.5

/** Finds the live records that are nearest to a record in words, tags and speakers, best first. */
export function createSimilar(columns: RecordColumns, index: WordsIndex) {
  const findTopic = createTopicWords(columns, index)
  let scores = new Float64Array(1024)
  const touched: number[] = []

  function addWord({ weight, ...word }: TopicWord): void {
    for (const segment of index.segments()) {
      const { slots, dead, occurrences, sizes } = segment
      const { positions, from, to } = findPostings(segment, word)
      for (let i = from; i < to; i++) {
        const position = positions[i] ?? 0
        const slot = slots[position] ?? 0
        const value = word.inTitles ? worth.title : toWorth(occurrences[i] ?? 0, sizes[position] ?? 0)
        if (value === 0 || dead[position] === 1) continue
        if (scores[slot] === 0) touched.push(slot)
        scores[slot] = (scores[slot] ?? 0) + weight * value
      }
    }
  }

  /** Shared tags and speakers, each by its rarity. */
  function compareNames(kind: 'speaker' | 'tag', slot: number, other: number): number {
    const others = columns.namesOf(kind, other)
    const total = columns.countAll('live')
    return columns.namesOf(kind, slot).reduce((sum, name) => {
      if (!others.includes(name)) return sum
      return sum + Math.log(1 + total / Math.max(1, columns.countOf(kind, name, 'live'))) ** 2
    }, 0)
  }

  function takeBest(slot: number, least: number, limit: number): number[] {
    const isBefore = (a: number, b: number) => columns.toId(a) > columns.toId(b)
    const compared = createMatches(maxCompared, isBefore)
    for (const other of touched) {
      const score = scores[other] ?? 0
      if (score < least || score < compared.threshold() || other === slot) continue
      if (columns.isVisible(other, 'live')) compared.offer(other, score)
    }
    const best = createMatches(limit, isBefore)
    for (const other of compared.take(0, maxCompared)) {
      const names = sharedTag * compareNames('tag', slot, other) + sharedSpeaker * compareNames('speaker', slot, other)
      best.offer(other, (scores[other] ?? 0) + names)
    }
    return best.take(0, limit)
  }

  return (slot: number, record: VideoRecord, limit: number): number[] => {
    if (scores.length < columns.slotEnd()) scores = new Float64Array(2 * columns.slotEnd())
    const topic = findTopic(slot, record)
    for (const word of topic) addWord(word)
    const best = takeBest(slot, leastShare * (topic[0]?.weight ?? 0), limit)
    for (const other of touched) scores[other] = 0
    touched.length = 0
    return best
  }
}

function toWorth(occurrence: number, size: number): number {
  if ((occurrence & fieldBits.title) !== 0) return worth.title
  if ((occurrence & fieldBits.tags) !== 0) return worth.tags
  if ((occurrence & (fieldBits.summary | fieldBits.description)) === 0) return 0
  const value = toFrequency(occurrence) === 0 ? worth.texts : worth.textsAgain
  return size <= usualSize ? value : value * (usualSize / size) ** 2
}
