import { describe, expect, test } from 'bun:test'
import { fieldNames, toExpectedBody } from './every-record.ts'
import { fail, listPath, parseFields, toPath, useService } from './service.ts'
import { type Row, runTable, takes } from './table.ts'

// Runner: long PostgreSQL

const service = useService()

const wholeRecord = {
  category: 'PyCon DE 2012',
  language: 'German',
  speakers: ['Jörg Müller', '山田太郎'],
  tags: ['web', 'café'],
  state: 1,
  title: 'Größe & <Form> 😀',
  summary: 'A "quoted" summary \\ with a slash / in it',
  description: 'é\u00ad\u2028\ufeff\ufffd\uffff',
  quality_notes: 'Sound drops at 3:10',
  copyright_text: 'CC BY 3.0',
  embed: '<a href="https://example.org/?a=1&amp;b=2">Watch</a>',
  thumbnail_url: 'https://example.org/t.jpg?x=1&y=2',
  duration: 1830,
  video_ogv_length: 0,
  video_ogv_url: '',
  video_ogv_download_only: true,
  video_mp4_length: 9007199254740991,
  video_mp4_url: 'https://example.org/v.mp4',
  video_mp4_download_only: false,
  video_webm_length: null,
  video_webm_url: null,
  video_webm_download_only: false,
  video_flv_length: 12,
  video_flv_url: 'http://example.org/v.flv',
  video_flv_download_only: true,
  source_url: 'https://example.org/talks/1',
  whiteboard: 'check the sound',
  recorded: '2012-10-29',
}

const absentValues = {
  language: '',
  speakers: [],
  tags: [],
  state: 2,
  summary: '',
  description: '',
  quality_notes: '',
  copyright_text: '',
  embed: '',
  thumbnail_url: '',
  duration: null,
  video_ogv_length: null,
  video_ogv_url: null,
  video_ogv_download_only: false,
  video_mp4_length: null,
  video_mp4_url: null,
  video_mp4_download_only: false,
  video_webm_length: null,
  video_webm_url: null,
  video_webm_download_only: false,
  video_flv_length: null,
  video_flv_url: null,
  video_flv_download_only: false,
  source_url: '',
  whiteboard: '',
  recorded: null,
}

const escapes: readonly Row[] = [
  { name: 'Non-ASCII letters are written as lower-case escapes', summary: 'Éva Ÿ', written: '"\\u00c9va \\u0178"' },
  { name: 'Characters beyond 16 bits are written as surrogate pairs', summary: '😀', written: '"\\ud83d\\ude00"' },
  { name: 'Angle brackets are written as escapes', summary: '<b>', written: '"\\u003cb\\u003e"' },
  { name: 'Ampersands are written as escapes', summary: 'a & b', written: '"a \\u0026 b"' },
].map(({ name, summary, written }) => ({
  name,
  method: 'PATCH',
  path: toPath('{id}'),
  as: 'admin',
  json: { summary },
  status: 200,
  contains: [`"summary":${written}`],
}))

const keptStrings: readonly Row[] = [
  takes('summary', '  spaces around stay  '),
  takes('summary', 'tab\there'),
  takes('summary', 'line\r\nend\n'),
  takes('summary', 'cafe\u0301 and caf\u00e9 stay apart'),
  takes('summary', '\u007f\u0080\u009f'),
  takes('summary', '\u2028\u2029\ufeff\ufffe\uffff'),
  takes('summary', '👩‍👩‍👧 \u{10ffff}'),
  takes('summary', '"quotes" and \\backslashes\\ and /slashes/'),
  takes('whiteboard', ' kept '),
]

describe('The record', () => {
  test('has the document’s 32 fields', () => expect(fieldNames).toHaveLength(32))

  test('is served in exactly the contract’s bytes', async () => {
    const record = await service.create(wholeRecord)
    const { id, slug, added, updated } = record
    const answer = await service.read(id, '*/*')
    expect(answer.body).toBe(toExpectedBody({ ...wholeRecord, id, slug, added, updated }))
  })

  test('has the same bytes in the write answer, on the item and in the list', async () => {
    const json = { ...wholeRecord, title: 'Same everywhere' }
    const written = await service.call({ method: 'POST', path: listPath, as: 'admin', json })
    const { id } = parseFields(written)
    const item = await service.read(id)
    const list = await service.call({ method: 'GET', path: `${listPath}?page_size=100` })
    expect(item.body).toBe(written.body)
    expect(list.body).toContain(written.body)
  })

  test('takes the absent values of the table when only the required fields are given', async () => {
    const json = { category: 'Absent', title: 'Only the required fields' }
    const answer = await service.call({ method: 'POST', path: listPath, as: 'admin', json })
    const { id, slug, added, updated, ...rest } = parseFields(answer)
    expect(rest).toEqual({ ...json, ...absentValues })
    expect(slug).toBe('only-the-required-fields')
    expect([typeof id, typeof added, typeof updated]).toEqual(['number', 'string', 'string'])
  })

  test('is dated in UTC', async () => {
    const before = Date.now()
    const { added, updated } = await service.create()
    for (const time of [added, updated]) {
      const at = Date.parse(`${time}Z`)
      if (Number.isNaN(at)) fail(`Not a time: ${time}`)
      expect(at).toBeWithin(before - 5, Date.now() + 1)
    }
  })
})

describe('The bytes of a record', () => runTable(escapes, service))

describe('A string', () => runTable(keptStrings, service))
