import { measureDisk } from './harness/disk.ts'
import { hotGet, toWork } from './harness/exchange.ts'
import type { Load, Sample } from './harness/load.ts'
import type { Context, Question, Row } from './harness/question.ts'
import { interleave, toRatioRow } from './harness/rounds.ts'

const readsPerSecond = 2_000
const writesPerSecond = 500
/** Writes begin this much before the reads and end this much after them. */
const marginMs = 300

interface Result extends Sample {
  readonly writesPerSecond: number
}

export const besideWritesQuestion: Question = {
  name: 'beside-writes',
  asks:
    `How much longer does a reader wait while others write? p99 of GET of a hot record at ${readsPerSecond}/s, ` +
    `alone and beside ${writesPerSecond} durable PATCHes/s of other records; one HTTP thread and the writer, ` +
    '16 connections each.',
  isPinned: true,
  generator: 'bundled',
  async run(context) {
    const disk = measureDisk(context.folder)
    const server = await context.startRostrum({ threads: 1, store: 'beside-writes' })
    const { port } = server
    const work = await toWork(port, hotGet, 200)
    const reads: Load = { port, connections: 16, durationMs: context.roundMs, perSecond: readsPerSecond, work }
    const sides = [
      { name: 'beside writes', run: () => readBesideWrites(context, reads) },
      { name: 'alone', run: async () => ({ ...(await context.drive(reads)), writesPerSecond: 0 }) },
    ]
    const results = await interleave<Result>(context, sides, (round) => `p99 ${round.p99Ms.toFixed(2)} ms`)
    server.check()
    const [beside = [], alone = []] = results
    return [...toRows(beside, alone), disk]
  },
}

async function readBesideWrites(context: Context, reads: Load): Promise<Result> {
  const work = { kind: 'patch', token: context.adminToken, firstId: 2, records: 50 } as const
  const durationMs = reads.durationMs + 2 * marginMs
  const writing = context.drive({ ...reads, durationMs, perSecond: writesPerSecond, work })
  const reading = Bun.sleep(marginMs).then(() => context.drive(reads))
  const [read, written] = await Promise.all([reading, writing])
  return { ...read, writesPerSecond: written.perSecond }
}

function toRows(beside: readonly Result[], alone: readonly Result[]): readonly Row[] {
  const p99 = (rounds: readonly Result[]) => rounds.map((round) => round.p99Ms)
  const p50 = (rounds: readonly Result[]) => rounds.map((round) => round.p50Ms)
  return [
    toRatioRow('beside writes to alone, p99', p99(beside), p99(alone)),
    toRatioRow('beside writes to alone, p50', p50(beside), p50(alone)),
    { label: 'beside writes, p99', unit: 'ms', values: p99(beside) },
    { label: 'alone, p99', unit: 'ms', values: p99(alone) },
    { label: 'beside writes, reads done', unit: 'req/s', values: beside.map((round) => round.perSecond) },
    { label: 'beside writes, writes done', unit: 'writes/s', values: beside.map((round) => round.writesPerSecond) },
  ]
}
