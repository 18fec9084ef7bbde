import { describe, expect, test } from 'bun:test'
import { resultsOf } from './every-answer.ts'
import { type Call, type Fields, listPath, type Role, requiredFields, toPath, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'] })

type Action = Omit<Call, 'as'> & {
  readonly action: string
  readonly fresh?: Fields
  /** The status for each role, in the order of `roles`. */
  readonly statuses: readonly [number, number, number, number, number]
}

const roles = ['none', 'reader', 'editor', 'publisher', 'admin'] as const
const live = { path: toPath('{id}'), fresh: { state: 1 } }
const draft = { path: toPath('{id}'), fresh: { state: 2 } }
const patchType = { 'Content-Type': 'application/json-patch+json' }
const toState = (value: number) => [{ op: 'replace', path: '/state', value }]

const reads: readonly Action[] = [
  { action: 'GET a live record', method: 'GET', ...live, statuses: [200, 200, 200, 200, 200] },
  { action: 'HEAD a live record', method: 'HEAD', ...live, statuses: [200, 200, 200, 200, 200] },
  { action: 'OPTIONS a live record', method: 'OPTIONS', ...live, statuses: [200, 200, 200, 200, 200] },
  { action: 'GET a draft', method: 'GET', ...draft, statuses: [404, 200, 200, 200, 200] },
  { action: 'HEAD a draft', method: 'HEAD', ...draft, statuses: [404, 200, 200, 200, 200] },
  { action: 'OPTIONS a draft', method: 'OPTIONS', ...draft, statuses: [200, 200, 200, 200, 200] },
  { action: 'GET the list', method: 'GET', path: listPath, statuses: [200, 200, 200, 200, 200] },
]

const full = { ...requiredFields, summary: 'x' }

const writes: readonly Action[] = [
  {
    action: 'POST a draft',
    method: 'POST',
    path: listPath,
    json: { ...full, state: 2 },
    statuses: [401, 403, 201, 201, 201],
  },
  { action: 'POST without a state', method: 'POST', path: listPath, json: full, statuses: [401, 403, 201, 201, 201] },
  {
    action: 'POST a live record',
    method: 'POST',
    path: listPath,
    json: { ...full, state: 1 },
    statuses: [401, 403, 403, 201, 201],
  },
  { action: 'PUT a draft', method: 'PUT', ...draft, json: full, statuses: [401, 403, 200, 200, 200] },
  { action: 'PATCH a draft', method: 'PATCH', ...draft, json: { summary: 'x' }, statuses: [401, 403, 200, 200, 200] },
  {
    action: 'PATCH a draft as a draft',
    method: 'PATCH',
    ...draft,
    json: { state: 2 },
    statuses: [401, 403, 200, 200, 200],
  },
  { action: 'PUT a live record', method: 'PUT', ...live, json: full, statuses: [401, 403, 403, 200, 200] },
  {
    action: 'PATCH a live record',
    method: 'PATCH',
    ...live,
    json: { summary: 'x' },
    statuses: [401, 403, 403, 200, 200],
  },
  {
    action: 'PATCH a live record with nothing',
    method: 'PATCH',
    ...live,
    json: {},
    statuses: [401, 403, 403, 200, 200],
  },
  { action: 'publish by PATCH', method: 'PATCH', ...draft, json: { state: 1 }, statuses: [401, 403, 403, 200, 200] },
  {
    action: 'publish by PUT',
    method: 'PUT',
    ...draft,
    json: { ...full, state: 1 },
    statuses: [401, 403, 403, 200, 200],
  },
  {
    action: 'publish by JSON Patch',
    method: 'PATCH',
    ...draft,
    json: toState(1),
    headers: patchType,
    statuses: [401, 403, 403, 200, 200],
  },
  { action: 'unpublish by PATCH', method: 'PATCH', ...live, json: { state: 2 }, statuses: [401, 403, 403, 200, 200] },
  {
    action: 'unpublish by PUT',
    method: 'PUT',
    ...live,
    json: { ...full, state: 2 },
    statuses: [401, 403, 403, 200, 200],
  },
  {
    action: 'unpublish by JSON Patch',
    method: 'PATCH',
    ...live,
    json: toState(2),
    headers: patchType,
    statuses: [401, 403, 403, 200, 200],
  },
  {
    action: 'PUT an unknown record',
    method: 'PUT',
    path: toPath(1234567),
    json: full,
    statuses: [401, 403, 404, 404, 404],
  },
  {
    action: 'PATCH an unknown record',
    method: 'PATCH',
    path: toPath(1234567),
    json: {},
    statuses: [401, 403, 404, 404, 404],
  },
]

function toRows(actions: readonly Action[]): Row[] {
  return actions.flatMap(({ action, statuses, ...call }) =>
    roles.map((as, index) => {
      const status = statuses[index] ?? 0
      const has = status === 401 ? { 'WWW-Authenticate': 'Token' } : {}
      return { ...call, name: `${nameOf(as)} gets ${status} for: ${action}`, as, status, has }
    }),
  )
}

function nameOf(role: Role): string {
  return role === 'none' ? 'Someone without a token' : `The ${role}`
}

const wrongTokens: readonly Row[] = [
  { name: 'a public read', method: 'GET', path: toPath('{id}') },
  { name: 'a HEAD', method: 'HEAD', path: toPath('{id}') },
  { name: 'an OPTIONS', method: 'OPTIONS', path: toPath('{id}') },
  { name: 'the list', method: 'GET', path: listPath },
  { name: 'a draft', method: 'GET', path: toPath('{id}'), fresh: { state: 2 } },
  { name: 'a PUT', method: 'PUT', path: toPath('{id}'), json: full },
  { name: 'a POST', method: 'POST', path: listPath, json: full },
].map((call) => ({
  ...call,
  name: `A wrong token gets 401 for ${call.name}`,
  as: 'wrong',
  status: 401,
  has: { 'WWW-Authenticate': /Token/ },
}))

describe('Who may read', () => runTable(toRows(reads), service))

describe('Who may write', () => runTable(toRows(writes), service))

describe('A wrong token', () => runTable(wrongTokens, service))

describe('A draft', () => {
  test('looks to the public exactly like a record that does not exist', async () => {
    const { id } = await service.create({ state: 2 })
    const hidden = await service.call({ method: 'GET', path: toPath(id) })
    const missing = await service.call({ method: 'GET', path: toPath(1234567) })
    const toShape = (body: string) =>
      body
        .replace(/"instance":"[^"]*"/, '')
        .replaceAll(String(id), 'N')
        .replaceAll('1234567', 'N')
    expect(toShape(hidden.body)).toBe(toShape(missing.body))
  })

  for (const [role, isListed] of [
    ['none', false],
    ['reader', true],
    ['editor', true],
    ['admin', true],
  ] as const) {
    test(`is ${isListed ? '' : 'not '}in the list of ${nameOf(role)}`, async () => {
      const { id } = await service.create({ state: 2, recorded: '2999-01-01' })
      const answer = await service.call({ method: 'GET', path: `${listPath}?page_size=100`, as: role })
      expect(resultsOf(answer).some((record) => record.id === id)).toBe(isListed)
    })
  }
})
