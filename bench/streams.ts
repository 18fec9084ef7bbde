import { exchange } from './harness/exchange.ts'
import type { Load } from './harness/load.ts'
import type { Context, Question, Row } from './harness/question.ts'
import { interleaveQuietly, quietPace, type Started } from './harness/quiet-rounds.ts'
import { toRatioRow } from './harness/rounds.ts'
import {
  type Reads,
  readAlone,
  readBesideWrites,
  readsPerSecond,
  toOthers,
  toP50s,
  toP99s,
  toP99Text,
  toRates,
  toSteadyReads,
  warmUpWrites,
} from './harness/steady-reads.ts'
import { openStreams } from './harness/stream-readers.ts'

/** 10,000 changes in half a minute, and twice as many. */
const [usualWrites, manyWrites] = [300, 600]
const readers = 500

export const streamsQuestion: Question = {
  name: 'streams',
  asks:
    `How much longer does a reader of a record wait while ${readers} others follow the change feed live? p99 of GET of ` +
    `a hot record at ${readsPerSecond}/s, alone, and during ${usualWrites} and ${manyWrites} durable PATCHes/s with ` +
    `${readers} streams, each of which must get every change once and in order; and during ${manyWrites}/s without any. ` +
    'Goal: 2 × at most.',
  isPinned: false,
  generator: 'both',
  pace: quietPace,
  async run(context) {
    const { rounds, quiet } = await interleaveQuietly(context, () => start(context), toP99Text)
    return [...toRows(names.map((name, i) => ({ name, rounds: rounds[i] ?? [] }))), ...quiet]
  },
}

const names = [
  `with streams of ${usualWrites}/s`,
  `with streams of ${manyWrites}/s`,
  `during ${manyWrites} writes/s`,
  'alone',
]

async function start(context: Context): Promise<Started<Reads>> {
  const server = await context.startRostrum({ threads: null, store: 'streams' })
  const reads = await toSteadyReads(context, server.port)
  await warmUpWrites(context, reads)
  const runs = [
    () => readBesideStreams(context, reads, usualWrites),
    () => readBesideStreams(context, reads, manyWrites),
    () => readBesideWrites(context, reads, manyWrites),
    () => readAlone(context, reads),
  ]
  return { sides: runs.map((run, i) => ({ name: names[i] ?? '', run })), end: server.stop }
}

async function readBesideStreams(context: Context, reads: Load, writesPerSecond: number): Promise<Reads> {
  const streams = await openStreams(reads.port, readers, await findLast(reads.port), context.children)
  const result = await readBesideWrites(context, reads, writesPerSecond)
  await streams.waitFor(await findLast(reads.port))
  await streams.end()
  return result
}

/** The last change of all: one that is ahead of it is refused with its number. */
async function findLast(port: number): Promise<number> {
  const target = `/api/v2/changes?since=${Number.MAX_SAFE_INTEGER}`
  const answer = await exchange(port, { method: 'GET', target, headers: {} })
  const last = /last change, (\d+)/.exec(answer.body.toString())?.[1]
  if (last === undefined) throw new Error(`${target}: ${answer.head}`)
  return Number(last)
}

function toRows(sides: readonly { readonly name: string; readonly rounds: readonly Reads[] }[]): readonly Row[] {
  const alone = sides.at(-1)?.rounds ?? []
  const others = sides.slice(0, -1)
  const told = others.filter(({ name }) => name.includes('streams'))
  return [
    ...others.map(({ name, rounds }) => toRatioRow(`${name} to alone, p99`, toP99s(rounds), toP99s(alone))),
    ...others.map(({ name, rounds }) => toRatioRow(`${name} to alone, p50`, toP50s(rounds), toP50s(alone))),
    ...sides.map(({ name, rounds }): Row => ({ label: `${name}, p99`, unit: 'ms', values: toP99s(rounds) })),
    ...sides.map(({ name, rounds }): Row => ({ label: `${name}, reads done`, unit: 'req/s', values: toRates(rounds) })),
    ...told.map(({ name, rounds }): Row => {
      const values = toOthers(rounds).map(({ answers }) => answers)
      return { label: `${name}, changes sent to each`, unit: 'changes', values }
    }),
  ]
}
