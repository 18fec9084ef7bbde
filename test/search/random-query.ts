import type { CompletionQuery } from '../../src/record/query/completion.ts'
import type { Asked } from './engine.ts'
import type { Random } from './random.ts'
import { categories, hidden, names, vocabulary } from './random-archive.ts'

const unknownWords = ['xyzzyplugh', 'qwertzu', 'жжжжж', '犇犇', 'nnnnnnnnnnnn', 'zzzz', '9.99', 'Q++']
const facets = ['category', 'speaker', 'tag', 'language', 'year']
/** Ignored, so that a search is in order of relevance. */
const unknownOrder = 'nonsense'
const orders = ['title', '-title', 'recorded', '-recorded', 'duration', '-duration,title', 'id', '-id', '-added']

/** A list request of any kind, mostly searches. */
export function toAsked(random: Random): Asked {
  const parameters = new URLSearchParams()
  if (random.chance(0.97)) parameters.set('q', toSearch(random))
  parameters.set('match', random.pick(['best', 'best', 'best', 'all']))
  if (random.chance(0.3)) addFilters(parameters, random)
  if (random.chance(0.25)) parameters.set('ordering', random.pick([...orders, unknownOrder]))
  if (random.chance(0.25)) parameters.set('facets', toFacets(random))
  if (random.chance(0.3)) addPage(parameters, random)
  if (random.chance(0.1)) parameters.set('fields', random.pick(['id', 'id,title', 'speakers']))
  return { parameters: parameters.toString(), visibility: random.pick(['live', 'all']) }
}

function toSearch(random: Random): string {
  const terms = Array.from({ length: random.pick([1, 1, 2, 2, 3, 4, 7, 16]) }, () => toTerm(random))
  return [...terms.join(random.pick([' ', ' ', '  ', '\u3000']))].slice(0, 200).join('')
}

function toTerm(random: Random): string {
  const word = random.pick(vocabulary)
  const kind = random.between(0, 15)
  if (kind < 5) return word
  if (kind < 7) return toBeginning(random, word)
  if (kind < 10) return toMisspelling(random, word)
  if (kind < 11) return random.pick(unknownWords)
  if (kind < 12) return `"${word} ${random.pick(vocabulary)}"`
  if (kind < 13) return `"${word}"`
  if (kind < 14) return `-${random.pick(vocabulary)}`
  if (kind < 15) return random.pick([word.toUpperCase(), word.normalize('NFD'), `${word}s`, `${word}${word}`, '!', '"'])
  return toMisspelling(random, random.pick(Object.values(hidden)))
}

/** What a person has typed so far: a word or two, the last of them not to its end. */
export function toTyped(random: Random): CompletionQuery {
  const word = random.pick([...vocabulary, ...names, ...categories])
  const last = toBeginning(random, random.chance(0.2) ? toMisspelling(random, word) : word)
  const text = random.chance(0.3) ? `${random.pick([...vocabulary, 'Ada', 'PyCon'])} ${last}` : last
  return { text: text.trim() === '' ? 'a' : text.trim(), visibility: random.pick(['live', 'all']) }
}

function toBeginning(random: Random, word: string): string {
  const characters = [...word]
  return characters.slice(0, random.between(1, characters.length)).join('')
}

/** One or two edits: letters swapped, left out, doubled or replaced. */
export function toMisspelling(random: Random, word: string): string {
  const characters = [...word]
  for (let edits = random.pick([1, 1, 2]); edits > 0; edits--) {
    const at = random.between(0, characters.length - 1)
    const [one = '', other = ''] = characters.slice(at, at + 2)
    const edited = random.pick([[other, one], [other], [one, one, other], [random.pick(['e', 'x', 'о', 'ん']), other]])
    characters.splice(at, 2, ...edited)
  }
  return characters.join('')
}

function addFilters(parameters: URLSearchParams, random: Random): void {
  const filters = [
    ['category', random.pick(['pycon-2023', 'PyCon 2024', 'europython', 'nowhere'])],
    ['speaker', random.pick(['muller', 'tester', '山田', 'nobody'])],
    ['tag', random.pick(['test', 'c', 'data', 'node.js'])],
    ['language', random.pick(['English', 'de', 'ru'])],
    ['recorded_after', '2021-01-01'],
    ['recorded_before', '2023-10-10'],
    ['duration_min', '601'],
    ['duration_max', '600'],
    ['has', random.pick(['mp4', 'thumbnail', 'mp4,thumbnail'])],
    ['state', random.pick(['1', '2'])],
    ['id', '1,2,3,50,51,52,100,101,999'],
    ['missing', random.pick(['language', 'recorded', 'tags,duration', 'source', 'embed'])],
    ['finding', random.pick(['missing_speakers', 'same_video', 'outside_event', 'speaker_in_tags', 'shouting_title'])],
    ['whiteboard', random.pick(['0', '1'])],
    ['parked', random.pick(['0', '1'])],
    ['updated_before', '2099-01-01'],
  ] as const
  for (let count = random.between(1, 2); count > 0; count--) {
    const [name, value] = random.pick(filters)
    parameters.set(name, value)
  }
}

function toFacets(random: Random): string {
  return facets.filter(() => random.chance(0.5)).join(',') || 'year'
}

function addPage(parameters: URLSearchParams, random: Random): void {
  parameters.set('page_size', String(random.pick([1, 2, 3, 7, 100])))
  if (random.chance(0.3)) parameters.set('cursor', '')
  else parameters.set('page', random.pick(['1', '2', '3', '40', 'last', 'last', 'none']))
}
