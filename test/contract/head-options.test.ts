import { describe, expect, test } from 'bun:test'
import { headerOf, type RawAnswer } from '../harness/raw.ts'
import { fieldNames } from './every-record.ts'
import { type Fields, fail, isFields, parseFields, type Role, toPath, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'] })

const patchTypes = ['application/json', 'application/merge-patch+json', 'application/json-patch+json']

const heads: readonly { name: string; path: string; as?: Role; accept?: string; fresh?: Fields }[] = [
  { name: 'a live record', path: toPath('{id}') },
  { name: 'a record with much to say', path: toPath('{id}'), fresh: { summary: 'é'.repeat(50_000) } },
  { name: 'the JSON representation', path: toPath('{id}'), accept: 'application/json' },
  { name: 'a path with a slash', path: toPath('{id}/') },
  { name: 'a draft', path: toPath('{id}'), as: 'reader', fresh: { state: 2 } },
  { name: 'a draft that is hidden', path: toPath('{id}'), fresh: { state: 2 } },
  { name: 'an unknown record', path: toPath('1234567') },
  { name: 'an unacceptable representation', path: toPath('{id}'), accept: 'image/png' },
  { name: 'a wrong token', path: toPath('{id}'), as: 'wrong' },
]

/** Headers that may rightly differ between two requests. */
const ownHeaders = new Set(['date', 'x-request-id', 'content-length', 'connection', 'keep-alive'])

function toComparable(answer: RawAnswer): unknown {
  return [...answer.headers].filter(([name]) => !ownHeaders.has(name)).sort()
}

describe('HEAD', () => {
  for (const { name, path, as = 'none', accept, fresh = {} } of heads) {
    test(`of ${name} is GET without the body`, async () => {
      const { id } = await service.create(fresh)
      const call = {
        path: path.replace('{id}', String(id)),
        as,
        headers: accept === undefined ? {} : { Accept: accept },
      }
      const get = await service.call({ ...call, method: 'GET' })
      const head = await service.call({ ...call, method: 'HEAD', headers: { ...call.headers, Connection: 'close' } })
      expect([head.status, head.body]).toEqual([get.status, ''])
      expect(toComparable(head)).toEqual(toComparable(get))
      if (get.status === 200) expect(headerOf(head, 'Content-Length')).toBe(String(get.bytes.length))
    })
  }
})

const options: Omit<Row, 'name'> = {
  method: 'OPTIONS',
  path: toPath('{id}'),
  status: 200,
  has: { 'Content-Type': 'application/json' },
}

const described: readonly Row[] = [
  { ...options, name: 'OPTIONS answers for a live record' },
  { ...options, name: 'OPTIONS answers for a draft without a token', fresh: { state: 2 } },
  { ...options, name: 'OPTIONS answers for an unknown record', path: toPath('1234567') },
  { ...options, name: 'OPTIONS answers behind a slash', path: toPath('{id}/') },
  { ...options, name: 'OPTIONS answers JSON to a browser', headers: { Accept: 'text/html' } },
  { ...options, name: 'OPTIONS answers JSON to a client of JSON', headers: { Accept: 'application/json' } },
  { ...options, name: 'OPTIONS answers JSON to a client of anything', headers: { Accept: '*/*' } },
  {
    name: 'OPTIONS with Accept image/png gets 406',
    method: 'OPTIONS',
    path: toPath('{id}'),
    headers: { Accept: 'image/png' },
    status: 406,
  },
  { name: 'OPTIONS with a wrong token gets 401', method: 'OPTIONS', path: toPath('{id}'), as: 'wrong', status: 401 },
  { name: 'OPTIONS of a malformed id gets 404', method: 'OPTIONS', path: toPath('01'), status: 404 },
]

describe('OPTIONS', () => {
  runTable(described, service)

  test('describes the resource', async () => {
    const answer = await service.call({ method: 'OPTIONS', path: toPath('1') })
    const { name, description, renders, parses } = parseFields(answer)
    expect([typeof name, typeof description]).toEqual(['string', 'string'])
    expect(renders).toContain('application/json')
    expect(renders).toContain('text/html')
    for (const type of patchTypes) expect(parses).toContain(type)
  })

  test('names the types of a PATCH', async () => {
    const answer = await service.call({ method: 'OPTIONS', path: toPath('1') })
    const named = headerOf(answer, 'Accept-Patch')?.split(/\s*,\s*/)
    expect(named?.sort()).toEqual([...patchTypes].sort())
  })
})

describe('The description of a PUT', () => {
  for (const role of ['none', 'reader'] as const) {
    test(`is not for ${role}`, async () => {
      const answer = await service.call({ method: 'OPTIONS', path: toPath('1'), as: role })
      expect(answer.body).not.toContain('"PUT"')
    })
  }

  for (const role of ['editor', 'publisher', 'admin'] as const) {
    test(`names every field to ${role}`, async () => {
      const actions = await readPutAction(role)
      expect(Object.keys(actions).sort()).toEqual([...fieldNames].sort())
      for (const field of Object.values(actions)) {
        if (!isFields(field)) fail('Not an object')
        expect([typeof field.type, typeof field.required, typeof field.read_only]).toEqual([
          'string',
          'boolean',
          'boolean',
        ])
        expect(field.help_text).toBeString()
      }
    })
  }

  test('has the limits of the fields', async () => {
    const actions = await readPutAction('admin')
    const lengths = ['title', 'category', 'whiteboard', 'summary', 'embed', 'source_url'].map((name) =>
      pick(actions, name, 'max_length'),
    )
    expect(lengths).toEqual([255, 255, 255, 100_000, 10_000, 2_048])
    expect(fieldNames.filter((name) => pick(actions, name, 'required') === true)).toEqual(['category', 'title'])
    expect(fieldNames.filter((name) => pick(actions, name, 'read_only') === true)).toEqual([
      'slug',
      'id',
      'added',
      'updated',
    ])
    expect(JSON.stringify(pick(actions, 'state', 'choices'))).toMatch(/1.*2/)
  })
})

async function readPutAction(role: Role): Promise<Fields> {
  const { actions } = parseFields(await service.call({ method: 'OPTIONS', path: toPath('1'), as: role }))
  return isFields(actions) && isFields(actions.PUT) ? actions.PUT : fail('No actions.PUT')
}

function pick(actions: Fields, name: string, property: string): unknown {
  const field = actions[name]
  return isFields(field) ? field[property] : fail(`No field ${name}`)
}
