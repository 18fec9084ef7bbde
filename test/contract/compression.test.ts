import { expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { headerOf } from '../harness/raw.ts'
import { listPath, useService } from './service.ts'

// Runner: one engine

const service = useService()
const codings = ['identity', 'gzip', 'br'] as const
const decoders = { identity: (bytes: Uint8Array) => bytes, gzip: gunzipSync, br: brotliDecompressSync }

const ask = (path: string, headers: Record<string, string>) =>
  service.call({ method: 'GET', path, as: 'admin', headers }).then((answer) => {
    expect([path, [200, 304].includes(answer.status)]).toEqual([path, true])
    return answer
  })

const compressed = [
  ...[listPath, `${listPath}?q=a&match=best&highlight=1`, '/api/v2/category', '/api/v2/speaker', '/api/v2/tag'],
  ...['/api/v2/language', '/api/v2/suggest?q=a', '/api/v2/changes', '/api/v2/findings', '/api/v2/batches'],
  ...['/api/v2/video/1/history', '/api/v2/video/duplicates', '/api/v2/openapi.json', '/api/docs', '/feed.atom'],
]

test.each(compressed)('%s is compressed as the client accepts, with one strong ETag per coding', async (path) => {
  await service.create({ title: 'Compressed', speakers: ['Ann'], tags: ['a'] })
  const answers = await Promise.all(
    codings.map(async (coding) => ({ coding, answer: await ask(path, { 'Accept-Encoding': coding }) })),
  )
  expect(answers.map(({ answer }) => headerOf(answer, 'Content-Encoding'))).toEqual([null, 'gzip', 'br'])
  expect(new Set(answers.map(({ answer }) => headerOf(answer, 'ETag'))).size).toBe(3)
  const texts = answers.map(({ coding, answer }) => Buffer.from(decoders[coding](answer.bytes)).toString())
  expect(new Set(texts).size).toBe(1)
  for (const { coding, answer } of answers) {
    expect(headerOf(answer, 'ETag')).toMatch(/^"/)
    expect(headerOf(answer, 'Vary')).toMatch(/(^|, )Accept-Encoding$/)
    const known = { 'Accept-Encoding': coding, 'If-None-Match': headerOf(answer, 'ETag') ?? '' }
    expect((await ask(path, known)).status).toBe(304)
  }
})

test('the record, and a category and a name with versions, are never compressed', async () => {
  const { id } = await service.create({ title: 'As it is', category: 'Plain', speakers: ['Ann'] })
  for (const path of [`/api/v2/video/${id}`, '/api/v2/category/plain', '/api/v2/speaker/1']) {
    const plain = await ask(path, {})
    const answer = await ask(path, { 'Accept-Encoding': 'br, gzip' })
    expect([path, headerOf(answer, 'Content-Encoding'), headerOf(answer, 'ETag')]).toEqual([
      ...[path, null, headerOf(plain, 'ETag')],
    ])
    expect(headerOf(answer, 'Vary')).not.toContain('Accept-Encoding')
  }
})
