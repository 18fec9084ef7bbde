import { copyGeneratedStore } from './generate.ts'
import { toCategory, toTag } from './generated/record.ts'
import { toWord } from './generated/words.ts'
import { hotGet, toWork } from './harness/exchange.ts'
import type { Load, Sample } from './harness/load.ts'
import type { Context, Question, Row } from './harness/question.ts'
import { interleave, toRatioRow } from './harness/rounds.ts'

const records = 100_000
const readsPerSecond = 2_000
/** Lists begin this much before the reads and end this much after them. */
const marginMs = 300
/** Some thousand cheap lists come first: until then the runtime compiles, on threads that the readers wait for. */
const warmUpRounds = 3
const cheapLists = Array.from({ length: 60 }, (_, i) => `/api/v2/video?page=${i + 1}`)

interface Result extends Sample {
  readonly listsPerSecond: number
}

/** Searches and lists of every kind, none of them cheap by being the same as the one before. */
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
    `${readsPerSecond}/s, 16 connections, alone and beside them; ${records.toLocaleString('en-US')} records, as many ` +
    'threads as Rostrum takes by itself. Lists of another process show what of it is the machine: they take the same ' +
    "cores, but none of the readers' threads.",
  isPinned: false,
  generator: 'bundled',
  async run(context) {
    const start = (name: string) => {
      return context.startRostrum({ threads: null, store: copyGeneratedStore(records, context, name), hasSample: true })
    }
    const [server, other] = [await start('read'), await start('other')]
    const { port } = server
    const targets = lists.map((parameters) => `/api/v2/video?${new URLSearchParams(parameters)}`)
    const work = await toWork(port, hotGet, 200)
    const reads: Load = { port, connections: 16, durationMs: context.roundMs, perSecond: readsPerSecond, work }
    for (const each of [server, other]) await warmUp(context, each.port)
    const sides = [
      { name: 'beside lists', run: () => readBesideLists(context, reads, port, targets) },
      { name: 'beside another process', run: () => readBesideLists(context, reads, other.port, targets) },
      { name: 'alone', run: async () => ({ ...(await context.drive(reads)), listsPerSecond: 0 }) },
    ]
    const results = await interleave<Result>(context, sides, (round) => `p99 ${round.p99Ms.toFixed(2)} ms`)
    server.check()
    const [beside = [], apart = [], alone = []] = results
    return toRows(beside, apart, alone)
  },
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

async function readBesideLists(
  context: Context,
  reads: Load,
  port: number,
  targets: readonly string[],
): Promise<Result> {
  const durationMs = reads.durationMs + 2 * marginMs
  const work = { kind: 'rotate', targets } as const
  const listing = context.drive({ port, connections: 8, durationMs, perSecond: null, work })
  const reading = Bun.sleep(marginMs).then(() => context.drive(reads))
  const [read, listed] = await Promise.all([reading, listing])
  return { ...read, listsPerSecond: listed.perSecond }
}

function toRows(beside: readonly Result[], apart: readonly Result[], alone: readonly Result[]): readonly Row[] {
  const p99 = (rounds: readonly Result[]) => rounds.map((round) => round.p99Ms)
  const p50 = (rounds: readonly Result[]) => rounds.map((round) => round.p50Ms)
  return [
    toRatioRow('beside lists to alone, p99', p99(beside), p99(alone)),
    toRatioRow('beside lists to alone, p50', p50(beside), p50(alone)),
    toRatioRow("beside another process's lists to alone, p99", p99(apart), p99(alone)),
    toRatioRow("beside lists to beside another process's, p99", p99(beside), p99(apart)),
    { label: 'beside lists, p99', unit: 'ms', values: p99(beside) },
    { label: "beside another process's lists, p99", unit: 'ms', values: p99(apart) },
    { label: 'alone, p99', unit: 'ms', values: p99(alone) },
    { label: 'beside lists, reads done', unit: 'req/s', values: beside.map((round) => round.perSecond) },
    { label: 'beside lists, lists done', unit: 'req/s', values: beside.map((round) => round.listsPerSecond) },
    { label: "another process's lists done", unit: 'req/s', values: apart.map((round) => round.listsPerSecond) },
  ]
}
