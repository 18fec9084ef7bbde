import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type DiffPart, diffWords, maxSteps, toDiffTokens, toLines } from '../../src/record/text/diff.ts'
import { runs } from '../harness/runs.ts'

const without = (parts: readonly DiffPart[], is: DiffPart['is']) =>
  parts
    .filter((part) => part.is !== is)
    .map((part) => part.text)
    .join('')

/** `[-removed-]{+added+}`, as `git diff --word-diff` writes it. */
const toText = (parts: readonly DiffPart[]) =>
  parts.map(({ is, text }) => (is === 'same' ? text : is === 'removed' ? `[-${text}-]` : `{+${text}+}`)).join('')

const cases: readonly (readonly [string, string, string])[] = [
  ['', '', ''],
  ['a b', 'a b', 'a b'],
  ['', 'new text', '{+new text+}'],
  ['old text', '', '[-old text-]'],
  ['The tide is high.', 'The tide is low.', 'The tide is [-high-]{+low+}.'],
  ['the quick fox', 'the slow cat', 'the [-quick fox-]{+slow cat+}'],
  ['one two three', 'one three', 'one [-two -]three'],
  ['one three', 'one two three', 'one {+two +}three'],
  ['one  two', 'one two', 'one [- -]two'],
  ['a\r\nb', 'a\nb', 'a[-\r\n-]{+\n+}b'],
  ['first\nsecond', 'first\n\nsecond', 'first\n{+\n+}second'],
  ['word', 'words', '[-word-]{+words+}'],
  ['naïve', 'naive', '[-naïve-]{+naive+}'],
  ['日本語の本', '日本語の音', '日本語の[-本-]{+音+}'],
  ['👩🏽‍🚀 flies', '👩🏽‍💻 flies', '[-👩🏽‍🚀-]{+👩🏽‍💻+} flies'],
  ['🇩🇪', '🇩🇰', '[-🇩🇪-]{+🇩🇰+}'],
  ['n\u0303o', 'no', '[-n\u0303o-]{+no+}'],
  ["it's here", 'it is here', "it[-'s-]{+ is+} here"],
]

describe('The difference between two texts', () => {
  for (const [before, after, expected] of cases) {
    test(`${JSON.stringify(before)} -> ${JSON.stringify(after)}`, () => {
      expect(toText(diffWords(before, after))).toBe(expected)
    })
  }

  test('a short change in a long text is just that change', () => {
    const text = Array.from({ length: 15_000 }, (_, i) => `word${i % 97}`).join(' ')
    const parts = diffWords(text, `${text.slice(0, 50_000)}tide ${text.slice(50_000)}`)
    expect(without(parts, 'same').length).toBeLessThan(40)
  })
})

/** The same numbers on every machine. */
function createRandom(): (below: number) => number {
  let state = 42
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const random = createRandom()
const randomText = (words: readonly string[], between: string) => {
  const parts: string[] = []
  for (let length = 0; length < 99_000; length += parts.at(-1)?.length ?? 1)
    parts.push(words[random(words.length)] + between)
  return parts.join('')
}
const dictionary = Array.from({ length: 3_000 }, (_, i) => `w${i.toString(36)}`)
const large: readonly (readonly [string, () => [string, string]])[] = [
  ['random words', () => [randomText(dictionary, ' '), randomText(dictionary, ' ')]],
  ['random words on short lines', () => [randomText(dictionary, '\n'), randomText(dictionary, '\n')]],
  ['two words in random order', () => [randomText(['a', 'b'], ' '), randomText(['a', 'b'], ' ')]],
  ['random characters without spaces', () => [randomText([...'日本語文字'], ''), randomText([...'日本語文字'], '')]],
  ['nothing in common', () => ['a '.repeat(50_000), 'b '.repeat(50_000)]],
  ['the same word, shifted', () => [`x ${'a b '.repeat(24_000)}`, `${'b a '.repeat(24_000)}y`]],
  ['other line ends', () => ['line of text\r\n'.repeat(7_000), 'line of text\n'.repeat(7_500)]],
  ['one word of 100,000 letters', () => ['a'.repeat(100_000), 'b'.repeat(100_000)]],
]

describe('Texts of 100,000 characters take a bounded number of steps', () => {
  for (const [name, create] of large) {
    test(name, () => {
      const [before, after] = create()
      const budget = { left: maxSteps }
      const parts = diffWords(before, after, budget)
      expect(without(parts, 'added') === before && without(parts, 'removed') === after).toBe(true)
      // A step may end a run of equal words, which is never longer than the text.
      expect(maxSteps - budget.left).toBeLessThan(maxSteps + 200_000)
    })
  }

  test('too many changed words: unchanged lines stay, changed ones show their words', () => {
    const lines = Array.from({ length: 2_000 }, (_, i) => `${i} ${dictionary[i]} ${'tide '.repeat(4)}`)
    const other = lines.map((line, i) => (i % 10 === 0 ? line.replaceAll(/(?<=\w)\b/g, 's') : line))
    const parts = diffWords(lines.join('\n'), other.join('\n'), { left: 1_200_000 })
    expect(parts.filter(({ is, text }) => is === 'removed' && !text.includes('\n')).length).toBeGreaterThan(190)
    expect(parts.filter(({ is }) => is === 'same').length).toBeGreaterThan(190)
  })
})

const letters = [...'ab  \n\r.,é\u0301日本ガไทำمُ👩🏽\u200d🚀🇩🇪', '\r\n', 'word', 'tide']
const text = fc.string({ unit: fc.constantFrom(...letters), maxLength: 200 })
const anyText = fc.oneof(text, fc.string({ unit: 'binary', maxLength: 100 }))
/** Two versions of a text: some pieces of the second are from the first. */
const versions = fc
  .tuple(fc.array(text, { maxLength: 6 }), fc.array(fc.option(text), { maxLength: 8 }))
  .map(([pieces, edits]): [string, string] => [
    pieces.join(' '),
    edits.map((edit, i) => edit ?? pieces[i] ?? '').join(' '),
  ])

describe('For any two texts', () => {
  test('what is not added is the one, what is not removed is the other', () => {
    const property = fc.property(fc.oneof(versions, fc.tuple(anyText, anyText)), fc.nat(3000), ([a, b], left) => {
      for (const parts of [diffWords(a, b), diffWords(a, b, { left })]) {
        expect(without(parts, 'added')).toBe(a)
        expect(without(parts, 'removed')).toBe(b)
        expect(parts.every((part, i) => part.text !== '' && part.is !== parts[i + 1]?.is)).toBe(true)
      }
    })
    fc.assert(property, { numRuns: runs(20_000) })
  })

  test('nothing changes where they are equal, and all of it where one is empty', () => {
    const property = fc.property(anyText, (a) => {
      expect(diffWords(a, a).filter((part) => part.is !== 'same')).toEqual([])
      expect(diffWords(a, '').filter((part) => part.is !== 'removed')).toEqual([])
      expect(diffWords('', a).filter((part) => part.is !== 'added')).toEqual([])
    })
    fc.assert(property, { numRuns: runs(2_000) })
  })

  test('tokens and lines are the whole text, cut where no character is split', () => {
    const property = fc.property(anyText, (a) => {
      const [tokens, lines] = [toDiffTokens(a), toLines(a)]
      expect([tokens.join(''), lines.join('')]).toEqual([a, a])
      expect([...tokens, ...lines].every((each) => each !== '')).toBe(true)
      if (a.isWellFormed()) expect(tokens.every((each) => each.isWellFormed())).toBe(true)
      expect(lines.slice(0, -1).every((line) => /(?:\r\n|\n|\r)$/.test(line))).toBe(true)
    })
    fc.assert(property, { numRuns: runs(5_000) })
  })
})
