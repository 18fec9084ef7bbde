import { copyGeneratedStore, toGeneratedStore } from './generate.ts'
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
import { asBrowser, type PageKind, readPageKinds, toTarget, waitForPages } from './site/page-requests.ts'

const records = 100_000
const viewsPerSecond = 200
/** Warms up the JIT compiler, whose threads would delay the readers. */
const warmUpRounds = 3
const kindsPerTurn = ['talk', 'talk', 'talk', 'event', 'speaker', 'tag', 'home', 'search']
const turns = 100

export const besidePagesQuestion: Question = {
  name: 'beside-pages',
  asks:
    `How much longer does a reader wait while others look at pages? p99 of GET of a hot record at ${readsPerSecond}/s, ` +
    `16 connections, alone and beside ${viewsPerSecond} page views a second: of eight, three talks, an event, a speaker, ` +
    'a tag, the home page and a search. First with the page cache, then without it, so that each view renders its page. ' +
    `${records.toLocaleString('en-US')} records, the default number of threads. Goal: 2 × at most.`,
  isPinned: false,
  generator: 'both',
  pace: quietPace,
  async run(context) {
    const count = context.isQuick ? 10_000 : records
    const kinds = readPageKinds(await toGeneratedStore(count, context.say), 3 * turns)
    const { rounds, quiet } = await interleaveQuietly(context, () => start(context, count, kinds), toP99Text)
    const [cached = [], rendered = [], alone = []] = rounds
    return [...toRows(cached, rendered, alone), ...quiet]
  },
}

async function start(context: Context, count: number, kinds: readonly PageKind[]): Promise<Started<Reads>> {
  const startOne = async (name: string, options: readonly string[]) => {
    const store = await copyGeneratedStore(count, context, name)
    return context.startRostrum({ threads: null, store, hasSample: true, options })
  }
  const servers = [await startOne('cached', []), await startOne('rendered', ['--page-cache-mb', '0'])]
  const work = { kind: 'rotate', targets: toViews(kinds), headers: asBrowser('/').headers } as const
  const sides = []
  for (const [i, { port }] of servers.entries()) {
    await waitForPages(port, kinds)
    await context.drive({ port, connections: 4, durationMs: warmUpRounds * context.roundMs, perSecond: null, work })
    const reads = await toSteadyReads(context, port)
    const views = { port, connections: 16, perSecond: viewsPerSecond, work }
    sides.push({ name: i === 0 ? 'cached' : 'rendered', run: () => readBeside(context, reads, views) })
    if (i > 0) sides.push({ name: 'alone', run: () => readAlone(context, reads) })
  }
  return { sides, end: async () => void (await Promise.all(servers.map((server) => server.stop()))) }
}

/** The kinds in turn, with a different page each time if there are several. */
function toViews(kinds: readonly PageKind[]): string[] {
  const pages = new Map(kinds.map(({ name, requests }) => [name, requests.values()]))
  const takeOf = (name: string) => pages.get(name)?.next().value
  return Array.from({ length: turns }, () => kindsPerTurn.flatMap((name) => takeOf(name) ?? []))
    .flat()
    .map(toTarget)
}

function toRows(cached: readonly Reads[], rendered: readonly Reads[], alone: readonly Reads[]): readonly Row[] {
  return [
    toRatioRow('beside cached pages to alone, p99', toP99s(cached), toP99s(alone)),
    toRatioRow('beside rendered pages to alone, p99', toP99s(rendered), toP99s(alone)),
    toRatioRow('beside cached pages to alone, p50', toP50s(cached), toP50s(alone)),
    toRatioRow('beside rendered pages to alone, p50', toP50s(rendered), toP50s(alone)),
    { label: 'beside cached pages, p99', unit: 'ms', values: toP99s(cached) },
    { label: 'beside rendered pages, p99', unit: 'ms', values: toP99s(rendered) },
    { label: 'alone, p99', unit: 'ms', values: toP99s(alone) },
    { label: 'cached pages viewed', unit: 'req/s', values: toRates(toOthers(cached)) },
    { label: 'rendered pages viewed', unit: 'req/s', values: toRates(toOthers(rendered)) },
  ]
}
