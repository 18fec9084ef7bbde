import { describe, expect, test } from 'bun:test'
import { listPath, requiredFields, toPath, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

// Runner: long PostgreSQL

const service = useService()

const { category, title } = requiredFields

const writes = [
  { what: 'A POST', method: 'POST', path: listPath },
  { what: 'A PUT', method: 'PUT', path: toPath('{id}') },
]

const required: readonly Row[] = writes.flatMap(({ what, ...target }) => {
  const base = { ...target, as: 'admin' as const, status: 400 }
  return [
    { ...base, name: `${what} without a title is refused`, json: { category }, errors: ['title'] },
    { ...base, name: `${what} without a category is refused`, json: { title }, errors: ['category'] },
    { ...base, name: `${what} of an empty object names both`, json: {}, errors: ['category', 'title'] },
    { ...base, name: `${what} with a null title is refused`, json: { category, title: null }, errors: ['title'] },
    { ...base, name: `${what} with a blank category is refused`, json: { category: ' ', title }, errors: ['category'] },
  ]
})

const unknown: readonly Row[] = [...writes, { what: 'A PATCH', method: 'PATCH', path: toPath('{id}') }].flatMap(
  ({ what, ...target }) =>
    ['nope', 'Title', ' title', 'video_mp3_url', '', 'constructor', 'toString', '0', 'ünknown'].map((field) => ({
      ...target,
      name: `${what} with the unknown field ${JSON.stringify(field)} is refused`,
      as: 'admin' as const,
      json: { ...requiredFields, [field]: 'x' },
      status: 400,
      errors: [field],
    })),
)

const manyErrors = {
  category: '',
  language: 'Xyzzy',
  speakers: ['A', ''],
  tags: 'web',
  state: 3,
  title: 5,
  summary: null,
  description: 'a\u0000',
  quality_notes: [],
  copyright_text: 1,
  embed: '<script>1</script>',
  thumbnail_url: '/t.png',
  duration: '5',
  video_ogv_length: -1,
  video_mp4_url: 'ftp://example.org/',
  video_webm_download_only: 1,
  source_url: 'x',
  whiteboard: 'x'.repeat(256),
  recorded: '2011-02-29',
  nope: 1,
}

const together: readonly Row[] = [...writes, { what: 'A PATCH', method: 'PATCH', path: toPath('{id}') }].map(
  ({ what, ...target }) => ({
    ...target,
    name: `${what} reports all errors of its body together`,
    as: 'admin' as const,
    json: manyErrors,
    status: 400,
    errors: Object.keys(manyErrors),
  }),
)

describe('The required fields', () => runTable(required, service))

describe('An unknown field', () => runTable(unknown, service))

describe('A body with many mistakes', () => runTable(together, service))

describe('A category', () => {
  test('that does not exist yet is made', async () => {
    const record = await service.create({ category: 'Never seen before' })
    expect(record.category).toBe('Never seen before')
  })
})
