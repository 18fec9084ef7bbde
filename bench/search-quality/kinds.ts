import { toFolded } from '../../src/record/text/fold.ts'
import type { Random } from '../generated/random.ts'
import { type Talk, toTexts } from './talk.ts'
import { findSurname, swapLetters, toSearchWords, toWordSet } from './words.ts'

/** One way to search for a remembered talk. */
export interface Kind {
  readonly name: string
  readonly label: string
  /** Null if the talk has too few words. `other` is any other talk. */
  createQuery(talk: Talk, random: Random, other: () => Talk): string | null
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
    name: 'title2',
    label: '2 words of the title',
    createQuery: ({ title }, random) => join(pick(toSearchWords(title), 2, random)),
  },
  { name: 'surname', label: 'surname + a title word', createQuery: createSurnameQuery },
  { name: 'description', label: 'a title word + 2 of the description', createQuery: createDescriptionQuery },
  { name: 'swapped', label: '3 title words, two letters swapped in one', createQuery: createSwappedQuery },
  { name: 'absent', label: '4 title words + one word that is not there', createQuery: createAbsentQuery },
]

function createSurnameQuery({ title, speakers }: Talk, random: Random): string | null {
  const surnames = speakers.flatMap((name) => findSurname(name) ?? [])
  const [surname] = pick(surnames, 1, random) ?? []
  if (surname === undefined) return null
  const words = toSearchWords(title).filter((word) => toFolded(word) !== toFolded(surname))
  const [word] = pick(words, 1, random) ?? []
  return word === undefined ? null : `${surname} ${word}`
}

function createDescriptionQuery({ title, description }: Talk, random: Random): string | null {
  const [word] = pick(toSearchWords(title), 1, random) ?? []
  if (word === undefined) return null
  const others = toSearchWords(description).filter((other) => toFolded(other) !== toFolded(word))
  const two = pick(others, 2, random)
  return two === null ? null : join([word, ...two])
}

function createSwappedQuery({ title }: Talk, random: Random): string | null {
  const words = pick(toSearchWords(title), 3, random)
  if (words === null) return null
  const first = random.below(words.length)
  for (let i = 0; i < words.length; i++) {
    const place = (first + i) % words.length
    const swapped = swapLetters(words[place] ?? '', random)
    if (swapped !== null) return join(words.with(place, swapped))
  }
  return null
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
function pick(words: readonly string[], count: number, random: Random): string[] | null {
  if (words.length < count) return null
  const rest = [...words.keys()]
  const picked = Array.from({ length: count }, () => rest.splice(random.below(rest.length), 1)).flat()
  return picked.sort((a, b) => a - b).map((i) => words[i] ?? '')
}

const join = (words: readonly string[] | null) => words?.join(' ') ?? null
