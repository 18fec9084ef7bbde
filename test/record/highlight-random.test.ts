import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createHighlighter, type Hits, type Mark, toHits } from '../../src/record/text/highlight.ts'
import { locateTokens, parseSearch, toTokens, type Word } from '../../src/record/text/search-text.ts'
import { locateWords } from '../../src/record/text/words.ts'
import { runs } from '../harness/runs.ts'

function parseHits(q: string): Hits {
  const parsed = parseSearch(q)
  if (!parsed.ok) throw new Error(parsed.problem)
  return toHits(parsed.search)
}

const letters = [..."、。　+#ab Aé\u0301ßσςß日本語々ガﾞไทำ한ᄒ\u1161مُשָ𝐁😀½\u00ad\u200d-.'\n"]
const text = fc.string({ unit: fc.constantFrom(...letters), maxLength: 300 })
const records = fc.record({
  title: text,
  summary: text,
  description: text,
  speakers: fc.array(text, { maxLength: 3 }),
  tags: fc.array(text, { maxLength: 3 }),
  category: text,
})
const queries = fc.string({ unit: fc.constantFrom(...letters, '"', ' ', '"'), maxLength: 12 })

/** Whether some token of the text is part of a hit. */
function isHit(tokens: readonly string[], { words, prefixes, phrases, openPhrases = [] }: Hits): boolean {
  const parts = [...phrases, ...openPhrases].flat()
  return tokens.some(
    (token) =>
      words.has(token) ||
      parts.some((part) => token.startsWith(part)) ||
      prefixes.some((prefix) => token.startsWith(prefix)),
  )
}

function checkMarks(text: string, marks: readonly Mark[], hits: Hits, toWords: (text: string) => string[]): void {
  const characters = [...text]
  let end = -1
  for (const [from, to] of marks) {
    expect(from).toBeGreaterThan(end)
    expect(to).toBeGreaterThan(from)
    expect(to).toBeLessThanOrEqual(characters.length)
    const slice = characters.slice(from, to).join('')
    expect({ slice, isHit: isHit(toWords(slice), hits) }).toEqual({ slice, isHit: true })
    end = to
  }
}

const toBestWords = (text: string) => [...locateWords(text).map((word) => word.text), ...toTokens(text)]

test.each([
  ['all', toTokens],
  ['best', toBestWords],
] as const)('every mark of match=%s is inside its text and is a hit', (match, toWords) => {
  fc.assert(
    fc.property(records, queries, (record, q) => {
      const hits = parseHits(q)
      const { title, passage } = createHighlighter(hits, match)(record)
      checkMarks(record.title, title, hits, toWords)
      if (passage === null) return
      const value = record[passage.field]
      expect(typeof value === 'string' ? value : value.join(', ')).toContain(passage.text)
      expect(passage.text.isWellFormed()).toBe(true)
      expect(passage.text.length).toBeLessThanOrEqual(200)
      checkMarks(passage.text, passage.marks, hits, toWords)
    }),
    { numRuns: runs(5_000) },
  )
})

/** Every located word that is a hit, as marks that do not overlap. */
function toExpectedMarks(text: string, located: readonly Word[], words: ReadonlySet<string>): Mark[] {
  const hits = located.filter((word) => words.has(word.text)).sort((one, other) => one.from - other.from)
  const merged: { from: number; to: number }[] = []
  for (const { from, to } of hits) {
    const last = merged.at(-1)
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  const toCodePoints = (at: number) => [...text.slice(0, at)].length
  return merged.map(({ from, to }) => [toCodePoints(from), toCodePoints(to)])
}

test.each([
  ['all', locateTokens],
  ['best', locateWords],
] as const)('match=%s marks every word that is a hit, whatever its forms, and no other', (match, locate) => {
  fc.assert(
    fc.property(records, fc.nat(), (record, n) => {
      const { title } = record
      const located = locate(title)
      const words = new Set(located.map((word) => word.text).filter((_, i) => (i + n) % 3 === 0))
      const marks = createHighlighter({ words, prefixes: [], phrases: [] }, match)(record).title
      expect(marks).toEqual(toExpectedMarks(title, located, words))
    }),
    { numRuns: runs(5_000) },
  )
})

test('a record that has every word has a mark', () => {
  fc.assert(
    fc.property(records, queries, (record, q) => {
      const { words, prefixes, phrases, openPhrases = [] } = parseHits(q)
      const { title, passage } = createHighlighter(parseHits(q), 'all')(record)
      const fields = Object.values(record)
        .flat()
        .map((value) => ` ${toTokens(value).join(' ')} `)
      const has = (part: string) => fields.some((field) => field.includes(part))
      const isFound =
        [...words].some((word) => has(` ${word} `)) ||
        prefixes.some((prefix) => has(` ${prefix}`)) ||
        phrases.some((phrase) => has(` ${phrase.join(' ')} `)) ||
        openPhrases.some((phrase) => has(` ${phrase.join(' ')}`))
      expect(title.length + (passage?.marks.length ?? 0) > 0).toBe(isFound)
    }),
    { numRuns: runs(5_000) },
  )
})
