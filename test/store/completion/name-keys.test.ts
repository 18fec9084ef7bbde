import { describe, expect, test } from 'bun:test'
import { toFolded } from '../../../src/record/text/fold.ts'
import { toWordStartTest } from '../../../src/record/text/words.ts'
import { createNameIndex } from '../../../src/store/completion/name-index.ts'
import { createNameKeys } from '../../../src/store/read/names/pick.ts'

const texts = [
  ...[
    'Ada Quill',
    'ada',
    'Adam ada Adams',
    'Zoë O’Brien-Ada',
    'McAda',
    'İda',
    'ﬁda',
    'a',
    'aa aa',
    'a.b',
    '.ada',
    'ada\nquill',
  ],
  ...['月見 太郎', '見月', 'Łukasz Żak', '😀ada', 'ada😀', 'ada 😀 quill', 'Ünal', 'straße', '\ud800ada'],
]
const parts = [
  ...[
    'ada',
    'a',
    'aa',
    'q',
    'quill',
    'a q',
    'ada\nq',
    '見',
    '月見',
    'zak',
    '😀',
    '.',
    '-',
    ' ',
    'ss',
    'b',
    'nothing',
    'a.b',
  ],
  ...['', '\u0000', 'a\u0000', '\ude00'],
]

describe('Names by the beginnings of their words', () => {
  const index = createNameIndex()
  const find = createNameKeys(index)
  const listOf = (part: string) => find('speaker', part).map((number) => index.get(number)?.text ?? '')

  test('are those that a test of each name finds', () => {
    for (const [id, text] of texts.entries()) index.set({ kind: 'speaker', id: id + 1, text, slug: '' })
    index.set({ kind: 'tag', id: 1, text: 'ada', slug: '' })
    for (const part of parts) {
      const begins = toWordStartTest(part)
      expect([part, listOf(part)]).toEqual([part, texts.filter((text) => begins(toFolded(text)))])
    }
    expect(listOf('ada').length).toBeGreaterThan(3)
  })

  test('follow what is added, renamed and removed', () => {
    index.set({ kind: 'speaker', id: 1, text: 'Bea Quill', slug: '' })
    index.set({ kind: 'speaker', id: 99, text: 'Beatrix', slug: '' })
    expect(listOf('bea')).toEqual(['Bea Quill', 'Beatrix'])
    index.remove('speaker', 1)
    expect(listOf('bea')).toEqual(['Beatrix'])
    index.clear()
    expect(listOf('bea')).toEqual([])
  })
})
