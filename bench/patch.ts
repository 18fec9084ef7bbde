import { measureDisk } from './harness/disk.ts'
import type { Question, Row } from './harness/question.ts'
import { interleave, measure, toRateText, toRatioRow } from './harness/rounds.ts'

const clientCounts = [1, 16, 64] as const

export const patchQuestion: Question = {
  name: 'patch',
  asks: 'How many durable PATCHes a second are there with more and more clients? They go round 50 records.',
  isPinned: false,
  generator: 'bundled',
  async run(context) {
    const disk = measureDisk(context.folder)
    const server = await context.startRostrum({ threads: 1, store: 'patch' })
    const work = { kind: 'patch', token: context.adminToken, firstId: 1, records: 50 } as const
    const load = { port: server.port, durationMs: context.roundMs, perSecond: null, work }
    const sides = clientCounts.map((connections) => ({
      name: toName(connections),
      run: () => measure(context, server, { ...load, connections }),
    }))
    const results = await interleave(context, sides, toRateText)
    const rates = results.map((rounds) => rounds.map((round) => round.perSecond))
    const [alone = []] = rates
    const ratios = rates.slice(1).map((values, i) => toRatioRow(`${sides[i + 1]?.name} to one`, values, alone))
    const rateRows = rates.map((values, i): Row => ({ label: sides[i]?.name ?? '', unit: 'writes/s', values }))
    const waits = results.map((rounds, i): Row => {
      return { label: `${sides[i]?.name}, p99`, unit: 'ms', values: rounds.map((round) => round.p99Ms) }
    })
    return [...ratios, ...rateRows, ...waits, disk]
  },
}

function toName(connections: number): string {
  return connections === 1 ? '1 client' : `${connections} clients`
}
