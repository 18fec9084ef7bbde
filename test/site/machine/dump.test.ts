import { beforeAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { listPath, useService } from '../../contract/service.ts'
import { headerOf } from '../../harness/raw.ts'
import { get } from './feed-service.ts'

// Runner: long PostgreSQL

const service = useService()
const path = '/dump/videos.ndjson.gz'
const talks = 130

beforeAll(async () => {
  for (let i = 0; i < talks; i++) {
    await service.create({
      category: 'Dumped',
      title: `Talk ${i} ünïcödé 👩‍💻`,
      whiteboard: '',
      state: i % 10 === 9 ? 2 : 1,
    })
  }
}, 120_000)

async function readLines(): Promise<string[]> {
  const response = await fetch(`${service.server().url}${path}`)
  expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'application/gzip'])
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
  expect(response.headers.get('Content-Encoding')).toBeNull()
  const text = gunzipSync(await response.arrayBuffer()).toString()
  expect(text.endsWith('\n')).toBe(true)
  return text.split('\n').slice(0, -1)
}

async function listRecords(): Promise<unknown[]> {
  const records: unknown[] = []
  for (let next: string | null = `${listPath}?ordering=id&page_size=100`; next !== null; ) {
    const page = JSON.parse((await get(service, next, { Accept: 'application/json' })).body)
    records.push(...page.results)
    next = page.next === null ? null : page.next.slice(service.server().url.length)
  }
  return records
}

test('it has the records of the list, one per line, with all their fields', async () => {
  const records = (await readLines()).map((line) => JSON.parse(line))
  expect(records.length).toBe(talks * 0.9)
  expect(records).toEqual(await listRecords())
  expect(Object.keys(records[0]).length).toBe(32)
})

test('concurrent clients on all threads get the same', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, readLines))
  expect(new Set(all.map((lines) => lines.join('\n'))).size).toBe(1)
})

test('it is revalidated by its ETag, and answers HEAD', async () => {
  const answer = await get(service, path)
  const etag = headerOf(answer, 'ETag') ?? ''
  expect((await get(service, path, { 'If-None-Match': etag })).status).toBe(304)
  const head = await service.call({ method: 'HEAD', path })
  expect([head.status, head.body, headerOf(head, 'ETag')]).toEqual([200, '', etag])
  expect((await service.call({ method: 'POST', path })).status).toBe(405)
})

test('it has the current records, and a new ETag after each change', async () => {
  const etag = headerOf(await get(service, path), 'ETag') ?? ''
  await service.patch(1, { title: 'Edited' })
  const answer = await get(service, path, { 'If-None-Match': `${etag}, "other"` })
  expect([answer.status, headerOf(answer, 'ETag') === etag]).toEqual([200, false])
  expect((await readLines()).map((line) => JSON.parse(line)).find(({ id }) => id === 1)).toMatchObject({
    title: 'Edited',
  })
  await service.patch(1, { state: 2 })
  expect((await readLines()).some((line) => JSON.parse(line).id === 1)).toBe(false)
})

/** Large texts that cannot be compressed. */
async function createLarge(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const texts = ['summary', 'description'].map((name) => [name, randomBytes(74_000).toString('base64')])
    await service.create({ category: 'Large', title: `Large ${i}`, ...Object.fromEntries(texts) })
  }
}

test('a record withdrawn during the download is left out, and a slow client does not block others', async () => {
  // Too much for the buffers of a connection.
  await createLarge(60)
  const ids = (await readLines()).map((line): number => JSON.parse(line).id)
  const last = ids.at(-1) ?? 0
  const response = await fetch(`${service.server().url}${path}`)
  const reader = response.body?.getReader() ?? expect.unreachable()
  const parts = [(await reader.read()).value ?? new Uint8Array()]
  await service.patch(last, { state: 2 })
  expect((await readLines()).length).toBe(ids.length - 1)
  for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value)
  const lines = gunzipSync(Buffer.concat(parts)).toString().split('\n').slice(0, -1)
  expect(lines.map((line): number => JSON.parse(line).id)).toEqual(ids.slice(0, -1))
}, 180_000)
