import { afterAll, beforeAll, expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { toWritten } from '../faults/record-client.ts'
import { until } from '../harness/until.ts'
import { type Node, type Nodes, startNodes } from './nodes.ts'

// Runner: long, slow (every format on two nodes; postgres/stale has the caches of nodes)

let nodes: Nodes

beforeAll(async () => {
  nodes = await startNodes(2)
}, 180_000)
afterAll(() => nodes.stop())

const paths = ['/feed.atom', '/feed.rss', '/sitemap.xml', '/dump/videos.ndjson.gz']

/** Which of the formats have the word, on a node. */
async function listShowing({ server }: Node, word: string): Promise<string[]> {
  const showing: string[] = []
  for (const path of paths) {
    const response = await fetch(`${server.url}${path}`)
    expect([path, response.status]).toEqual([path, 200])
    const bytes = Buffer.from(await response.arrayBuffer())
    const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
    if (text.includes(word)) showing.push(path)
  }
  return showing
}

test('what is withdrawn on one node leaves the feeds, the sitemap and the dump of all', async () => {
  const [first, second] = nodes.all
  if (first === undefined || second === undefined) throw new Error('two nodes are needed')
  for (let round = 0; round < 5; round++) {
    const word = `quokka-${round}`
    const fields = { title: word, state: 1, video_mp4_url: `https://example.org/${word}.mp4` }
    const { id } = toWritten(await first.client.create(fields))
    await until('the other node shows it', async () => (await listShowing(second, word)).length === paths.length)
    toWritten(await first.client.patch(id, { state: 2 }))
    expect(await listShowing(first, word)).toEqual([])
    // The promise.
    await Bun.sleep(200)
    expect(await listShowing(second, word)).toEqual([])
  }
}, 180_000)
