import { measureDisk } from './harness/disk.ts'
import type { Question, Row } from './harness/question.ts'
import { interleave, type Measured, measure, toRateText, toRatioRow } from './harness/rounds.ts'

const clientCounts = [1, 16, 64] as const
const kinds = ['patch', 'put'] as const

export const patchQuestion: Question = {
  name: 'patch',
  asks:
    'How many durable PATCHes a second are there as the number of clients grows, and how many PUTs of whole records? They ' +
    'take turns on 50 records.',
  isPinned: false,
  generator: 'bundled',
  async run(context) {
    const disk = measureDisk(context.folder)
    const server = await context.startRostrum({ threads: 1, store: 'patch' })
    const load = { port: server.port, durationMs: context.roundMs, perSecond: null }
    const sides = kinds.flatMap((kind) => {
      const work = { kind, token: context.adminToken, firstId: 1, records: 50 } as const
      return clientCounts.map((connections) => ({
        name: `${kind.toUpperCase()}, ${toClients(connections)}`,
        run: () => measure(context, server, { ...load, connections, work }),
      }))
    })
    const results = await interleave(context, sides, toRateText)
    const named = sides.map(({ name }, i) => ({ name, rounds: results[i] ?? [] }))
    return [...kinds.flatMap((_, i) => toRatios(named.slice(i * clientCounts.length))), ...toFigures(named), disk]
  },
}

interface Named {
  readonly name: string
  readonly rounds: readonly Measured[]
}

const toClients = (connections: number) => (connections === 1 ? '1 client' : `${connections} clients`)
const toRates = ({ rounds }: Named) => rounds.map(({ perSecond }) => perSecond)

/** For the series that begins with one client. */
function toRatios(named: readonly Named[]): readonly Row[] {
  const [alone, ...others] = named.slice(0, clientCounts.length)
  if (alone === undefined) return []
  return others.map((each) => toRatioRow(`${each.name} to one`, toRates(each), toRates(alone)))
}

function toFigures(named: readonly Named[]): readonly Row[] {
  const rates = named.map((each): Row => ({ label: each.name, unit: 'writes/s', values: toRates(each) }))
  const waits = named.map(({ name, rounds }): Row => {
    return { label: `${name}, p99`, unit: 'ms', values: rounds.map(({ p99Ms }) => p99Ms) }
  })
  return [...rates, ...waits]
}
