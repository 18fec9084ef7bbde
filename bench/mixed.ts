import type { Question, Row } from './harness/question.ts'
import { interleave, measure, toRateText, toRatioRow } from './harness/rounds.ts'

const connections = 64
const records = 50

export const mixedQuestion: Question = {
  name: 'mixed',
  asks:
    `What is left of reads when some of ${connections} clients' requests are durable writes: 5 and 20 of a hundred? ` +
    `${records} records, which all clients read and write. Then PUT compared with PATCH, without reads.`,
  isPinned: false,
  generator: 'bundled',
  async run(context) {
    const server = await context.startRostrum({ threads: 2, store: 'mixed' })
    const writes = { kind: 'patch', token: context.adminToken, firstId: 1, records } as const
    const mix = (readPercent: number) => ({ kind: 'mix', readPercent, writes }) as const
    const works = [
      { name: 'GET', work: mix(100) },
      { name: '95 GET, 5 PATCH', work: mix(95) },
      { name: '80 GET, 20 PATCH', work: mix(80) },
      { name: 'PATCH', work: writes },
      { name: 'PUT', work: { ...writes, kind: 'put' } as const },
    ]
    const load = { port: server.port, connections, durationMs: context.roundMs, perSecond: null }
    const sides = works.map(({ name, work }) => ({
      name,
      run: () => measure(context, server, { ...load, work }),
    }))
    const results = await interleave(context, sides, toRateText)
    const [reads = [], few = [], more = [], patches = [], puts = []] = results.map((rounds) =>
      rounds.map(({ perSecond }) => perSecond),
    )
    const rows = sides.flatMap(({ name }, i): Row[] => [
      { label: name, unit: 'req/s', values: results[i]?.map(({ perSecond }) => perSecond) ?? [] },
      { label: `${name}, CPU per request`, unit: 'µs', values: results[i]?.flatMap(({ cpuUs }) => cpuUs ?? []) ?? [] },
    ])
    return [
      toRatioRow('95 GET, 5 PATCH to GET, requests', few, reads),
      toRatioRow('80 GET, 20 PATCH to GET, requests', more, reads),
      toRatioRow('PUT to PATCH, requests', puts, patches),
      ...rows,
    ]
  },
}
