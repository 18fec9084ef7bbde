import { describe, expect, test } from 'bun:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { headerOf } from '../harness/raw.ts'
import { checkDescribed } from './described.ts'
import { fieldNames } from './every-record.ts'
import { type Fields, isFields, parseFields, tagOf, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

// Runner: long PostgreSQL

const service = useService()
const path = '/api/v2/openapi.json'

const rows: readonly Row[] = [
  { name: 'The description is JSON', method: 'GET', path, status: 200, has: { 'Content-Type': 'application/json' } },
  { name: 'The description has the same answer behind a slash', method: 'GET', path: `${path}/`, status: 200 },
  { name: 'HEAD of the description has no body', method: 'HEAD', path, status: 200 },
  { name: 'OPTIONS of the description is answered', method: 'OPTIONS', path, status: 200 },
  { name: 'POST on the description is not allowed', method: 'POST', path, status: 405, as: 'admin' },
  { name: 'The description with a wrong token gets 401', method: 'GET', path, as: 'wrong', status: 401 },
  { name: 'The description as an image gets 406', method: 'GET', path, headers: { Accept: 'image/png' }, status: 406 },
]

const pageRows: readonly Row[] = [
  {
    name: 'The reference is a page',
    path: '/api/docs',
    status: 200,
    has: { 'Content-Type': 'text/html; charset=utf-8' },
  },
  { name: 'The reference has the same answer behind a slash', path: '/api/docs/', status: 200 },
  { name: 'HEAD of the reference has no body', method: 'HEAD', path: '/api/docs', status: 200 },
  { name: 'OPTIONS of the reference is answered', method: 'OPTIONS', path: '/api/docs', status: 200 },
  { name: 'POST on the reference is not allowed', method: 'POST', path: '/api/docs', status: 405 },
  { name: 'Other files of the reference are not found', path: '/api/docs/none.js', status: 404 },
  { name: 'Files beside the reference are not found', path: '/api/docs/..%2froutes.ts', status: 404 },
].map((row) => ({ method: 'GET', ...row }))

describe('The reference', () => runTable(pageRows, service))

describe('The description', () => {
  runTable(rows, service)

  test('lints without an error or a warning', async () => {
    const { body: source } = await service.call({ method: 'GET', path })
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source, config })
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
  })

  test('names the address that was asked', async () => {
    const headers = { Host: 'videos.example.org:8080' }
    const answer = await service.call({ method: 'GET', path, headers })
    expect(parseFields(answer).servers).toEqual([{ url: 'http://videos.example.org:8080' }])
  })

  test('is not sent again to a client that has it', async () => {
    const tag = tagOf(await service.call({ method: 'GET', path }))
    const again = await service.call({ method: 'GET', path, headers: { 'If-None-Match': tag } })
    expect([again.status, again.body, headerOf(again, 'ETag')]).toEqual([304, '', tag])
  })

  test('has the record’s fields, all required, in the document’s order', async () => {
    const { VideoRecord } = await readSchemas()
    const { properties, required, additionalProperties } = isFields(VideoRecord) ? VideoRecord : {}
    expect([Object.keys(properties ?? {}), required, additionalProperties]).toEqual([fieldNames, fieldNames, false])
  })

  test('requires a token for every write', async () => {
    const { paths } = parseFields(await service.call({ method: 'GET', path }))
    const open = Object.entries(isFields(paths) ? paths : {}).flatMap(([name, methods]) =>
      Object.entries(isFields(methods) ? methods : {})
        .filter(([method]) => ['post', 'put', 'patch', 'delete'].includes(method))
        .filter(([, operation]) => !isFields(operation) || JSON.stringify(operation.security).includes('{}'))
        .map(([method]) => `${method} ${name}`),
    )
    expect(open).toEqual([])
  })
})

const transcript = { version: '1.0.0', segments: [{ startTime: 0, endTime: 2, body: 'Hello' }] }

describe('Every described operation', () => {
  /** Every write, with its body if it takes one. */
  const bodies: Readonly<Record<string, unknown>> = {
    'PUT /api/v2/video/{id}': { category: 'PyCon 2012', title: 'Replaced' },
    'PATCH /api/v2/video/{id}': { summary: 'Changed.' },
    'POST /api/v2/video': { category: 'PyCon 2012', title: 'New' },
    'POST /api/v2/category': { title: 'PyCon 2013' },
    'PATCH /api/v2/category/{slug}': { description: 'The conference of 2012.' },
    'POST /api/v2/category/{slug}/merge': { into: 'other' },
    'PATCH /api/v2/speaker/{id}': { name: 'Ada Lovelace', note: 'Of lamps.', links: ['https://ada.example/'] },
    'POST /api/v2/speaker/{id}/merge': { into: 2 },
    'POST /api/v2/speaker/variants/dismiss': { ids: [1, 2] },
    'PATCH /api/v2/tag/{id}': { name: 'xy' },
    'POST /api/v2/tag/{id}/merge': { into: 2 },
    'POST /api/v2/tag/variants/dismiss': { ids: [1, 2] },
    'POST /api/v2/video/duplicates/dismiss': { ids: [1, 2] },
    'POST /api/v2/video/{id}/merge': { into: 2 },
    'POST /api/v2/video/{id}/history/{version}/restore': undefined,
    'POST /api/v2/video/{id}/findings/{code}/accept': {},
    'DELETE /api/v2/video/{id}/findings/{code}/accept': undefined,
    'PUT /api/v2/findings/{code}/hidden': undefined,
    'DELETE /api/v2/findings/{code}/hidden': undefined,
    'PUT /api/v2/video/{id}/publish-at': { at: new Date(Date.now() + 86_400_000).toISOString() },
    'DELETE /api/v2/video/{id}/publish-at': undefined,
    'PUT /api/v2/video/{id}/related': { links: [{ url: 'https://example.org/slides' }] },
    'DELETE /api/v2/video/{id}/related': undefined,
    'PUT /api/v2/video/{id}/recordings': { recordings: [{ url: 'https://example.org/film' }] },
    'DELETE /api/v2/video/{id}/recordings': undefined,
    'PUT /api/v2/video/{id}/chapters': { chapters: [{ start: 0, title: 'Hello' }] },
    'DELETE /api/v2/video/{id}/chapters': undefined,
    'PUT /api/v2/video/{id}/transcripts/{language}': transcript,
    'DELETE /api/v2/video/{id}/transcripts/{language}': undefined,
    'POST /api/v2/links/accept-moved': { select: { query: 'link=moved' } },
    'POST /api/v2/links/ignore': { url: 'https://example.org/known', until: null },
    'POST /api/v2/batches': { select: { ids: [1] }, patch: { tags: { add: ['y'] } } },
    'POST /api/v2/batches/{id}/stop': undefined,
    'POST /api/v2/batches/{id}/undo': undefined,
  }

  test('answers as it is described, to the public and to an admin', async () => {
    const names = { speakers: ['Ada', 'Bea'], tags: ['x', 'z'] }
    const { id } = await service.create({
      category: 'Renamed',
      title: 'One',
      source_url: 'https://example.org/known',
      ...names,
    })
    await service.create({ category: 'Other', title: 'Two' })
    await service.call({ method: 'PATCH', path: '/api/v2/category/renamed', as: 'admin', json: { title: 'New' } })
    await service.call({ method: 'PATCH', path: `/api/v2/speaker/${id}`, as: 'admin', json: { note: 'First.' } })
    const said = `/api/v2/video/${id}/transcripts/en`
    await service.call({ method: 'PUT', path: said, as: 'admin', json: transcript })
    const values = { id: String(id), slug: 'renamed', version: '1', code: 'missing_recorded', language: 'en' }
    const { paths } = parseFields(await service.call({ method: 'GET', path }))
    const operations = toOperations(paths, values)
    const wrong: string[] = []
    for (const { name, method, target, isPublic } of operations) {
      const json = bodies[name]
      const query = name in bodies ? '?dry_run=1' : ''
      const call = { method, path: `${target}${query}`, ...(json === undefined ? {} : { json }) }
      const [open, known] = [await service.call(call), await service.call({ ...call, as: 'admin' })]
      for (const answer of [open, known]) checkDescribed(call, answer)
      const isRight = isPublic ? open.status === known.status : open.status === 401
      // No batch runs here that could be stopped, and the record is live already.
      const hasNone = name.endsWith('/stop') || name === 'PUT /api/v2/video/{id}/publish-at'
      const isFound = known.status < 400 || name.includes('urlforsource') || hasNone
      if (!isRight || !isFound) wrong.push(`${name}: ${open.status}, ${known.status}`)
    }
    expect(wrong).toEqual([])
    const writes = operations.map(({ name }) => name).filter((name) => /^(?:POST|PUT|PATCH|DELETE) /.test(name))
    expect(writes.sort()).toEqual(Object.keys(bodies).sort())
  })
})

interface Described {
  readonly name: string
  readonly method: string
  readonly target: string
  readonly isPublic: boolean
}

/** All but streams, which do not end. Batches are numbered from 1, and there is one. */
function toOperations(paths: unknown, values: Readonly<Record<string, string>>): readonly Described[] {
  return Object.entries(isFields(paths) ? paths : {}).flatMap(([template, item]) => {
    const known = template.includes('/batches') ? { ...values, id: '1' } : values
    const target = template.replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? '')
    const methods = Object.entries(isFields(item) ? item : {}).filter(([name]) => name !== 'parameters')
    const finite = methods.filter(([, operation]) => !JSON.stringify(operation).includes('text/event-stream'))
    return finite.map(([each, operation]) => {
      const method = each.toUpperCase()
      const isPublic = isFields(operation) && JSON.stringify(operation.security).includes('{}')
      return { name: `${method} ${template}`, method, target, isPublic }
    })
  })
}

async function readSchemas(): Promise<Fields> {
  const { components } = parseFields(await service.call({ method: 'GET', path }))
  const schemas = isFields(components) ? components.schemas : {}
  return isFields(schemas) ? schemas : {}
}
