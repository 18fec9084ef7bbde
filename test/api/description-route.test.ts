import { expect, test } from 'bun:test'
import { createDescriptionRoute } from '../../src/api/docs/openapi-route.ts'
import type { Call, Route } from '../../src/http/call.ts'

function createRoute() {
  let made = 0
  const route: Route = createDescriptionRoute({ version: '0', baseUrl: (call) => `http://${call.head.host}` }, () => {
    made++
    return []
  })
  const read = async (host: string, ifNoneMatch?: string) => {
    // All that the route looks at.
    const call = { method: 'GET', head: { host, ifNoneMatch } } as Call
    const answer = await route.methods.GET?.run(call)
    return answer instanceof Response ? answer : expect.unreachable()
  }
  return { read, countMade: () => made }
}

test('the description is made once, however many names the service is asked by', async () => {
  const { read, countMade } = createRoute()
  for (let i = 0; i < 50; i++) {
    const description = JSON.parse(await (await read(`host-${i}.example`)).text())
    expect(description.servers).toEqual([{ url: `http://host-${i}.example` }])
  }
  expect(countMade()).toBe(1)
})

test('its tag tells two addresses apart, and is known again', async () => {
  const { read } = createRoute()
  const [one, other] = [await read('one.example'), await read('other.example')]
  const tag = one.headers.get('ETag') ?? ''
  expect(other.headers.get('ETag')).not.toBe(tag)
  expect([(await read('one.example', tag)).status, (await read('other.example', tag)).status]).toEqual([304, 200])
})
