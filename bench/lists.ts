import { copyGeneratedStore, toGeneratedStore } from './generate.ts'
import { compareWithHand } from './hand/compare.ts'
import { combinedCases, filterCases, orderCases } from './hand/list-cases.ts'
import { exchange } from './harness/exchange.ts'
import type { Context, Question, Row } from './harness/question.ts'

const records = 100_000
const cases = [...filterCases, ...orderCases, ...combinedCases]
const overHttp = ['no filter', 'busiest speaker', 'most frequent tag', 'language of most', 'category by title']

export const listsQuestion: Question = {
  name: 'lists',
  asks:
    'What does a page of a list cost compared with the best SQL that we could write by hand for the same rows (count and ' +
    `bodies)? ${records.toLocaleString('en-US')} records, pages of 20, no counts cached. ` +
    'Then over HTTP, where counts are remembered.',
  isPinned: false,
  generator: 'none',
  async run(context) {
    const { ratios, times } = await compareWithHand(context, await toGeneratedStore(records, context.say), cases)
    return [...ratios, ...times, ...(await measureHttp(context))]
  },
}

async function measureHttp(context: Context): Promise<Row[]> {
  const store = await copyGeneratedStore(records, context)
  const { port } = await context.startRostrum({ threads: null, store, hasSample: true })
  const rows: Row[] = []
  for (const { name, parameters } of cases.filter(({ name }) => overHttp.includes(name))) {
    const target = `/api/v2/video?${new URLSearchParams(parameters)}`
    const values: number[] = []
    for (let round = 0; round <= context.rounds; round++) {
      const startMs = performance.now()
      const { status, head } = await exchange(port, { method: 'GET', target, headers: {} })
      if (status !== 200) throw new Error(`${target}: ${head}`)
      if (round > 0) values.push(performance.now() - startMs)
    }
    rows.push({ label: `${name}, over HTTP on a new connection`, unit: 'ms', values })
  }
  return rows
}
