import type { Cue, Transcript } from '../../src/record/transcript/transcript.ts'
import { createRandom, createZipf, type Random } from './random.ts'
import { toHan, toWord } from './words.ts'

export interface GeneratedTranscript extends Transcript {
  readonly language: string
}

/** Speech is steeper than prose: the most common word is one of fourteen. */
const steepness = 1
const vocabulary = 120_000
const languages = [
  { language: 'en', percent: 80, first: 0 },
  { language: 'de', percent: 10, first: 200_000 },
  { language: 'es', percent: 6, first: 400_000 },
  { language: 'ja', percent: 4, first: 0 },
] as const
/** A talk says the words of its topic again and again. */
const topicWords = 40
const topicPercent = 8
/** Machines get stuck: one text, dozens of times. */
const loopPercent = 3

/** Transcripts like those of an archive: the same for the same seed and number, 4,227 words on average. */
export function createTranscripts(seed: number): (number: number) => GeneratedTranscript {
  const pick = createZipf(vocabulary, steepness)
  return (number) => {
    const random = createRandom(seed * 1_000_003 + number)
    const { language, first } = pickLanguage(random)
    const topic = Array.from({ length: topicWords }, () => 200 + random.below(vocabulary - 200))
    const nextWord = () => {
      const index = random.percent(topicPercent) ? (topic[random.below(topicWords)] ?? 0) : pick(random)
      return language === 'ja' ? toHan(index) : toWord(first + index)
    }
    return { language, origin: 'machine', cues: toCues(random, nextWord, language === 'ja' ? '' : ' ') }
  }
}

function pickLanguage(random: Random) {
  let left = random.below(100)
  for (const each of languages) {
    left -= each.percent
    if (left < 0) return each
  }
  return languages[0]
}

function toCues(random: Random, nextWord: () => string, separator: string): Cue[] {
  const words = 600 + random.below(7_255)
  const loopAt = random.percent(loopPercent) ? random.below(words) : -1
  const cues: Cue[] = []
  let start = random.below(20_000)
  for (let said = 0; said < words; ) {
    const size = 5 + random.below(5)
    const text = Array.from({ length: size }, nextWord).join(separator)
    const times = said <= loopAt && loopAt < said + size ? 25 + random.below(40) : 1
    for (let i = 0; i < times; i++) {
      const end = start + size * (300 + random.below(180))
      cues.push({ start, end, text })
      start = end + (random.percent(10) ? random.below(6_000) : 0)
    }
    said += size
  }
  return cues
}
