import { describe, expect, test } from 'bun:test'
import { createConnection } from 'node:net'
import { parseFields, useService } from '../contract/service.ts'
import { toBytes } from '../harness/raw.ts'

const service = useService({ args: ['--threads', '1'] })

const json = { 'Content-Type': 'application/json' }
const chunked = { ...json, 'Transfer-Encoding': 'chunked' }

/** Everything that comes back until the server closes the connection, or says nothing for a while. */
function sendAll(bytes: Uint8Array, endsAfter = false): Promise<string> {
  const { port } = service.server()
  return new Promise((resolve) => {
    let received = ''
    const socket = createConnection({ host: '127.0.0.1', port, allowHalfOpen: true }, () => {
      if (endsAfter) socket.end(bytes)
      else socket.write(bytes)
    })
    const end = () => {
      socket.destroy()
      resolve(received)
    }
    socket.setTimeout(1_000, end)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    socket.on('error', end).on('end', end).on('close', end)
  })
}

const toRequest = (method: string, target: string, body: string, headers: Record<string, string> = json) =>
  toBytes(service.server().port, {
    method,
    target,
    body,
    headers: { Authorization: `Token ${service.keyOf('admin')}`, ...headers },
  })
const toChunked = (body: string, trailer: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n${trailer}\r\n`
const statusOf = (received: string) => /^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 'none'

/** The record once the writer has done all that it was sent before: it takes commands in their order. */
async function readAfterAll(id: unknown) {
  await service.create()
  return parseFields(await service.read(id))
}

const behind: readonly (readonly [string, string])[] = [
  ['an extra CRLF', '\r\n'],
  ['garbage', 'garbage\r\n\r\n'],
  ['a request of an unknown version', 'GET / HTTP/9.9\r\n\r\n'],
  ['a NUL', '\0'],
  ['a pipelined request, which Bun cannot answer', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'],
]

describe('A write that the client is told has failed, or is told nothing of, changes nothing:', () => {
  for (const [what, more] of behind) {
    test(`a PATCH with ${what} right behind its body`, async () => {
      const { id } = await service.create()
      const received = await sendAll(
        Buffer.concat([toRequest('PATCH', `/api/v2/video/${id}`, '{"whiteboard":"cut off"}'), Buffer.from(more)]),
      )
      expect(statusOf(received)).not.toBe('200')
      expect((await readAfterAll(id)).whiteboard).toBe('')
    })
  }

  test('a POST with an extra CRLF right behind its body', async () => {
    const body = '{"category":"c","title":"Cut off behind"}'
    const received = await sendAll(Buffer.concat([toRequest('POST', '/api/v2/video', body), Buffer.from('\r\n')]))
    expect(statusOf(received)).toBe('400')
    await service.create()
    const list = await service.call({ method: 'GET', path: '/api/v2/video?q=behind', as: 'admin' })
    expect(parseFields(list).count).toBe(0)
  })

  test('a chunked PATCH with a trailer', async () => {
    const { id } = await service.create()
    const body = toChunked('{"whiteboard":"trailer"}', 'X-Sum: 1\r\n')
    const received = await sendAll(toRequest('PATCH', `/api/v2/video/${id}`, body, chunked))
    expect(statusOf(received)).toBe('400')
    expect((await readAfterAll(id)).whiteboard).toBe('')
  })

  test('a change of a category, a restore and an undo', async () => {
    const { id } = await service.create({ category: 'Cut off', summary: 'first' })
    await service.patch(id, { summary: 'second' })
    const rename = {
      method: 'PATCH',
      path: '/api/v2/category/cut-off',
      as: 'admin',
      json: { title: 'Renamed' },
    } as const
    await service.call(rename)
    const requests = [
      toRequest('PATCH', '/api/v2/category/cut-off', '{"description":"cut off"}'),
      toRequest('POST', `/api/v2/video/${id}/history/1/restore`, ''),
      toRequest('POST', '/api/v2/batches/1/undo', ''),
    ]
    for (const request of requests) await sendAll(Buffer.concat([request, Buffer.from('\r\n')]))
    const record = await readAfterAll(id)
    expect([record.summary, record.category]).toEqual(['second', 'Renamed'])
    const category = await service.call({ method: 'GET', path: '/api/v2/category/cut-off' })
    expect(parseFields(category).description).toBe('')
  })
})

/** Each is legal, and refused by Bun itself. When one of these fails, a newer Bun has mended it: see decision 35. */
describe('Bun still', () => {
  test('refuses a chunked body with a trailer', async () => {
    const body = toChunked('{"whiteboard":"x"}', 'X-Sum: 1\r\n')
    expect(statusOf(await sendAll(toRequest('PATCH', '/api/v2/video/1', body, chunked)))).toBe('400')
  })

  test('refuses an empty line before a request line', async () => {
    const request = toBytes(service.server().port, { method: 'GET', target: '/healthz' })
    expect(statusOf(await sendAll(Buffer.concat([Buffer.from('\r\n'), request])))).toBe('400')
  })

  test('closes the connection on a request that is pipelined after an asynchronous one', async () => {
    const { id } = await service.create()
    const one = toRequest('PATCH', `/api/v2/video/${id}`, '{"whiteboard":"x"}')
    const other = toBytes(service.server().port, { method: 'GET', target: '/healthz' })
    expect(await sendAll(Buffer.concat([one, other]))).toBe('')
  })

  test('does not respond to a client that has closed its half of the connection', async () => {
    const { id } = await service.create()
    // A write takes longer than the end of the half needs to arrive; a list may be answered before.
    expect(await sendAll(toRequest('PATCH', `/api/v2/video/${id}`, '{"whiteboard":"x"}'), true)).toBe('')
  })
})
