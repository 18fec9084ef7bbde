import type { Changes } from '../../src/record/record.ts'
import { createRandom, createZipf, type Random } from './random.ts'
import { toHan, toPersonName, toTitleCase, toWord } from './words.ts'

const wordCount = 20_000
const categoryCount = 600
const speakerCount = 40_000
const tagCount = 3_000
/** After English, which three of four talks are in. */
const otherLanguages = [
  ...['Spanish', 'German', 'French', 'Portuguese', 'Italian', 'Russian'],
  ...['Polish', 'Dutch', 'Czech', 'Chinese', 'Japanese'],
]
const firstDayMs = Date.UTC(2006, 0, 1)
const dayCount = 20 * 365
const dayMs = 86_400_000

const pickWord = createZipf(wordCount, 1)
const pickCategory = createZipf(categoryCount, 0.8)
const pickSpeaker = createZipf(speakerCount, 0.6)
const pickTag = createZipf(tagCount, 0.9)
const pickLanguage = createZipf(otherLanguages.length, 1)

/** The n-th record; does not depend on the ones before. */
export function toGeneratedChanges(index: number): Changes {
  const random = createRandom(index)
  const language = random.percent(75) ? 'English' : (otherLanguages[pickLanguage(random)] ?? 'Spanish')
  const isUnspaced = language === 'Chinese' || language === 'Japanese'
  const toText = isUnspaced ? toHanText : toWords
  return {
    title: toTitleCase(toText(random, 3 + random.below(6))),
    category: toCategory(pickCategory(random)),
    language,
    state: random.percent(2) ? 2 : 1,
    speakers: pickSome(random, 3, (each) => toPersonName(pickSpeaker(each))),
    tags: pickSome(random, 6, (each) => toTag(pickTag(each))),
    summary: toText(random, 25 + random.below(36)),
    description: toText(random, 25 + random.below(36)),
    recorded: random.percent(5) ? null : toDay(firstDayMs + random.below(dayCount) * dayMs),
    duration: random.percent(50) ? null : 120 + random.below(7200),
    ...toMedia(random, index),
  }
}

/** The n-th largest category. */
export function toCategory(index: number): string {
  return `${toTitleCase(toWord(500 + (index % 90)))}Conf ${2006 + (index % 20)} ${toTitleCase(toWord(700 + index))}`
}

/** The n-th most frequent tag. */
export function toTag(index: number): string {
  return index % 4 === 0 ? `${toWord(index)} ${toWord(index + 40)}` : toWord(index)
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

function toWords(random: Random, count: number): string {
  return Array.from({ length: count }, () => toWord(pickWord(random))).join(' ')
}

function toHanText(random: Random, count: number): string {
  return Array.from({ length: count * 2 }, () => toHan(pickWord(random))).join('')
}

function pickSome(random: Random, most: number, pick: (random: Random) => string): string[] {
  return [...new Set(Array.from({ length: random.below(most + 1) }, () => pick(random)))]
}

function toMedia(random: Random, index: number): Changes {
  const toUrl = (format: string) => `https://media.example.org/${index}/talk.${format}`
  const host = random.below(100)
  const youtube = `https://www.youtube.com/watch?v=t${index.toString(36).padStart(10, '0')}`
  return {
    source_url: host < 60 ? youtube : host < 85 ? `https://talks.example.org/${index}` : '',
    thumbnail_url: random.percent(80) ? toUrl('jpg') : '',
    ...(random.percent(70) ? { video_mp4_url: toUrl('mp4'), video_mp4_length: 1_000_000 + index } : {}),
    ...(random.percent(30) ? { video_webm_url: toUrl('webm') } : {}),
    ...(random.percent(15) ? { video_ogv_url: toUrl('ogv'), video_ogv_download_only: true } : {}),
    ...(random.percent(4) ? { video_flv_url: toUrl('flv') } : {}),
  }
}
