import { copyGeneratedStore } from './generate.ts'
import { exchange } from './harness/exchange.ts'
import type { Question } from './harness/question.ts'
import { toRatioRow } from './harness/rounds.ts'

const records = 100_000
const walks = 4

export const walkQuestion: Question = {
  name: 'walk',
  asks:
    `Does the server grow while a client walks through all ${records.toLocaleString('en-US')} records, by cursor, ` +
    '100 a page? Memory of its own (without the mapped file) after each of three more walks, compared with that after the first.',
  isPinned: false,
  generator: 'none',
  async run(context) {
    const store = await copyGeneratedStore(records, context)
    const server = await context.startRostrum({ threads: null, store, hasSample: true })
    const sizes: number[] = []
    for (let walk = 1; walk <= walks; walk++) {
      const startMs = performance.now()
      const seen = await walkAll(server.port)
      sizes.push((server.readOwnBytes() ?? Number.NaN) / 1e6)
      const seconds = (performance.now() - startMs) / 1000
      context.say(`walk ${walk}: ${seen} records in ${seconds.toFixed(1)} s, ${sizes.at(-1)?.toFixed(0)} MB`)
    }
    const [first = Number.NaN, ...later] = sizes
    return [
      toRatioRow(
        'later walks to the first, memory',
        later,
        later.map(() => first),
      ),
      { label: 'memory after the first walk', unit: 'MB', values: [first] },
      { label: 'memory after later walks', unit: 'MB', values: later },
    ]
  },
}

/** The number of records seen. */
async function walkAll(port: number): Promise<number> {
  const ids = new Set<number>()
  let target = '/api/v2/video?page_size=100&cursor='
  for (let page = 0; page <= records / 100; page++) {
    const { status, body, head } = await exchange(port, { method: 'GET', target, headers: {} })
    if (status !== 200) throw new Error(`${target}: ${head}`)
    const { next, count, results } = JSON.parse(body.toString()) as {
      next: string | null
      count: number
      results: { id: number }[]
    }
    for (const { id } of results) ids.add(id)
    if (next === null && ids.size !== count) throw new Error(`${ids.size} records of ${count}`)
    if (next === null) return ids.size
    target = next.replace(/^https?:\/\/[^/]+/, '')
  }
  throw new Error('there is no end')
}
