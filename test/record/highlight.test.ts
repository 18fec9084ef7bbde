import { describe, expect, test } from 'bun:test'
import {
  createHighlighter,
  type Highlight,
  type HighlightedRecord,
  type Hits,
  type Mark,
  toHits,
} from '../../src/record/text/highlight.ts'
import { parseSearch } from '../../src/record/text/search-text.ts'

const empty: HighlightedRecord = { title: '', summary: '', description: '', speakers: [], tags: [], category: '' }

function parseHits(q: string): Hits {
  const parsed = parseSearch(q)
  if (!parsed.ok) throw new Error(parsed.problem)
  return toHits(parsed.search)
}

function highlight(q: string, record: Partial<HighlightedRecord>): Highlight {
  return createHighlighter(parseHits(q), 'all')({ ...empty, ...record })
}

/** The text with its marks in brackets. */
function show(text: string, marks: readonly Mark[]): string {
  const characters = [...text]
  let shown = ''
  let at = 0
  for (const [from, to] of marks) {
    shown += `${characters.slice(at, from).join('')}[${characters.slice(from, to).join('')}]`
    at = to
  }
  return shown + characters.slice(at).join('')
}

function showPassage({ passage }: Highlight): string {
  return passage === null ? 'none' : `${passage.field}: ${show(passage.text, passage.marks)}`
}

describe('Marks in a title:', () => {
  test.each([
    ['asyncio', 'The asyncio book', 'The [asyncio] book'],
    ['async', 'ASYNCIO, async', '[ASYNCIO], [async]'],
    ['syncio', 'asyncio', 'asyncio'],
    ['"async"', 'asyncio async', 'asyncio [async]'],
    ['"release notes"', 'Notes, release notes and release', 'Notes, [release] [notes] and release'],
    ['"a b a"', 'a b a b a, a b, b a', '[a] [b] [a] [b] [a], a b, b a'],
    ['book -asyncio', 'The asyncio book', 'The asyncio [book]'],
    ['node.js', 'Node.js and js', '[Node].[js] and js'],
    ['C++', 'C++ and Cython', '[C]++ and [Cython]'],
    ['über', 'Uberto, ÜBER, u\u0308ber', '[Uberto], [ÜBER], [u\u0308ber]'],
    ['software', 'Soft\u00adware', '[Soft\u00adware]'],
    ['strasse', 'Die Straße', 'Die [Straße]'],
    ['talk', '💡💡 talk 👩‍👩‍👧 talks', '💡💡 [talk] 👩‍👩‍👧 [talks]'],
    ['𝐁old', '𝐁old 𝐭𝐞𝐱𝐭 bold', '[𝐁old] 𝐭𝐞𝐱𝐭 [bold]'],
    ['数据库', '中国数据库系统', '中国[数据库]系统'],
    ['据', '数据库系统', '数[据]库系统'],
    ['统', '数据库系统', '数据库系[统]'],
    ['入門 python', 'Python入門', '[Python入門]'],
    ['ベース', 'ﾃﾞｰﾀﾍﾞｰｽ データベース', 'ﾃﾞｰﾀ[ﾍﾞｰｽ] データ[ベース]'],
    ['ภาษา', 'โปรแกรมภาษาไพทอน', 'โปรแกรม[ภาษา]ไพทอน'],
    ['한국', '한국어 강연', '[한국어] 강연'],
    ['مقدمة', 'هذه مُقَدِّمَة قصيرة', 'هذه [مُقَدِّمَة] قصيرة'],
    ['שלום', 'שָׁלוֹם עולם', '[שָׁלוֹם] עולם'],
    ['पाइथन', 'में पाइथन', 'में [पाइथन]'],
    ['!!!', 'Wow!!!', 'Wow!!!'],
  ])('%s in %s', (q, title, shown) => {
    expect(show(title, highlight(q, { title }).title)).toBe(shown)
  })
})

describe('The passage:', () => {
  test.each<[string, string, Partial<HighlightedRecord>, string]>([
    ['is the field with hits', 'fox', { summary: 'A dog.', description: 'A fox.' }, 'description: A [fox].'],
    ['is the summary before the description', 'fox', { summary: 'Fox', description: 'fox' }, 'summary: [Fox]'],
    ['has the most different hits', 'fox dog', { summary: 'Fox fox', tags: ['dog fox'] }, 'tags: [dog] [fox]'],
    [
      'prefers the rarer hit',
      'fox owl',
      { summary: 'A fox.', description: `owl ${'fox '.repeat(9)}`, tags: ['owl'] },
      'description: [owl] [fox] [fox] [fox] [fox] [fox] [fox] [fox] [fox] [fox]',
    ],
    ['prefers the rarest hit', 'fox owl', { description: 'A fox, a fox.', category: 'Owl' }, 'category: [Owl]'],
    ['separates names', '"lovelace bob" ada', { speakers: ['Ada Lovelace', 'Bob'] }, 'speakers: [Ada] Lovelace, Bob'],
    [
      'begins with the summary if only the title has a hit',
      'fox',
      { title: 'Fox', summary: ' A dog.' },
      'summary: A dog.',
    ],
    [
      'begins with the description without a summary',
      'fox',
      { summary: '\n ', description: 'A dog.' },
      'description: A dog.',
    ],
    ['is nothing without texts', 'fox', { title: 'Fox', tags: ['dog'] }, 'none'],
    ['keeps spaces and lines', 'fox', { summary: '  The\n\n  fox\t ran ' }, 'summary: The\n\n  [fox]\t ran'],
  ])('%s', (_, q, record, shown) => {
    expect(showPassage(highlight(q, record))).toBe(shown)
  })

  const filler = 'Some other words that say nothing at all. '

  test('is about 200 characters, from the start of a sentence to the end of a word', () => {
    const { passage } = highlight('needle', {
      description: `${filler.repeat(50)}The needle is here. ${filler.repeat(50)}`,
    })
    const text = passage?.text ?? ''
    expect(show(text, passage?.marks ?? [])).toMatch(
      /^(Some other words that say nothing at all\. )?The \[needle\] is here\. Some/,
    )
    expect(text.length).toBeWithin(160, 201)
    expect(text).toMatch(/\w$/)
    expect(filler.repeat(50)).toContain(text.slice(text.indexOf('here. ') + 6))
  })

  test('is where the words are close together', () => {
    const far = `needle ${filler.repeat(9)} thread ${filler.repeat(9)} a thread for the needle ${filler.repeat(9)}`
    expect(showPassage(highlight('needle thread', { summary: far }))).toContain('a [thread] for the [needle]')
  })

  test.each([
    ['Chinese', '数据库', '我们今天讨论系统设计与实现的问题', '数据库'],
    ['Thai', 'ฐานข้อมูล', 'การเขียนโปรแกรมด้วยภาษาไพทอน', 'ฐานข้อมูล'],
    ['emoji', 'needle', '👩‍👩‍👧💡', ' needle '],
    ['Arabic', 'بيانات', 'هذا نص طويل عن البرمجة ', 'بيانات '],
  ])('is cut in a text without spaces or in another script: %s', (_, q, other, needle) => {
    const summary = `${other.repeat(80)}${needle}${other.repeat(80)}`
    const { passage } = highlight(q, { summary })
    const text = passage?.text ?? ''
    expect(summary).toContain(text)
    expect(text.isWellFormed()).toBe(true)
    expect(text.length).toBeWithin(100, 201)
    expect(passage?.marks.map(([from, to]) => [...text].slice(from, to).join(''))).toEqual([needle.trim()])
  })

  test('of a word without end is cut', () => {
    const { passage } = highlight('xx', { summary: 'x'.repeat(5_000) })
    expect(passage).toEqual({ field: 'summary', text: 'x'.repeat(200), marks: [[0, 200]] })
  })

  test('looks at the beginning of a long field only', () => {
    const summary = `${'long '.repeat(3_000)}needle`
    expect(highlight('needle', { summary }).passage?.marks).toEqual([])
  })
})

test('words of match=best are marked with the form they have in the text', () => {
  const hits = { words: new Set(['c++', 'asyncio', 'text', 'fulltext']), prefixes: [], phrases: [['for', 'c']] }
  const record = { ...empty, title: 'Full-text for C++, not C', tags: ['AsyncIO'] }
  const { title, passage } = createHighlighter(hits, 'best')(record)
  expect(show(record.title, title)).toBe('[Full-text] [for] [C++], not C')
  expect(passage).toEqual({ field: 'tags', text: 'AsyncIO', marks: [[0, 7]] })
})

test('forms of one word count as one in the choice of a passage', () => {
  const hits = { words: new Set(['learn', 'learned', 'learning', 'machine']), prefixes: [], phrases: [] }
  const record = { ...empty, summary: 'Learn, learned, learning.', description: 'A machine can learn.' }
  expect(showPassage(createHighlighter(hits, 'best')(record))).toBe('description: A [machine] can [learn].')
})

test('a page of the longest texts takes bounded time', () => {
  const long = 'データベース数据库 a'.repeat(8_000)
  const record = {
    ...empty,
    title: 'a'.repeat(255),
    summary: long,
    description: long,
    tags: Array(200).fill('a'.repeat(100)),
  }
  const start = performance.now()
  createHighlighter(parseHits('データ a "数据库 a"'), 'all')(record)
  createHighlighter({ words: new Set(['数据', 'a']), prefixes: ['デ'], phrases: [] }, 'best')(record)
  expect(performance.now() - start).toBeLessThan(2_000)
})
