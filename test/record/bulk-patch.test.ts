import { describe, expect, test } from 'bun:test'
import type { FieldEdits, ListChange } from '../../src/record/bulk.ts'
import { decideCreate } from '../../src/record/decide.ts'
import { toPatchedFields, toRecordChanges } from '../../src/record/parse-bulk.ts'
import type { Changes, VideoRecord } from '../../src/record/record.ts'

function toRecord(changes: Changes): VideoRecord {
  const author = { name: 'ann', role: 'admin' } as const
  const command = { kind: 'create', author, changes: { title: 'T', category: 'C', ...changes } } as const
  const decision = decideCreate(command, { id: 1, slug: 't' }, '2024-01-01T00:00:00.000')
  if (decision.is !== 'accepted') throw new Error(decision.is)
  return decision.record
}

/** The tags now, what changes, and the tags afterwards. */
const cases: readonly [string, readonly string[], Partial<ListChange>, readonly string[]][] = [
  ['appends what is not there', ['a', 'b'], { add: ['c', 'd'] }, ['a', 'b', 'c', 'd']],
  ['keeps the position of what is there', ['a', 'b'], { add: ['a', 'c'] }, ['a', 'b', 'c']],
  ['removes what is there', ['a', 'b', 'c'], { remove: ['b', 'x'] }, ['a', 'c']],
  ['does both', ['a', 'b'], { add: ['c'], remove: ['a'] }, ['b', 'c']],
  ['tells cases apart', ['Python'], { add: ['python'], remove: ['PYTHON'] }, ['Python', 'python']],
  ['can empty a list', ['a'], { remove: ['a'] }, []],
]

describe('A change of a list', () => {
  for (const [name, before, change, after] of cases) {
    test(name, () => {
      const edits = { tags: { is: 'names', add: [], remove: [], ...change } } as const
      const parsed = toRecordChanges(toRecord({ tags: before }), { changes: {}, edits })
      expect(parsed).toEqual({ ok: true, changes: { tags: after } })
    })
  }

  test('is refused where a record would get more entries than a list may have', () => {
    const tags = Array.from({ length: 200 }, (_, i) => `t${i}`)
    const add = { tags: { is: 'names', add: ['new'], remove: [] } } as const
    const parsed = toRecordChanges(toRecord({ tags }), { changes: {}, edits: add })
    expect(parsed).toEqual({ ok: false, errors: new Map([['tags', ['Must have at most 200 entries.']]]) })
    const swap = { tags: { is: 'names', add: ['new'], remove: ['t0'] } } as const
    expect(toRecordChanges(toRecord({ tags }), { changes: {}, edits: swap })).toMatchObject({ ok: true })
  })

  test('is about its fields, whatever they are', () => {
    const edits = { tags: { is: 'names', add: [], remove: [] } } as const
    expect(toPatchedFields({ changes: { language: 'German' }, edits })).toEqual(['language', 'tags'])
    const thumbnail = { thumbnail_url: { is: 'from source' } } as const
    expect(toPatchedFields({ changes: {}, edits: thumbnail })).toEqual(['thumbnail_url', 'source_url'])
  })
})

const video = 'https://www.youtube.com/watch?v=aaaaaaaaaaa'
const picture = 'https://i.ytimg.com/vi/aaaaaaaaaaa/hqdefault.jpg'

/** A record, its edits, and the values afterwards; `refused` if the field cannot have the result. */
type Case = readonly [string, Changes, FieldEdits, Changes | 'refused']

const edited: readonly Case[] = [
  [
    'replaces every occurrence',
    { title: 'aXbX' },
    { title: { is: 'find', find: 'X', replace: 'yy' } },
    { title: 'ayybyy' },
  ],
  [
    'is literal',
    { title: 'a.c a+c' },
    { title: { is: 'find', find: 'a.c', replace: '$& $1' } },
    { title: '$& $1 a+c' },
  ],
  [
    'tells cases apart',
    { title: 'Python' },
    { title: { is: 'find', find: 'python', replace: '' } },
    { title: 'Python' },
  ],
  [
    'does not look at its own result',
    { title: 'aaa' },
    { title: { is: 'find', find: 'aa', replace: 'a' } },
    { title: 'aa' },
  ],
  ['can remove', { summary: 'a b' }, { summary: { is: 'find', find: 'a b', replace: '' } }, { summary: '' }],
  [
    'leaves no spaces at the ends of a title',
    { title: 'T | Conf' },
    { title: { is: 'end', cut: '| Conf', add: '' } },
    { title: 'T' },
  ],
  ['cuts a start once', { title: 'xxT' }, { title: { is: 'start', cut: 'x', add: '' } }, { title: 'xT' }],
  ['cuts only what is there', { title: 'T' }, { title: { is: 'end', cut: 'x', add: 'y' } }, { title: 'T' }],
  ['adds to a start', { title: 'T' }, { title: { is: 'start', cut: '', add: 'Keynote: ' } }, { title: 'Keynote: T' }],
  [
    'adds once',
    { title: 'Keynote: T' },
    { title: { is: 'start', cut: '', add: 'Keynote: ' } },
    { title: 'Keynote: T' },
  ],
  ['adds nothing to an empty text', { summary: '' }, { summary: { is: 'end', cut: '', add: '!' } }, { summary: '' }],
  ['replaces an end', { title: 'Go!' }, { title: { is: 'end', cut: '!', add: '?' } }, { title: 'Go?' }],
  [
    'makes addresses secure at their start only',
    { source_url: 'http://a.example/?u=http://b.example', video_mp4_url: null },
    {
      source_url: { is: 'start', cut: 'http://', add: 'https://' },
      video_mp4_url: { is: 'start', cut: 'http://', add: 'https://' },
    },
    { source_url: 'https://a.example/?u=http://b.example', video_mp4_url: null },
  ],
  ['refuses a title that is left blank', { title: 'T' }, { title: { is: 'end', cut: 'T', add: '' } }, 'refused'],
  [
    'refuses an address that is none',
    { source_url: video },
    { source_url: { is: 'start', cut: '', add: 'x' } },
    'refused',
  ],
  [
    'refuses a language that is none',
    { language: 'German' },
    { language: { is: 'end', cut: 'n', add: '' } },
    'refused',
  ],
  [
    'refuses what is too long',
    { title: 'a'.repeat(200) },
    { title: { is: 'find', find: 'a', replace: 'bb' } },
    'refused',
  ],
  [
    'refuses what would be far too long without building it',
    { description: 'a'.repeat(100_000) },
    { description: { is: 'find', find: 'a', replace: 'b'.repeat(100_000) } },
    'refused',
  ],
  [
    'counts characters, not units',
    { title: '😀' },
    { title: { is: 'find', find: '😀', replace: '😀'.repeat(255) } },
    { title: '😀'.repeat(255) },
  ],
  ['multiplies a length', { duration: 25 }, { duration: { is: 'multiply', by: 60 } }, { duration: 1500 }],
  ['rounds a length', { duration: 1_234_500 }, { duration: { is: 'divide', by: 1000 } }, { duration: 1235 }],
  [
    'leaves a length that nobody knows',
    { duration: null },
    { duration: { is: 'divide', by: 1000 } },
    { duration: null },
  ],
  ['leaves a length of zero', { duration: 0 }, { duration: { is: 'divide', by: 1000 } }, { duration: 0 }],
  ['refuses a length that would vanish', { duration: 499 }, { duration: { is: 'divide', by: 1000 } }, 'refused'],
  ...[499, 59_000, 29_000_000].map(
    (duration): Case => [
      `leaves ${duration} if a thousandth of it is no plausible length`,
      { duration },
      { duration: { is: 'divide', by: 1000, ifPlausible: true } },
      { duration },
    ],
  ),
  [
    'divides a length if the result is plausible',
    { duration: 60_000 },
    { duration: { is: 'divide', by: 1000, ifPlausible: true } },
    { duration: 60 },
  ],
  ['refuses a length that is too long', { duration: 200_000 }, { duration: { is: 'multiply', by: 60 } }, 'refused'],
  [
    'splits entries of several people, each once',
    { speakers: ['Ana Lopez & Ben Kim', 'Chu, Hua', 'Ben Kim'] },
    { speakers: { is: 'split' } },
    { speakers: ['Ana Lopez', 'Ben Kim', 'Chu, Hua'] },
  ],
  ['fills in a thumbnail', { source_url: video }, { thumbnail_url: { is: 'from source' } }, { thumbnail_url: picture }],
  [
    'knows the thumbnails of the Internet Archive',
    { source_url: 'https://archive.org/details/a-talk' },
    { thumbnail_url: { is: 'from source' } },
    { thumbnail_url: 'https://archive.org/services/img/a-talk' },
  ],
  [
    'leaves a thumbnail that is there',
    { source_url: video, thumbnail_url: 'https://a.example/b.png' },
    { thumbnail_url: { is: 'from source' } },
    { thumbnail_url: 'https://a.example/b.png' },
  ],
  [
    'invents no thumbnail',
    { source_url: 'https://vimeo.com/1' },
    { thumbnail_url: { is: 'from source' } },
    { thumbnail_url: '' },
  ],
]

describe('An edit of a field', () => {
  test.each(edited)('%s', (_, before, edits, after) => {
    const parsed = toRecordChanges(toRecord(before), { changes: {}, edits })
    expect<unknown>(parsed.ok ? parsed.changes : 'refused').toEqual(after)
  })
})
