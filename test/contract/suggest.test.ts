import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { type Fields, parseFields, tagOf, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader'] })
const path = '/api/v2/suggest'

const isEmpty = (body: Fields) => expect(body).toEqual({ results: [] })
const rows: readonly (Omit<Row, 'method'> & { readonly method?: string })[] = [
  { name: 'Without q there are none', path, status: 200, check: isEmpty },
  { name: 'An empty q has none', path: `${path}?q=`, status: 200, check: isEmpty },
  { name: 'A q of spaces has none', path: `${path}?q=%20%09`, status: 200, check: isEmpty },
  { name: 'A q that nothing has finds none', path: `${path}?q=zzzzqqqq`, status: 200, check: isEmpty },
  { name: 'Signs alone find none', path: `${path}?q=%22%27%25_*()%00`, status: 200, check: isEmpty },
  { name: 'The slash at the end does not matter', path: `${path}/?q=`, status: 200 },
  {
    name: 'Unknown parameters are named',
    path: `${path}?q=a&limit=5`,
    status: 200,
    has: { 'Ignored-Parameters': 'limit' },
  },
  { name: 'HEAD has no body', method: 'HEAD', path: `${path}?q=a`, status: 200 },
  { name: 'OPTIONS is answered', method: 'OPTIONS', path, status: 200 },
  { name: 'POST is not allowed', method: 'POST', path, as: 'admin', json: {}, status: 405 },
  { name: '200 characters are taken', path: `${path}?q=${'%F0%9F%92%A1'.repeat(200)}`, status: 200 },
  { name: '201 are refused', path: `${path}?q=${'x'.repeat(201)}`, status: 400, errors: ['q'] },
  { name: 'A wrong token gets 401', path: `${path}?q=a`, as: 'wrong', status: 401 },
  { name: 'As an image it gets 406', path: `${path}?q=a`, headers: { Accept: 'image/png' }, status: 406 },
]

describe('Suggestions:', () => {
  runTable(
    rows.map((row) => ({ method: 'GET', ...row })),
    service,
  )

  test('an ETag is known again, and token holders get another, which is private', async () => {
    const answer = await service.call({ method: 'GET', path })
    const known = await service.call({ method: 'GET', path, headers: { 'If-None-Match': tagOf(answer) } })
    expect([known.status, known.body]).toEqual([304, ''])
    const held = await service.call({ method: 'GET', path, as: 'reader' })
    expect(headerOf(held, 'Cache-Control')).toBe('private, no-store')
    expect(tagOf(held)).not.toBe(tagOf(answer))
  })

  test('the root names them', async () => {
    const { suggest } = parseFields(await service.call({ method: 'GET', path: '/api/v2' }))
    expect(suggest).toBe(`${service.server().url}${path}`)
  })
})
