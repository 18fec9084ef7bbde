import { exchange, hotGet, toWork } from './harness/exchange.ts'
import type { Load, Sample } from './harness/load.ts'
import type { Context, Question, Row } from './harness/question.ts'
import { interleave, toRatioRow } from './harness/rounds.ts'
import { openStreams } from './harness/stream-readers.ts'

const readsPerSecond = 2_000
const writesPerSecond = 600
const readers = 500
/** Writes begin this much before the reads and end this much after them. */
const marginMs = 300

interface Result extends Sample {
  readonly events: number
}

export const streamsQuestion: Question = {
  name: 'streams',
  asks:
    `How much longer does a reader of a record wait while ${readers} others follow the change feed live? p99 of GET of ` +
    `a hot record at ${readsPerSecond}/s, alone, beside ${writesPerSecond} durable PATCHes/s, and beside the same ` +
    `with ${readers} streams, each of which must get every change once and in order.`,
  isPinned: false,
  generator: 'bundled',
  async run(context) {
    const server = await context.startRostrum({ threads: null, store: 'streams' })
    const { port } = server
    const work = await toWork(port, hotGet, 200)
    const reads: Load = { port, connections: 16, durationMs: context.roundMs, perSecond: readsPerSecond, work }
    const sides = [
      { name: 'beside streams', run: () => readBesideStreams(context, reads) },
      { name: 'beside writes', run: () => readBesideWrites(context, reads) },
      { name: 'alone', run: async () => ({ ...(await context.drive(reads)), events: 0 }) },
    ]
    const results = await interleave<Result>(context, sides, (round) => `p99 ${round.p99Ms.toFixed(2)} ms`)
    server.check()
    const [streamed = [], written = [], alone = []] = results
    return toRows(streamed, written, alone)
  },
}

async function readBesideWrites(context: Context, reads: Load): Promise<Result> {
  const work = { kind: 'patch', token: context.adminToken, firstId: 2, records: 50 } as const
  const durationMs = reads.durationMs + 2 * marginMs
  const writing = context.drive({ ...reads, durationMs, perSecond: writesPerSecond, work })
  const reading = Bun.sleep(marginMs).then(() => context.drive(reads))
  const [read, written] = await Promise.all([reading, writing])
  return { ...read, events: written.answers }
}

async function readBesideStreams(context: Context, reads: Load): Promise<Result> {
  const streams = await openStreams(reads.port, readers, await findLast(reads.port))
  const result = await readBesideWrites(context, reads)
  await streams.waitFor(await findLast(reads.port))
  streams.end()
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

function toRows(streamed: readonly Result[], written: readonly Result[], alone: readonly Result[]): readonly Row[] {
  const p99 = (rounds: readonly Result[]) => rounds.map((round) => round.p99Ms)
  const p50 = (rounds: readonly Result[]) => rounds.map((round) => round.p50Ms)
  return [
    toRatioRow('beside streams to alone, p99', p99(streamed), p99(alone)),
    toRatioRow('beside streams to beside writes, p99', p99(streamed), p99(written)),
    toRatioRow('beside streams to alone, p50', p50(streamed), p50(alone)),
    { label: 'beside streams, p99', unit: 'ms', values: p99(streamed) },
    { label: 'beside writes, p99', unit: 'ms', values: p99(written) },
    { label: 'alone, p99', unit: 'ms', values: p99(alone) },
    { label: 'beside streams, reads done', unit: 'req/s', values: streamed.map((round) => round.perSecond) },
    { label: 'beside streams, changes told to each', unit: 'changes', values: streamed.map((round) => round.events) },
  ]
}
