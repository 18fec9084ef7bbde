import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createService, type Service } from '../contract/service.ts'
import { get, openTalks, readAll, toSecretTalk, toShown } from '../contract/site-pages.ts'
import type { Server } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { type Nodes, startNodes } from './nodes.ts'

// Runner: long (pages of two nodes; postgres/stale has the caches of nodes)

const paths = [
  '/',
  '/search',
  '/speaker',
  '/feed.atom',
  '/sitemap.xml',
  '/stats',
  '/category/open-event',
  '/category/open-event/changes.atom',
]
const rounds = 5
/** What we promise; other tests share the machine, so a single round may take longer. */
const maxMedianMs = 200

let nodes: Nodes
let [first, second]: readonly Service[] = []

beforeAll(async () => {
  nodes = await startNodes(2)
  const [one, two] = nodes.all.map(({ server }) => toService(server))
  first = one
  second = two
  for (const fields of openTalks) await one?.create(fields)
}, 180_000)

afterAll(() => nodes?.stop())

const toService = (server: Server) =>
  createService(
    () => server,
    () => server.adminKey,
  )

test('pages of another node show a withdrawn talk for 200 ms at most', async () => {
  const [here, there] = [first ?? expect.unreachable(), second ?? expect.unreachable()]
  await until('the other node has the talks', async () => toShown(await get(there, '/feed.atom')).includes('Lanterns'))
  const before = await readAll(there, paths)
  const delays: number[] = []
  for (let round = 0; round < rounds; round++) {
    const { id } = await here.create(toSecretTalk(6))
    await until('its pages show it', async () => toShown(await get(there, '/')) !== before.get('/'))
    await readAll(there, paths)
    await here.patch(id, { state: 2 })
    delays.push(await measure(there, before))
  }
  expect(delays.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]).toBeLessThan(maxMedianMs)
}, 180_000)

/** The time until all pages are as before. */
async function measure(node: Service, before: ReadonlyMap<string, string>): Promise<number> {
  const start = performance.now()
  let asked = start
  await until('it is gone', async () => {
    asked = performance.now()
    const shown = await readAll(node, paths)
    return paths.every((path) => shown.get(path) === before.get(path))
  })
  return asked - start
}
