import { toFolded } from '../../src/record/text/fold.ts'
import type { Random } from '../generated/random.ts'
import { type Talk, toTexts } from './talk.ts'
import { findSurname, findWordsInRow, misspell, toOtherNumber, toSearchWords, toWordSet } from './words.ts'

/** One way to search for a remembered talk. */
export interface Kind {
  readonly name: string
  readonly label: string
  /** Null if the talk has too few words. `other` is any other talk. */
  createQuery(talk: Talk, random: Random, other: () => Talk): string | null
  /** Talks that the query means as well; without it, those with the same title only. */
  isMeant?(talk: Talk, other: Talk): boolean
}

/** How many other talks are tried for a word that a talk does not have. */
const maxOthers = 20

export const kinds: readonly Kind[] = [
  {
    name: 'title3',
    label: '3 words of the title',
    createQuery: ({ title }, random) => join(pick(toSearchWords(title), 3, random)),
  },
  {
    name: 'typo',
    label: '3 title words, one with a typo',
    createQuery: ({ title }, random) => changeOne(pick(toSearchWords(title), 3, random), random, misspell),
  },
  {
    name: 'forms',
    label: '3 title words, one in its other number',
    createQuery: ({ title }, random) => changeOne(pick(toSearchWords(title), 3, random), random, toOtherNumber),
  },
  { name: 'joined', label: '2 title words written as one + a third', createQuery: createJoinedQuery },
  {
    name: 'title2',
    label: '2 words of the title',
    createQuery: ({ title }, random) => join(pick(toSearchWords(title), 2, random)),
  },
  { name: 'surname', label: 'surname + a title word', createQuery: createSurnameQuery },
  { name: 'misspelt', label: 'misspelt surname + a title word', createQuery: createMisspeltQuery },
  {
    name: 'speaker',
    label: 'speaker + event',
    createQuery: ({ speakers, category }, random) => {
      const [speaker] = pick(speakers, 1, random) ?? []
      return speaker === undefined ? null : `${speaker} ${category}`
    },
    isMeant: (talk, other) =>
      other.category === talk.category && other.speakers.some((name) => talk.speakers.includes(name)),
  },
  { name: 'absent', label: '4 title words + one word that is not there', createQuery: createAbsentQuery },
  { name: 'event', label: 'event + 2 title words', createQuery: createEventQuery },
  { name: 'description', label: 'a title word + 2 of the description', createQuery: createDescriptionQuery },
  {
    name: 'row',
    label: '6 words in a row of the description',
    createQuery: ({ description }, random) => findWordsInRow(description, 6, random),
  },
  {
    name: 'question',
    label: '"what was the talk about x and y and z?"',
    createQuery: ({ title }, random) => {
      const words = pick(toSearchWords(title), 3, random)
      return words === null ? null : `what was the talk about ${words.join(' and ')}?`
    },
  },
]

function createSurnameQuery({ title, speakers }: Talk, random: Random): string | null {
  const surnames = speakers.flatMap((name) => findSurname(name) ?? [])
  const [surname] = pick(surnames, 1, random) ?? []
  if (surname === undefined) return null
  const words = toSearchWords(title).filter((word) => toFolded(word) !== toFolded(surname))
  const [word] = pick(words, 1, random) ?? []
  return word === undefined ? null : `${surname} ${word}`
}

function createMisspeltQuery(talk: Talk, random: Random): string | null {
  const [surname = '', word] = createSurnameQuery(talk, random)?.split(' ') ?? []
  const misspelt = misspell(surname, random)
  return misspelt === null ? null : `${misspelt} ${word}`
}

function createJoinedQuery({ title }: Talk, random: Random): string | null {
  const words = toSearchWords(title)
  const pairs = words.slice(1).flatMap((word, i) => (title.includes(`${words[i]} ${word}`) ? [i] : []))
  const [at] = pick(pairs, 1, random) ?? []
  if (at === undefined) return null
  const joined = `${words[at]}${words[at + 1]?.toLowerCase()}`
  const [third] = pick(words.toSpliced(at, 2), 1, random) ?? []
  return third === undefined ? null : `${joined} ${third}`
}

function createEventQuery({ title, category }: Talk, random: Random): string | null {
  const ofEvent = toWordSet([category])
  const words = toSearchWords(title).filter((word) => !ofEvent.has(toFolded(word)))
  const two = pick(words, 2, random)
  return two === null ? null : join([category, ...two])
}

function createDescriptionQuery({ title, description }: Talk, random: Random): string | null {
  const [word] = pick(toSearchWords(title), 1, random) ?? []
  if (word === undefined) return null
  const others = toSearchWords(description).filter((other) => toFolded(other) !== toFolded(word))
  const two = pick(others, 2, random)
  return two === null ? null : join([word, ...two])
}

function createAbsentQuery(talk: Talk, random: Random, other: () => Talk): string | null {
  const words = pick(toSearchWords(talk.title), 4, random)
  if (words === null) return null
  const present = toWordSet(Object.values(toTexts(talk)))
  for (let tries = 0; tries < maxOthers; tries++) {
    const absent = toSearchWords(other().title).filter((word) => !present.has(toFolded(word)))
    const [word] = pick(absent, 1, random) ?? []
    if (word !== undefined) return join(words.toSpliced(random.below(words.length + 1), 0, word))
  }
  return null
}

/** `count` of the words, in their order; null if there are fewer. */
function pick<Value>(words: readonly Value[], count: number, random: Random): Value[] | null {
  if (words.length < count) return null
  const rest = [...words.keys()]
  const picked = new Set(Array.from({ length: count }, () => rest.splice(random.below(rest.length), 1)).flat())
  return words.filter((_, i) => picked.has(i))
}

type Change = (word: string, random: Random) => string | null

/** The words with one of them changed; null if none can be. */
function changeOne(words: readonly string[] | null, random: Random, change: Change): string | null {
  const first = random.below(words?.length ?? 1)
  for (const [i] of (words ?? []).entries()) {
    const at = (first + i) % (words?.length ?? 1)
    const changed = change(words?.[at] ?? '', random)
    if (changed !== null) return join(words?.with(at, changed) ?? null)
  }
  return null
}

const join = (words: readonly string[] | null) => words?.join(' ') ?? null
