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
/** More than are asked for in a round. */
const idsAFile = 200_000

export const manyRecordsQuestion: Question = {
  name: 'many-records',
  asks:
    'What does a GET cost among many records? Ids drawn evenly and as in life (Zipf: the n-th most read one is read ' +
    '1 / n as often), 16 connections, one thread, the cache as it is by default. Beside it, on the largest store, a ' +
    'program that reads the record from SQLite for each request (`bare-sqlite.ts`). Wanted: Zipf among the most to ' +
    'among 1k 0.85 × or more; evenly among the most to bare 0.90.',
  isPinned: true,
  generator: 'any',
  async run(context) {
    const sides: Side<Measured>[] = []
    const wanted = context.isQuick ? quickSizes : sizes
    let lastPort = 0
    for (const { name, records } of wanted) {
      const live = readLiveIds(copyStore(context, name, records))
      const server = await context.startRostrum({ threads: 1, store: `store-${name}`, hasSample: true })
      lastPort = server.port
      sides.push(...toSides(context, server, name, live))
    }
    const most = wanted.at(-1)?.name ?? ''
    const bare = await context.startBare('bare-sqlite.ts', [toStorePath(context, most)])
    await checkSame(hotGet, lastPort, bare.port)
    sides.push(toSide(context, bare, 'bare', toIdsPath(context, 'even', most)))
    const results = await interleave(context, sides, toRateText)
    return toRows(
      new Map(sides.map(({ name }, i) => [name, results[i] ?? []])),
      wanted.map(({ name }) => name),
    )
  },
}

type Spread = 'zipf' | 'even'

const toStorePath = ({ folder }: Context, name: string) => join(folder, `store-${name}.db`)
const toIdsPath = ({ folder }: Context, spread: Spread, name: string) => join(folder, `ids-${spread}-${name}`)

function copyStore(context: Context, name: string, records: number): string {
  const path = toStorePath(context, name)
  copyFileSync(toReadingStore(records, context.say), path)
  return path
}

function toSides(context: Context, server: ServerProcess, name: string, live: readonly number[]): Side<Measured>[] {
  return (['zipf', 'even'] as const).map((spread) => {
    const ids = toIdsPath(context, spread, name)
    writeFileSync(ids, `${drawIds(spread, live).join('\n')}\n`)
    return toSide(context, server, `${spread} ${name}`, ids)
  })
}

function toSide(context: Context, server: ServerProcess, name: string, idsFile: string): Side<Measured> {
  const work = { kind: 'spread', idsFile } as const
  const load = { port: server.port, connections: 16, durationMs: context.roundMs, perSecond: null, work }
  return { name, run: () => measure(context, server, load) }
}

/** Drafts are not for everybody. */
function readLiveIds(path: string): readonly number[] {
  const db = openForReading(path)
  const rows = db.query<{ id: number }, []>('SELECT id FROM record WHERE state = 1').all()
  db.close()
  return rows.map(({ id }) => id)
}

/** Often read ones stand anywhere in the store, not side by side; 7919 is a prime. */
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
      toRatioRow(`${below} to ${above}, CPU a request`, costs(b), costs(a)),
    ]
  }
  return [
    ...compare(`zipf ${most}`, `zipf ${first}`),
    ...compare(`even ${most}`, 'bare'),
    ...[...results].flatMap(([name, rounds]) => toSideRows({ name, rounds })),
  ]
}
