import { measureDisk } from './harness/disk.ts'
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

const writesPerSecond = 500

export const besideWritesQuestion: Question = {
  name: 'beside-writes',
  asks:
    `How much longer does a reader wait while others write? p99 of GET of a hot record at ${readsPerSecond}/s, ` +
    `alone and during ${writesPerSecond} durable PATCHes/s of other records; one HTTP thread and the writer, ` +
    '16 connections each.',
  isPinned: true,
  generator: 'both',
  pace: quietPace,
  async run(context) {
    const disk = measureDisk(context.folder)
    const { rounds, quiet } = await interleaveQuietly(context, () => start(context), toP99Text)
    const [beside = [], alone = []] = rounds
    return [...toRows(beside, alone), disk, ...quiet]
  },
}

async function start(context: Context): Promise<Started<Reads>> {
  const server = await context.startRostrum({ threads: 1, store: 'beside-writes' })
  const reads = await toSteadyReads(context, server.port)
  await warmUpWrites(context, reads)
  const sides = [
    { name: 'during writes', run: () => readBesideWrites(context, reads, writesPerSecond) },
    { name: 'alone', run: () => readAlone(context, reads) },
  ]
  return { sides, end: server.stop }
}

function toRows(beside: readonly Reads[], alone: readonly Reads[]): readonly Row[] {
  return [
    toRatioRow('during writes to alone, p99', toP99s(beside), toP99s(alone)),
    toRatioRow('during writes to alone, p50', toP50s(beside), toP50s(alone)),
    { label: 'during writes, p99', unit: 'ms', values: toP99s(beside) },
    { label: 'alone, p99', unit: 'ms', values: toP99s(alone) },
    { label: 'during writes, reads done', unit: 'req/s', values: toRates(beside) },
    { label: 'during writes, writes done', unit: 'writes/s', values: toRates(toOthers(beside)) },
  ]
}
