import type { Database } from 'bun:sqlite'
import { type ListQuery, parseListQuery } from '../../src/record/query/query.ts'
import type { ListPage } from '../../src/store/list-reads.ts'
import { openForReading } from '../../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'
import { createIndexes, createList } from '../../src/store/sqlite/list.ts'
import type { Context, Row } from '../harness/question.ts'
import { toRatioRow } from '../harness/rounds.ts'
import type { Case } from './case.ts'

/** The least duration and number of runs of each side in a round. */
const sideMs = 15
const minRuns = 2

/** The list of a store with loaded columns and no cached counts: the counter is bumped before every call. */
export function createColdList(db: Database): (query: ListQuery) => Promise<Pick<ListPage, 'count' | 'records'>> {
  let changes = 0
  const store = createSqliteDatabase(db)
  const indexes = createIndexes(store)
  const list = createList({ db: store, indexes, changesCounter: () => changes })
  return async (query) => {
    while (!indexes.columns.isComplete()) await indexes.columns.loadSome()
    changes++
    return list(query)
  }
}

export function toQuery(parameters: Case['parameters'], drafts = false): ListQuery {
  const parsed = parseListQuery(new URLSearchParams(parameters), drafts ? 'all' : 'live')
  if (!parsed.ok) throw new Error(`not a list: ${JSON.stringify(parameters)}`)
  return parsed.query
}

type Rounds = Pick<Context, 'rounds' | 'say'>

/** Our engine and the hand-written SQL on the same connection, in turns; the results must be equal. */
export async function compareWithHand(context: Rounds, path: string, cases: readonly Case[]) {
  const db = openForReading(path)
  try {
    const compared: Awaited<ReturnType<typeof compareOne>>[] = []
    for (const each of cases) compared.push(await compareOne(context, db, each))
    return { ratios: compared.map(({ ratio }) => ratio), times: compared.map(({ ours }) => ours) }
  } finally {
    db.close()
  }
}

async function compareOne({ rounds, say }: Rounds, db: Database, each: Case): Promise<{ ratio: Row; ours: Row }> {
  const list = createColdList(db)
  const query = toQuery(each.parameters, each.drafts)
  const byEngine = async () => list(query)
  const byHand = createHand(db, each)
  checkSame(each, await byEngine(), byHand())
  const [a, b]: [number[], number[]] = [[], []]
  for (let round = 0; round <= rounds; round++) {
    const [ourMs, handMs] = await timeInTurns(byEngine, byHand)
    if (round > 0) {
      a.push(ourMs)
      b.push(handMs)
    }
  }
  say(`${each.name}: ${(a[0] ?? 0).toFixed(2)} ms, by hand ${(b[0] ?? 0).toFixed(2)} ms`)
  const ours: Row = { label: each.name, unit: 'ms', values: a }
  return { ratio: toRatioRow(`${each.name}, to SQL by hand`, a, b), ours }
}

function createHand(db: Database, { count, ids }: Case) {
  const counting = db.prepare<{ count: number }, (string | number)[]>(count.sql)
  const reading = db.prepare<{ body: Uint8Array }, (string | number)[]>(
    `WITH page AS MATERIALIZED (${ids.sql}) SELECT body FROM page CROSS JOIN record USING (id)`,
  )
  const run = db.transaction(() => ({ count: counting.get(...count.values)?.count, rows: reading.all(...ids.values) }))
  return () => run()
}

/** Mean times of both. */
async function timeInTurns(one: () => unknown, other: () => unknown): Promise<[number, number]> {
  const sums: [number, number] = [0, 0]
  let runs = 0
  while (runs < minRuns || Math.min(...sums) < sideMs) {
    sums[0] += await time(one)
    sums[1] += await time(other)
    runs++
  }
  return [sums[0] / runs, sums[1] / runs]
}

/** The first round warms up and is discarded. */
export async function timeRounds(
  rounds: number,
  one: () => unknown,
  other: () => unknown,
): Promise<[number, number][]> {
  const times: [number, number][] = []
  for (let round = 0; round <= rounds; round++) times.push(await timeInTurns(one, other))
  return times.slice(1)
}

export async function time(run: () => unknown): Promise<number> {
  const startMs = performance.now()
  await run()
  return performance.now() - startMs
}

/** A comparison of different results would be meaningless. */
function checkSame(
  { name }: Case,
  ours: Pick<ListPage, 'count' | 'records'>,
  hand: { count: number | undefined; rows: readonly { body: Uint8Array }[] },
): void {
  const results = hand.rows.map(({ body }) => Buffer.from(body).toString('latin1')).join(',')
  if (ours.count !== hand.count) throw new Error(`${name}: ${ours.count} records, by hand ${hand.count}`)
  if (ours.records?.join(',') !== results) throw new Error(`${name}: the records differ`)
}
