import { exchange } from './harness/exchange.ts'
import type { Load } from './harness/load.ts'
import type { Context, Question, Row } from './harness/question.ts'
import { interleave, toRatioRow } from './harness/rounds.ts'
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

const writesPerSecond = 600
const readers = 500

export const streamsQuestion: Question = {
  name: 'streams',
  asks:
    `How much longer does a reader of a record wait while ${readers} others follow the change feed live? p99 of GET of ` +
    `a hot record at ${readsPerSecond}/s, alone, beside ${writesPerSecond} durable PATCHes/s, and beside the same ` +
    `with ${readers} streams, each of which must get every change once and in order.`,
  isPinned: false,
  generator: 'both',
  async run(context) {
    const server = await context.startRostrum({ threads: null, store: 'streams' })
    const reads = await toSteadyReads(context, server.port)
    await warmUpWrites(context, reads)
    const sides = [
      { name: 'beside streams', run: () => readBesideStreams(context, reads) },
      { name: 'beside writes', run: () => readBesideWrites(context, reads, writesPerSecond) },
      { name: 'alone', run: () => readAlone(context, reads) },
    ]
    const [streamed = [], written = [], alone = []] = await interleave(context, sides, toP99Text)
    server.check()
    return toRows(streamed, written, alone)
  },
}

async function readBesideStreams(context: Context, reads: Load): Promise<Reads> {
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

function toRows(streamed: readonly Reads[], written: readonly Reads[], alone: readonly Reads[]): readonly Row[] {
  return [
    toRatioRow('beside streams to alone, p99', toP99s(streamed), toP99s(alone)),
    toRatioRow('beside streams to beside writes, p99', toP99s(streamed), toP99s(written)),
    toRatioRow('beside streams to alone, p50', toP50s(streamed), toP50s(alone)),
    { label: 'beside streams, p99', unit: 'ms', values: toP99s(streamed) },
    { label: 'beside writes, p99', unit: 'ms', values: toP99s(written) },
    { label: 'alone, p99', unit: 'ms', values: toP99s(alone) },
    { label: 'beside streams, reads done', unit: 'req/s', values: toRates(streamed) },
    {
      label: 'beside streams, changes told to each',
      unit: 'changes',
      values: toOthers(streamed).map(({ answers }) => answers),
    },
  ]
}
