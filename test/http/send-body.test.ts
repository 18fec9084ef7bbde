import { afterAll, expect, test } from 'bun:test'
import { toWholeBody } from '../../src/http/send-body.ts'

/** Unequal ones, so that none can stand for another. */
const toPieces = (size: number) => [
  'head'.slice(0, size),
  'x'.repeat(Math.max(0, size - 7)),
  'end'.slice(0, Math.max(0, size - 4)),
]

/** Answers as many bytes as the path says, on a later turn of the event loop. */
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    await Bun.sleep(1)
    const size = Number(new URL(request.url).pathname.slice(1))
    return new Response(toWholeBody(toPieces(size)), { headers: { ETag: '"a"', Vary: 'Accept' } })
  },
})
afterAll(() => server.stop(true))

const edges = [15 * 1024, 1 << 20]
const sizes = [0, 1, ...edges.flatMap((edge) => [edge - 1, edge, edge + 1]), 20_000_000]

test.each(sizes)('%d bytes arrive whole and with their length', async (size) => {
  const response = await fetch(new URL(`/${size}`, server.url))
  expect(response.headers.get('Content-Length')).toBe(String(size))
  expect(response.headers.get('Transfer-Encoding')).toBeNull()
  expect(await response.text()).toBe(toPieces(size).join(''))
})

test('a reader who hangs up in the middle of a large answer harms nobody', async () => {
  const controller = new AbortController()
  const response = await fetch(new URL('/1000000', server.url), { signal: controller.signal })
  await response.body?.getReader().read()
  controller.abort()
  expect((await fetch(new URL('/30000', server.url))).status).toBe(200)
})
