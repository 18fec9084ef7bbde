import { copyGeneratedStore } from './generate.ts'
import { toCategory, toTag } from './generated/record.ts'
import { toWord } from './generated/words.ts'
import type { Context, Question, Row } from './harness/question.ts'
import { interleaveQuietly, quietPace, type Started } from './harness/quiet-rounds.ts'
import { toRatioRow } from './harness/rounds.ts'
import {
  type Reads,
  readAlone,
  readBeside,
  readsPerSecond,
  toOthers,
  toP50s,
  toP99s,
  toP99Text,
  toRates,
  toSteadyReads,
} from './harness/steady-reads.ts'

const records = 100_000
/** Several thousand cheap lists warm up the JIT compiler, whose threads would delay the readers. */
const warmUpRounds = 3
const cheapLists = Array.from({ length: 60 }, (_, i) => `/api/v2/video?page=${i + 1}`)

/** Searches and lists of every kind; none repeats the one before, so no count is cached. */
const lists = Array.from({ length: 50 }, (_, i): { readonly [name: string]: string }[] => [
  { q: toWord(i), page: String(1 + i) },
  { q: `${toWord(i % 7)} ${toWord(20 + i)}` },
  { category: toCategory(i), ordering: 'title' },
  { language: 'English', page: String(1 + i * 7) },
  { tag: toTag(i * 3), recorded_after: '2012-01-01' },
]).flat()

export const besideListsQuestion: Question = {
  name: 'beside-lists',
  asks:
    `How much longer does a reader wait while 8 clients search and list without pause? p99 of GET of a hot record at ` +
    `${readsPerSecond}/s, 16 connections, alone and during that; ${records.toLocaleString('en-US')} records, the ` +
    'default number of threads. Lists in another process show the share of the machine: they use the same cores, but ' +
    "none of the readers' threads.",
  isPinned: false,
  generator: 'both',
  pace: quietPace,
  async run(context) {
    const { rounds, quiet } = await interleaveQuietly(context, () => start(context), toP99Text)
    const [beside = [], apart = [], alone = []] = rounds
    return [...toRows(beside, apart, alone), ...quiet]
  },
}

async function start(context: Context): Promise<Started<Reads>> {
  const startOne = async (name: string) =>
    context.startRostrum({ threads: null, store: await copyGeneratedStore(records, context, name), hasSample: true })
  const [server, other] = [await startOne('read'), await startOne('other')]
  const targets = lists.map((parameters) => `/api/v2/video?${new URLSearchParams(parameters)}`)
  const reads = await toSteadyReads(context, server.port)
  for (const each of [server, other]) await warmUp(context, each.port)
  const listing = { connections: 8, perSecond: null, work: { kind: 'rotate', targets } } as const
  const sides = [
    { name: 'during lists', run: () => readBeside(context, reads, { ...listing, port: server.port }) },
    { name: 'during another process', run: () => readBeside(context, reads, { ...listing, port: other.port }) },
    { name: 'alone', run: () => readAlone(context, reads) },
  ]
  return { sides, end: async () => void (await Promise.all([server.stop(), other.stop()])) }
}

async function warmUp(context: Context, port: number): Promise<void> {
  const durationMs = warmUpRounds * context.roundMs
  await context.drive({
    port,
    connections: 4,
    durationMs,
    perSecond: null,
    work: { kind: 'rotate', targets: cheapLists },
  })
}

function toRows(beside: readonly Reads[], apart: readonly Reads[], alone: readonly Reads[]): readonly Row[] {
  return [
    toRatioRow('during lists to alone, p99', toP99s(beside), toP99s(alone)),
    toRatioRow('during lists to alone, p50', toP50s(beside), toP50s(alone)),
    toRatioRow("during another process's lists to alone, p99", toP99s(apart), toP99s(alone)),
    toRatioRow("during lists to during another process's, p99", toP99s(beside), toP99s(apart)),
    { label: 'during lists, p99', unit: 'ms', values: toP99s(beside) },
    { label: "during another process's lists, p99", unit: 'ms', values: toP99s(apart) },
    { label: 'alone, p99', unit: 'ms', values: toP99s(alone) },
    { label: 'during lists, reads done', unit: 'req/s', values: toRates(beside) },
    { label: 'during lists, lists done', unit: 'req/s', values: toRates(toOthers(beside)) },
    { label: "another process's lists done", unit: 'req/s', values: toRates(toOthers(apart)) },
  ]
}
