import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseSearch, type Search } from '../../src/record/text/search-text.ts'
import { findMoment, findTerm, findWindows, tally, toPatterns, toSliceOf } from '../../src/record/transcript/moments.ts'
import { dropLoops, toSpoken } from '../../src/record/transcript/spoken.ts'
import type { Cue } from '../../src/record/transcript/transcript.ts'
import { blockSize, dropEntry, listEntries, readNumbers, toEntry } from '../../src/store/moment/postings.ts'

/** Cues of three seconds, one after the other. */
const say = (...texts: readonly string[]): Cue[] =>
  texts.map((text, i) => ({ start: i * 3000, end: (i + 1) * 3000, text }))

function search(text: string): Search {
  const parsed = parseSearch(text)
  if (!parsed.ok) throw new Error(parsed.problem)
  return parsed.search
}

/** As the index finds them: the tokens of each window. */
function find(cues: readonly Cue[], text: string): string[] {
  const { tokens, slices } = toSpoken(cues)
  const { all, none } = search(text)
  const toSaid = (terms: typeof all) =>
    terms.map((term) =>
      findTerm(
        toPatterns(term).map(({ token, isPrefix }) => {
          const fits = [...tokens].filter(([known]) => known === token || (isPrefix && known.startsWith(token)))
          return Int32Array.from(fits.flatMap(([, numbers]) => numbers)).sort()
        }),
      ),
    )
  const said: string[] = []
  for (const [token, numbers] of tokens) for (const number of numbers) said[number] = token
  const sliceOf = toSliceOf(Int32Array.from(slices))
  const windows = findWindows(toSaid(all), toSaid(none), sliceOf)
  const score = windows.reduce((sum, { weight }) => sum + weight, 0)
  expect(tally(toSaid(all), toSaid(none), sliceOf)).toEqual({ hits: windows.length, score })
  return windows.map(({ from, to }) => said.slice(from, to + 1).join(' '))
}

const talk = say('So the garbage', 'collector runs twice.', 'Nobody asked why', 'the Collector runs.')

test.each([
  ['garbage', ['garbage']],
  ['"garbage collector"', ['garbage collector']],
  ['"collector runs"', ['collector runs', 'collector runs']],
  ['"runs collector"', []],
  ['collect', ['collector', 'collector']],
  ['"collect"', []],
  ['why garbage', ['garbage collector runs twice nobody asked why']],
  ['so', ['so']],
  ['s', []],
  ['runs -twice', []],
  ['ruby', []],
])('%s is said in %j', (text, windows) => {
  expect(find(talk, text)).toEqual(windows)
})

test('every smallest window is found, however often its terms are said', () => {
  const places = fc.uniqueArray(fc.nat(60), { minLength: 1, maxLength: 25 }).map((all) => all.sort((a, b) => a - b))
  fc.assert(
    fc.property(fc.array(places, { minLength: 2, maxLength: 4 }), (terms) => {
      const isWhole = (from: number, to: number) => terms.every((term) => term.some((at) => at >= from && at <= to))
      const smallest: [number, number][] = []
      for (let from = 0; from <= 60; from++)
        for (let to = from; to <= 60; to++)
          if (isWhole(from, to) && !isWhole(from + 1, to) && !isWhole(from, to - 1)) smallest.push([from, to])
      const windows: [number, number][] = []
      for (const [from, to] of smallest) {
        const last = windows.at(-1)
        if (last === undefined || from > last[1]) windows.push([from, to])
        else if (to - from < last[1] - last[0]) windows[windows.length - 1] = [from, to]
      }
      const said = terms.map((term) => ({ starts: Int32Array.from(term), length: 1 }))
      expect(findWindows(said, [], () => 0).map(({ from, to }): [number, number] => [from, to])).toEqual(windows)
    }),
    { numRuns: 500 },
  )
})

test('words that are said a minute apart are not said together', () => {
  const silence = Array.from({ length: 18 }, () => 'hm')
  expect(find(say('first', ...silence, 'second'), 'first second')).toEqual([])
  expect(find(say('first', 'second', ...silence), 'first second')).toEqual(['first second'])
})

test('an excluded word that is said a minute later excludes nothing', () => {
  const silence = Array.from({ length: 20 }, () => 'hm')
  expect(find(say('first', ...silence, 'second'), 'first -second')).toEqual(['first'])
})

test('occurrences of a phrase that overlap count once', () => {
  expect(find(say('bla bla bla', 'bla'), '"bla bla"')).toEqual(['bla bla', 'bla bla'])
})

test('in a script without spaces a sentence runs across cues', () => {
  expect(find(say('録画し', 'た講演'), '画した講')).toEqual(['画し した た講'])
})

test('a text that is repeated more than twenty times in a row counts once', () => {
  const twenty = Array.from({ length: 20 }, () => 'thank you')
  expect(find(say(...twenty), 'thank')).toHaveLength(20)
  expect(find(say(...twenty, 'thank you', 'and bye'), 'thank')).toHaveLength(1)
  expect(dropLoops(say(...twenty, 'thank you'))).toHaveLength(1)
})

test('a moment begins with the cue of its first word, and marks the words', () => {
  const cues = say('Welcome, everybody.', 'So the garbage', 'collector 🗑 runs twice.')
  expect(findMoment(cues, search('"garbage collector" twice'), { first: 0, last: 0 })).toEqual({
    start: 3,
    end: 9,
    text: 'So the garbage collector 🗑 runs twice.',
    marks: [
      [7, 14],
      [15, 24],
      [32, 37],
    ],
  })
})

test('a moment is not one before its time, which an excluded word may hide', () => {
  const hm = (count: number) => Array.from({ length: count }, () => 'hm')
  const cues = say(...hm(5), 'stamps', ...hm(5), 'the collector', ...hm(4), 'a collector', 'hm')
  expect(findMoment(cues, search('collector -stamps'), { first: 3, last: 3 })?.start).toBe(48)
})

test('a moment that is not in the cues any more is none', () => {
  expect(findMoment(talk, search('ruby'), { first: 0, last: 0 })).toBeNull()
})

test('entries are read as they were written, and dropped one by one', () => {
  const [one, other] = [[0, 1, 130, 40_000], [7]]
  const body = Buffer.concat([toEntry(blockSize + 200, one), toEntry(blockSize + 3, other)])
  const read = (bytes: Uint8Array) => {
    const entries: [number, number[]][] = []
    listEntries(bytes, (place, from, to) => entries.push([place, [...readNumbers({ body: bytes, from, to })]]))
    return entries
  }
  expect(read(body)).toEqual([
    [200, one],
    [3, other],
  ])
  expect(read(dropEntry(body, blockSize + 200))).toEqual([[3, other]])
  expect(dropEntry(dropEntry(body, blockSize + 200), blockSize + 3)).toHaveLength(0)
})
