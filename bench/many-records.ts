import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openForReading } from '../src/store/sqlite/connection.ts'
import { createRandom, createZipf } from './generated/random.ts'
import { toReadingStore } from './generated/reading-store.ts'
import { hotGet } from './harness/exchange.ts'
import type { Context, Question, Row } from './harness/question.ts'
import { interleave, type Measured, measure, type Side, toRateText, toRatioRow, toSideRows } from './harness/rounds.ts'
import { checkSame } from './harness/same.ts'
import type { ServerProcess } from './harness/servers.ts'

const sizes = [
  { name: '1k', records: 1_000 },
  { name: '100k', records: 100_000 },
  { name: '1M', records: 1_000_000 },
]
const quickSizes = [
  { name: '1k', records: 1_000 },
  { name: '10k', records: 10_000 },
]
/** More than a server handles in all rounds, so that no id repeats only because the list of ids does. */
const idsAFile = 1_000_000
/** Rounds without measurement, to fill the cache. */
const warmUpRounds = 8

export const manyRecordsQuestion: Question = {
  name: 'many-records',
  asks:
    'What does a GET cost among many records? Ids drawn uniformly and realistically (Zipf: the n-th most read one is read ' +
    '1 / n as often), 16 connections, one thread, the default cache. For comparison, on the largest store, a ' +
    'program that reads the record from SQLite for each request (`bare-sqlite.ts`). Goals: Zipf among the most to ' +
    'among 1k 0.85 × or more; evenly among the most to bare 0.90.',
  isPinned: true,
  generator: 'any',
  async run(context) {
    const wanted = context.isQuick ? quickSizes : sizes
    const sides: Side<Measured>[] = []
    let last: ServerProcess | undefined
    for (const size of wanted) {
      for (const spread of spreads) {
        last = await startServer(context, spread, size)
        sides.push(toSide(context, last, `${spread} ${size.name}`, toIdsPath(context, spread, size.name)))
      }
    }
    const most = wanted.at(-1)?.name ?? ''
    const bare = await context.startBare('bare-sqlite.ts', [toStorePath(context, 'even', most)])
    if (last !== undefined) await checkSame(hotGet, last.port, bare.port)
    sides.push(toSide(context, bare, 'bare', toIdsPath(context, 'even', most)))
    await warmUp(sides.filter(({ name }) => name.startsWith('zipf')))
    const results = await interleave(context, sides, toRateText)
    return toRows(
      new Map(sides.map(({ name }, i) => [name, results[i] ?? []])),
      wanted.map(({ name }) => name),
    )
  },
}

const spreads = ['zipf', 'even'] as const
type Spread = (typeof spreads)[number]

const toStoreName = (spread: Spread, name: string) => `store-${spread}-${name}`
const toStorePath = ({ folder }: Context, spread: Spread, name: string) =>
  join(folder, `${toStoreName(spread, name)}.db`)
const toIdsPath = ({ folder }: Context, spread: Spread, name: string) => join(folder, `ids-${spread}-${name}`)

/** Each with its own store and cache: uniform reads would evict the hot records of the others. */
async function startServer(context: Context, spread: Spread, size: (typeof sizes)[number]): Promise<ServerProcess> {
  const path = toStorePath(context, spread, size.name)
  copyFileSync(await toReadingStore(size.records, context.say), path)
  writeFileSync(toIdsPath(context, spread, size.name), `${drawIds(spread, readLiveIds(path)).join('\n')}\n`)
  return context.startRostrum({ threads: 1, store: toStoreName(spread, size.name), hasSample: true })
}

async function warmUp(sides: readonly Side<Measured>[]): Promise<void> {
  for (const side of sides) for (let round = 1; round <= warmUpRounds; round++) await side.run()
}

function toSide(context: Context, server: ServerProcess, name: string, idsFile: string): Side<Measured> {
  const work = { kind: 'spread', idsFile } as const
  const load = { port: server.port, connections: 16, durationMs: context.roundMs, perSecond: null, work }
  return { name, run: () => measure(context, server, load) }
}

/** Drafts need a token. */
function readLiveIds(path: string): readonly number[] {
  const db = openForReading(path)
  const rows = db.query<{ id: number }, []>('SELECT id FROM record WHERE state = 1').all()
  db.close()
  return rows.map(({ id }) => id)
}

/** Spreads the hot records over the store; 7919 is a prime. */
function drawIds(spread: Spread, ids: readonly number[]): readonly (number | undefined)[] {
  const random = createRandom(ids.length)
  const pick = spread === 'even' ? () => random.below(ids.length) : createZipf(ids.length, 1)
  return Array.from({ length: idsAFile }, () => ids[(pick(random) * 7919) % ids.length])
}

function toRows(results: ReadonlyMap<string, readonly Measured[]>, names: readonly string[]): readonly Row[] {
  const [first = '', most = ''] = [names[0], names.at(-1)]
  const compare = (above: string, below: string) => {
    const [a, b] = [results.get(above) ?? [], results.get(below) ?? []]
    const costs = (rounds: readonly Measured[]) => rounds.flatMap(({ cpuUs }) => cpuUs ?? [])
    const rates = (rounds: readonly Measured[]) => rounds.map(({ perSecond }) => perSecond)
    return [
      toRatioRow(`${above} to ${below}, requests`, rates(a), rates(b)),
      toRatioRow(`${below} to ${above}, CPU per request`, costs(b), costs(a)),
    ]
  }
  return [
    ...compare(`zipf ${most}`, `zipf ${first}`),
    ...compare(`even ${most}`, 'bare'),
    ...[...results].flatMap(([name, rounds]) => toSideRows({ name, rounds })),
  ]
}
