import { expect, test } from 'bun:test'
import { createDescription, readDescription } from '../../src/api/openapi/openapi-document.ts'
import type { Call } from '../../src/http/route.ts'

function createRoute() {
  let made = 0
  const description = createDescription('0', () => {
    made++
    return []
  })
  const baseUrl = (call: Call) => `http://${call.head.host}`
  const read = async (host: string, ifNoneMatch?: string) => {
    // All that the handler reads of a call.
    const call = { route: { headers: new Headers() }, head: { host, ifNoneMatch } } as Call
    return readDescription(call, { description, baseUrl })
  }
  return { read, countMade: () => made }
}

test('the description is built once, however many host names clients use', async () => {
  const { read, countMade } = createRoute()
  for (let i = 0; i < 50; i++) {
    const description = JSON.parse(await (await read(`host-${i}.example`)).text())
    expect(description.servers).toEqual([{ url: `http://host-${i}.example` }])
  }
  expect(countMade()).toBe(1)
})

test('its ETag differs between two addresses, and a client that sends it gets a 304', async () => {
  const { read } = createRoute()
  const [one, other] = [await read('one.example'), await read('other.example')]
  const tag = one.headers.get('ETag') ?? ''
  expect(other.headers.get('ETag')).not.toBe(tag)
  expect([(await read('one.example', tag)).status, (await read('other.example', tag)).status]).toEqual([304, 200])
})
