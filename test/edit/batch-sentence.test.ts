import { expect, test } from 'bun:test'
import { toBatchText } from '../../src/edit/changes/batch-sentence.tsx'
import type { JsonObject } from '../../src/record/json.ts'
import type { BatchContent } from '../../src/store/batch-reads.ts'

const nothing = { pairs: [], morePairs: 0, patch: null, fields: [], created: null, undone: null }
const toBulk = (patch: JsonObject): BatchContent => ({ ...nothing, kind: 'bulk', patch })
const toNames = (kind: BatchContent['kind'], from: string | null, to: string): BatchContent => ({
  ...{ ...nothing, kind, pairs: [{ from, to }] },
})

const own = { undoes: null, talks: 62 }
const toCreated = (count: number, category: string | null) => ({ count, category })

const files = ['video_mp4_url', 'video_webm_url', 'video_ogv_url', 'video_flv_url']
const toSecure = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { cut_start: 'http://', prefix: 'https://' }]))

const cases: readonly (readonly [string, BatchContent, number?])[] = [
  ['Language set to English in 62 talks', toBulk({ language: 'English' })],
  ['31 talks published', toBulk({ state: 1 }), 31],
  ['1 talk withdrawn', toBulk({ state: 2 }), 1],
  ['Tags added: a, b; state set to live in 62 talks', toBulk({ state: 1, tags: { add: ['a', 'b'] } })],
  ['Tags added: a; tags removed: b in 62 talks', toBulk({ tags: { add: ['a'], remove: ['b'] } })],
  ['Speakers replaced with Ann, Bob in 62 talks', toBulk({ speakers: ['Ann', 'Bob'] })],
  ['Speakers split into one entry each in 62 talks', toBulk({ speakers: { split: true } })],
  ['Speakers cleared in 62 talks', toBulk({ speakers: [] })],
  ['Length cleared in 62 talks', toBulk({ duration: null })],
  ['Link “Slides” added in 62 talks', toBulk({ related: { add: [{ url: 'https://example.org/', label: 'Slides' }] } })],
  [
    'Language set to German; links “https://a.example/”, “https://b.example/” removed in 62 talks',
    toBulk({ related: { remove: ['https://a.example/', 'https://b.example/'] }, language: 'German' }),
  ],
  ['Title: “ | x” removed at the end in 62 talks', toBulk({ title: { cut_end: ' | x' } })],
  ['Title: “a” replaced with “b” in 62 talks', toBulk({ title: { find: 'a', replace: 'b' } })],
  ['Title: “a” added at the start in 62 talks', toBulk({ title: { prefix: 'a' } })],
  [
    'Title: “ x” removed at the end; address of the video, thumbnail, MP4: Address: “http://” at the start replaced with “https://” in 62 talks',
    toBulk({
      title: { cut_end: ' x' },
      thumbnail_url: { cut_start: 'http://', prefix: 'https://' },
      source_url: { cut_start: 'http://', prefix: 'https://' },
      video_mp4_url: { cut_start: 'http://', prefix: 'https://' },
    }),
  ],
  [
    'All addresses: “http://” at the start replaced with “https://” in 62 talks',
    toBulk(toSecure(['source_url', 'thumbnail_url', ...files])),
  ],
  ['Addresses of files: “http://” at the start replaced with “https://” in 62 talks', toBulk(toSecure(files))],
  ['Missing thumbnail added in 62 talks', toBulk({ thumbnail_url: { from_source: true } })],
  [
    'Title: “a” replaced with “b”; summary: “a” replaced with “c” in 62 talks',
    toBulk({ title: { find: 'a', replace: 'b' }, summary: { find: 'a', replace: 'c' } }),
  ],
  ['Length divided by 1000 in 62 talks', toBulk({ duration: { divide: 1000 } })],
  [`Summary set to ${'x'.repeat(80)}… in 62 talks`, toBulk({ summary: 'x'.repeat(200) })],
  ['Language, Tags changed in 62 talks', { ...nothing, kind: 'bulk', fields: ['language', 'tags'] }],
  ['Change of many talks', { ...nothing, kind: 'bulk' }, 0],
  ['61 drafts made of chapters', { ...nothing, kind: 'table', patch: { chapters: 7 } }],
  ['62 talks imported', { ...nothing, kind: 'import' }],
  ['62 drafts created in PyCon X from a table', { ...nothing, kind: 'table', created: toCreated(62, 'PyCon X') }],
  ['60 drafts created and 2 talks changed from a table', { ...nothing, kind: 'table', created: toCreated(60, null) }],
  ['62 talks changed from a table', { ...nothing, kind: 'table', created: toCreated(0, null) }],
  ['Speaker Ada L. merged into Ada Lovelace in 62 talks', toNames('merge speaker', 'Ada L.', 'Ada Lovelace')],
  ['Tag a merged into b and 12 more in 62 talks', { ...toNames('merge tag', 'a', 'b'), morePairs: 12 }],
  ['Tag a name that no longer exists renamed to x in 62 talks', toNames('rename tag', null, 'x')],
  ['Event A renamed to B', toNames('rename category', 'A', 'B'), 0],
  ['Talk Tides merged into Currents', toNames('merge video', 'Tides', 'Currents'), 2],
  ['Duplicate of Tides merged into it', toNames('merge video', 'Tides', 'Tides'), 2],
  ['Changes by one author reverted in 62 talks', { ...nothing, kind: 'restore' }],
  [
    'Undone: Language set to English in 62 talks',
    { ...nothing, kind: 'undo', undone: { ...toBulk({ language: 'English' }), ...own } },
  ],
  [
    'Undone: 29 drafts created in PyCon X and 1 talk changed from a table',
    {
      ...{ ...nothing, kind: 'undo' },
      undone: { ...nothing, kind: 'table', created: toCreated(29, 'PyCon X'), undoes: null, talks: 30 },
    },
  ],
  [
    'Undone: import of 90 talks',
    { ...nothing, kind: 'undo', undone: { ...nothing, kind: 'import', undoes: null, talks: 90 } },
  ],
  ['Undone: 62 talks published', { ...nothing, kind: 'undo', undone: { ...toBulk({ state: 1 }), ...own } }],
  [
    'Undone: Undo of bulk change 3 in 62 talks',
    { ...nothing, kind: 'undo', undone: { ...nothing, kind: 'undo', undoes: 3, talks: 62 } },
  ],
]

test.each(cases)('%s', (text, content, talks = 62) => {
  expect(toBatchText({ content, talks })).toBe(text)
})
