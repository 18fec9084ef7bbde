import { beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { headerOf } from '../harness/raw.ts'
import { listPath, parseFields, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService()

beforeAll(async () => {
  for (let index = 0; index < 3; index += 1) await service.create({ description: 'long '.repeat(3_000) })
})

/** What the first read from the connection gives. */
function readFirst(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(request))
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      socket.destroy()
      resolve(chunk.toString('latin1'))
    })
  })
}

test('a large list begins with its whole head, in one piece', async () => {
  const { port } = service.server()
  for (let time = 0; time < 5; time += 1) {
    const first = await readFirst(port, `GET ${listPath} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
    expect(first).toContain('\r\n\r\n{"count":3,')
  }
})

test('HEAD of a large list has the Content-Length of GET', async () => {
  const [got, head] = [
    await service.call({ method: 'GET', path: listPath }),
    await service.call({ method: 'HEAD', path: listPath }),
  ]
  expect(got.bytes.byteLength).toBeGreaterThan(40_000)
  expect(headerOf(got, 'Content-Length')).toBe(String(got.bytes.byteLength))
  expect(headerOf(head, 'Content-Length')).toBe(String(got.bytes.byteLength))
  expect(headerOf(head, 'ETag')).toBe(headerOf(got, 'ETag'))
})

test('a page of more than 20 records that are too large together is refused, and one of 20 never is', async () => {
  // Twelve bytes in the answer for each: 23 have 13 MiB, and 20 of them more than the 8 that a larger page may have.
  const huge = { category: 'Huge', summary: '\u{1f600}'.repeat(50_000) }
  for (let index = 0; index < 23; index += 1) await service.create(huge)

  const refused = await service.call({ method: 'GET', path: `${listPath}?category=huge&page_size=100` })
  expect(refused.status).toBe(400)
  const { detail, errors } = parseFields(refused)
  expect(detail).toContain('page_size')
  expect(Object.keys(Object(errors))).toEqual(['page_size'])

  for (const query of ['page_size=1', 'page_size=20', '', 'page_size=20&page=last', 'page_size=100&fields=id,title']) {
    const answer = await fetch(`${service.server().url}${listPath}?category=huge&${query}`)
    expect(`${query}: ${answer.status}`).toBe(`${query}: 200`)
    expect(await answer.json()).toMatchObject({ count: 23 })
  }
}, 180_000)
