import { describe, expect, test } from 'bun:test'
import { type HeaderList, headerOf } from '../harness/raw.ts'
import { checkEveryAnswer } from './every-answer.ts'
import { type Call, type Fields, fail, tagOf, toPath, useService } from './service.ts'

const service = useService()

const past = 'Mon, 01 Jan 2001 00:00:00 GMT'
const future = 'Fri, 01 Jan 2100 00:00:00 GMT'

type Known = { readonly html: string; readonly json: string; readonly stale: string; readonly modified: string }
type Case = { readonly name: string; readonly headers: (known: Known) => HeaderList; readonly status: 200 | 412 }

const cases: readonly Case[] = [
  { name: 'no condition', headers: () => ({}), status: 200 },
  { name: 'the current tag', headers: ({ html }) => ({ 'If-Match': html }), status: 200 },
  { name: 'the current tag of the JSON representation', headers: ({ json }) => ({ 'If-Match': json }), status: 200 },
  { name: 'any tag', headers: () => ({ 'If-Match': '*' }), status: 200 },
  { name: 'a list with the current tag', headers: ({ html }) => ({ 'If-Match': `"a", ${html}, "b"` }), status: 200 },
  { name: 'two lines, one with the current tag', headers: ({ json }) => ({ 'If-Match': ['"a"', json] }), status: 200 },
  { name: 'a stale tag', headers: ({ stale }) => ({ 'If-Match': stale }), status: 412 },
  { name: 'an unknown tag', headers: () => ({ 'If-Match': '"unknown"' }), status: 412 },
  { name: 'a list of other tags', headers: ({ stale }) => ({ 'If-Match': `"a", ${stale}` }), status: 412 },
  { name: 'the current tag as a weak one', headers: ({ html }) => ({ 'If-Match': `W/${html}` }), status: 412 },
  { name: 'the current tag without quotes', headers: ({ html }) => ({ 'If-Match': html.slice(1, -1) }), status: 412 },
  { name: 'the current tag with one quote', headers: ({ html }) => ({ 'If-Match': html.slice(0, -1) }), status: 412 },
  { name: 'the current time', headers: ({ modified }) => ({ 'If-Unmodified-Since': modified }), status: 200 },
  { name: 'a later time', headers: () => ({ 'If-Unmodified-Since': future }), status: 200 },
  { name: 'an earlier time', headers: () => ({ 'If-Unmodified-Since': past }), status: 412 },
  { name: 'If-None-Match: *', headers: () => ({ 'If-None-Match': '*' }), status: 412 },
]

const bodies: readonly { what: string; method: string; json: unknown; headers?: HeaderList }[] = [
  { what: 'PUT', method: 'PUT', json: { category: 'C', title: 'Written' } },
  { what: 'PATCH', method: 'PATCH', json: { title: 'Written' } },
  {
    what: 'JSON Patch',
    method: 'PATCH',
    json: [{ op: 'replace', path: '/title', value: 'Written' }],
    headers: { 'Content-Type': 'application/json-patch+json' },
  },
]

async function createKnown(): Promise<Known & { id: unknown }> {
  const { id } = await service.create()
  const stale = tagOf(await service.read(id))
  await service.patch(id, { summary: 'second version' })
  const [page, data] = [await service.read(id, 'text/html'), await service.read(id)]
  const modified = headerOf(page, 'Last-Modified') ?? fail('No Last-Modified')
  return { id, stale, modified, html: tagOf(page), json: tagOf(data) }
}

async function expectKept(call: Call, status: number, id: unknown): Promise<void> {
  const before = await service.read(id)
  const answer = await service.call(call)
  expect(answer.status).toBe(status)
  checkEveryAnswer(call, answer)
  const after = await service.read(id)
  expect([after.body, tagOf(after)]).toEqual([before.body, tagOf(before)])
}

describe('A write', () => {
  for (const { what, method, json, headers: bodyHeaders = {} } of bodies) {
    for (const { name, headers, status } of cases) {
      test(`by ${what} with ${name} gets ${status}`, async () => {
        const known = await createKnown()
        const call = {
          method,
          path: toPath(known.id),
          as: 'admin' as const,
          json,
          headers: { ...bodyHeaders, ...headers(known) },
        }
        if (status === 412) return expectKept(call, status, known.id)
        const answer = await service.call(call)
        expect(answer.status).toBe(status)
        checkEveryAnswer(call, answer)
        expect(answer.body).toContain('"title":"Written"')
      })
    }
  }
})

describe('A stale write', () => {
  const unchanged: Fields = { title: 'A talk' }

  test('is refused even if it would change nothing', async () => {
    const { id, stale } = await createKnown()
    const call = {
      method: 'PATCH',
      path: toPath(id),
      as: 'admin' as const,
      json: unchanged,
      headers: { 'If-Match': stale },
    }
    await expectKept(call, 412, id)
  })

  test('is refused even if it sends the whole record', async () => {
    const { id, stale } = await createKnown()
    const { body } = await service.read(id)
    await expectKept({ method: 'PUT', path: toPath(id), as: 'admin', body, headers: { 'If-Match': stale } }, 412, id)
  })

  test('is refused for the second of two clients that read the same version', async () => {
    const { id } = await service.create()
    const headers = { 'If-Match': tagOf(await service.read(id)) }
    const answers = await Promise.all(['one', 'two'].map((summary) => service.patch(id, { summary }, headers)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
  })
})

describe('A condition on a record that does not exist', () => {
  for (const headers of [
    { 'If-Match': '*' },
    { 'If-Match': '"x"' },
    { 'If-None-Match': '*' },
    { 'If-Unmodified-Since': past },
  ]) {
    test(`comes after 404: ${JSON.stringify(headers)}`, async () => {
      expect((await service.patch(1_234_567, {}, headers)).status).toBe(404)
    })
  }
})
