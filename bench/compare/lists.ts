import { toWord } from '../generated/words.ts'
import { combinedCases, filterCases, orderCases } from '../hand/list-cases.ts'
import { LoadClient } from '../harness/load-client.ts'
import { type Job, toGet } from '../harness/one-job.ts'
import type { Context, Question, Row } from '../harness/question.ts'
import { interleave, toRateText, toRatioRow } from '../harness/rounds.ts'
import type { ServerProcess } from '../harness/servers.ts'
import { createWrites } from '../harness/write-job.ts'
import { readPageKinds, toTarget as toPageTarget } from '../site/page-requests.ts'
import {
  forBoth,
  type Pair,
  type SideName,
  type Sides,
  sideNames,
  startBoth,
  startSide,
  toFigureRows,
} from './sides.ts'

const cases = [...filterCases, ...orderCases, ...combinedCases].filter(({ drafts }) => drafts !== true)
const pagesPerKind = 8
const toTarget = (parameters: { readonly [name: string]: string }) => `/api/v2/video?${new URLSearchParams(parameters)}`

const searches = [
  ...[
    toWord(0),
    toWord(20),
    toWord(300),
    toWord(15_000),
    'qqqq',
    `${toWord(0)} ${toWord(1)}`,
    `${toWord(20)} -${toWord(0)}`,
  ],
  `"${toWord(0)} ${toWord(1)}"`,
]

interface Page {
  readonly name: string
  readonly target: string
}

export function createListPages(sides: Sides): Question {
  const pages = cases.map(({ name, parameters }) => ({ name, target: toTarget(parameters) }))
  const asks = 'One page of each list of the question `lists`'
  return createPageQuestion(sides, { name: 'list-pages', asks, toPages: () => pages })
}

export function createSearches(sides: Sides): Question {
  const pages = searches.flatMap((q) => [
    { name: q, target: toTarget({ q }) },
    { name: `${q}, best, with facets`, target: toTarget({ q, match: 'best', facets: 'category,speaker,tag' }) },
  ])
  const asks = 'Searches for common and rare words, two words and a phrase, some with facets'
  return createPageQuestion(sides, { name: 'searches', asks, toPages: () => pages })
}

export function createPages(sides: Sides): Question {
  const toPages = () =>
    readPageKinds(sides.stores.new.lists, pagesPerKind).flatMap(({ name, requests }) =>
      requests.slice(0, pagesPerKind).map((request) => ({ name: `page ${name}`, target: toPageTarget(request) })),
    )
  return createPageQuestion(sides, { name: 'pages', asks: 'Pages of the site, a few of each kind', toPages })
}

interface Asked {
  readonly name: string
  readonly asks: string
  toPages(): readonly Page[]
}

function createPageQuestion(sides: Sides, { name, asks, toPages }: Asked): Question {
  return {
    name,
    asks:
      `${asks}, over HTTP; a change before each, so that nothing is remembered. ` +
      'Time of all together, and the mean of the ratios.',
    isPinned: false,
    generator: 'none',
    async run(context) {
      const pages = toPages()
      const servers = await startBoth(context, sides, { threads: 1 }, 'lists')
      await forBoth((side) => waitForIndexes(servers[side].port))
      const askers = await forBoth((side) => connect(context, servers[side]))
      const rounds = context.isQuick ? 2 : 5
      const times: Pair<number[][]> = { old: [], new: [] }
      const cpuMs: Pair<number[]> = { old: [], new: [] }
      const readCpuMs = (side: SideName) => (servers[side].readCpuSeconds() ?? Number.NaN) * 1000
      for (let round = 0; round <= rounds; round++) {
        const before = { old: readCpuMs('old'), new: readCpuMs('new') }
        const taken: Pair<number[]> = { old: [], new: [] }
        for (const { target } of pages) {
          const pair = await forBoth((side) => askers[side].time(target))
          taken.old.push(pair.old)
          taken.new.push(pair.new)
        }
        context.say(`round ${round}: old ${sum(taken.old).toFixed(0)} ms, new ${sum(taken.new).toFixed(0)} ms`)
        if (round === 0) continue
        for (const side of sideNames) {
          times[side].push(taken[side])
          cpuMs[side].push(readCpuMs(side) - before[side])
        }
      }
      await forBoth(async (side) => askers[side].end())
      const cost = { name: `${name} and as many writes, CPU`, wanted: 'about 1', unit: 'ms' } as const
      return [...toRows(name, pages, times), ...toFigureRows(cost, cpuMs)]
    },
  }
}

const indexPatienceMs = 300_000

/** Until all indexes are loaded, a search may be incomplete; the response says so. */
async function waitForIndexes(port: number): Promise<void> {
  const untilMs = performance.now() + indexPatienceMs
  while (performance.now() < untilMs) {
    const answer = await fetch(`http://127.0.0.1:${port}${toTarget({ q: toWord(0), match: 'best' })}`)
    const page: unknown = await answer.json()
    if (answer.ok && !JSON.stringify(page).includes('"at_least"')) return
    await Bun.sleep(500)
  }
  throw new Error('the indexes were not loaded in time')
}

/** The mean is geometric, so that a list that takes a millisecond counts as much as one that takes a hundred. */
function toRows(name: string, pages: readonly Page[], times: Pair<readonly (readonly number[])[]>): readonly Row[] {
  const ratios = times.new.map((each, round) => each.map((ms, i) => ms / (times.old[round]?.[i] ?? Number.NaN)))
  const means = ratios.map((each) => Math.exp(sum(each.map(Math.log)) / each.length))
  const worst = pages
    .map(
      (page, i) =>
        ({
          label: `slowest compared with old: ${page.name}`,
          unit: '×',
          values: ratios.map((each) => each[i] ?? 0),
        }) as const,
    )
    .sort((a, b) => toMiddle(b.values) - toMiddle(a.values))
  const totals = { old: times.old.map(sum), new: times.new.map(sum) }
  return [
    ...toFigureRows({ name: `${name}, all together`, wanted: '1.11 or less', unit: 'ms' }, totals),
    { label: `${name}, mean of the ratios (wanted: 1.11 or less)`, unit: '×', values: means },
    ...worst.slice(0, 3),
  ]
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const toMiddle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** One connection, on which a record is changed before each list. */
async function connect({ adminToken }: Context, { port }: ServerProcess) {
  let done = Promise.withResolvers<void>()
  const client = new LoadClient((_client, _releasedMs, problem) => {
    if (problem === null) done.resolve()
    else done.reject(new Error(problem))
  })
  await client.connect(port)
  const takeWrite = createWrites(port, { kind: 'patch', token: adminToken, firstId: 1, records: 1 })
  const send = (job: Job) => {
    done = Promise.withResolvers()
    client.send(job, 0)
    return done.promise
  }
  return {
    async time(target: string): Promise<number> {
      await send(takeWrite())
      const startMs = performance.now()
      await send(toGet(port, target))
      return performance.now() - startMs
    },
    end: () => client.end(),
  }
}

/** Compares two query threads with one, not with the old checkout. */
export function createQueryThreads(sides: Sides): Question {
  return {
    name: 'query-threads',
    asks: 'Lists for callers with a role, which no page cache answers, 16 connections: two query threads and one.',
    isPinned: false,
    generator: 'bundled',
    async run(context) {
      if (!hasOption(sides.new, '--query-threads')) {
        return [{ label: 'two query threads to one: no --query-threads there', unit: '×', values: [] }]
      }
      const headers = { Authorization: `Token ${context.adminToken}` }
      const work = { kind: 'rotate', targets: cases.map(({ parameters }) => toTarget(parameters)), headers } as const
      const start = (count: number) => {
        const options = ['--query-threads', String(count)]
        return startSide(context, sides.new, { threads: 1, options }, sides.stores.new.lists)
      }
      const load = { connections: 16, durationMs: context.roundMs, perSecond: null, work }
      const run = (server: ServerProcess) => () => context.drive({ ...load, port: server.port })
      const named = [
        { name: 'one', run: run(await start(1)) },
        { name: 'two', run: run(await start(2)) },
      ]
      const [one = [], two = []] = (await interleave(context, named, toRateText)).map((rounds) =>
        rounds.map(({ perSecond }) => perSecond),
      )
      return [
        toRatioRow('lists, two query threads to one (wanted: 1.4 or more)', two, one),
        { label: 'lists, one query thread', unit: 'req/s', values: one },
        { label: 'lists, two query threads', unit: 'req/s', values: two },
      ]
    },
  }
}

function hasOption(checkout: string, option: string): boolean {
  const { stdout } = Bun.spawnSync(['sh', `${checkout}/bin/rostrum`, 'serve', '--help'])
  return stdout.toString().includes(option)
}
