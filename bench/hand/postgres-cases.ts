import postgres from 'postgres'
import { toSortKey } from '../../src/record/text/fold.ts'
import { openPostgres } from '../../src/store/postgres/connection.ts'
import { createList } from '../../src/store/postgres/list.ts'
import { toCategory, toTag } from '../generated/record.ts'
import { toWord } from '../generated/words.ts'
import type { Context, Row } from '../harness/question.ts'
import { toRatioRow } from '../harness/rounds.ts'
import { pageSize } from './case.ts'
import { toQuery } from './compare.ts'

/** A list, and the SQL for the driver that returns the same rows. */
interface DriverCase {
  readonly name: string
  readonly parameters: { readonly [name: string]: string }
  readonly where: string
  readonly values: readonly (string | number)[]
  readonly order?: string
}

const byDay = 'recorded DESC NULLS LAST, title_key, id'
const hasWord = 'id IN (SELECT rowid FROM search WHERE words @@ $1::tsquery)'
/** A piece of a name, as the engine searches for it. */
const tags = 'SELECT rowid FROM tag_piece WHERE pieces @> to_pieces($1) AND strpos(key, $1) > 0'
const hasTag = `id IN (SELECT record_id FROM record_tag WHERE tag_id IN (${tags}))`

const cases: readonly DriverCase[] = [
  { name: 'no filter', parameters: {}, where: 'TRUE', values: [] },
  {
    name: 'largest category',
    parameters: { category: toCategory(0) },
    where: 'category_id = (SELECT id FROM category WHERE title = $1)',
    values: [toCategory(0)],
  },
  { name: 'language of most', parameters: { language: 'English' }, where: 'language = $1', values: ['English'] },
  { name: 'one tag', parameters: { tag: toTag(40) }, where: hasTag, values: [toSortKey(toTag(40))] },
  { name: 'by title', parameters: { ordering: 'title' }, where: 'TRUE', values: [], order: 'title_key, id' },
  {
    name: 'a word, newest first',
    parameters: { q: toWord(30), ordering: '-added' },
    where: hasWord,
    values: [`'${toWord(30)}':*`],
    order: 'added DESC, id DESC',
  },
]

/** Our engine and the bare driver, in turns; the results must be equal. */
export async function compareWithDriver(context: Context, address: string): Promise<readonly Row[]> {
  const db = openPostgres(address)
  const driver = postgres(address, { max: 1, fetch_types: false })
  const rows: Row[] = []
  try {
    for (const each of cases) rows.push(...(await compareOne(context, db, driver, each)))
    return rows
  } finally {
    await db.close()
    await driver.end()
  }
}

type Connection = ReturnType<typeof openPostgres>

async function compareOne({ rounds, say }: Context, db: Connection, driver: postgres.Sql, each: DriverCase) {
  let changes = 0
  // No count is cached: the counter is bumped before every call.
  const list = createList({ db, changesCounter: () => changes })
  const query = toQuery(each.parameters)
  const byEngine = () => {
    changes++
    return list(query)
  }
  const byDriver = createHand(driver, each)
  const [ours, theirs] = [await byEngine(), await byDriver()]
  if (ours.count !== theirs.count || ours.records?.join(',') !== theirs.results.toString('latin1')) {
    throw new Error(`${each.name}: the answers differ (${ours.count} and ${theirs.count})`)
  }
  const [a, b]: [number[], number[]] = [[], []]
  for (let round = 0; round <= rounds; round++) {
    const [ourMs, theirMs] = await timeBoth(byEngine, byDriver)
    if (round === 0) continue
    a.push(ourMs)
    b.push(theirMs)
  }
  say(`${each.name}: ${(a[0] ?? 0).toFixed(2)} ms, by the driver ${(b[0] ?? 0).toFixed(2)} ms`)
  const label = `list, ${each.name}`
  return [toRatioRow(`${label}, to the bare driver`, a, b), { label, unit: 'ms', values: a } satisfies Row]
}

function createHand(driver: postgres.Sql, { where, values, order = byDay }: DriverCase) {
  const matching = `state = 1 AND ${where}`
  const page = `SELECT id FROM listing WHERE ${matching} ORDER BY ${order} LIMIT ${pageSize}`
  const ask = <R extends object>(sql: string) => driver.unsafe<R[]>(sql, [...values], { prepare: true })
  return async () => {
    const [counted] = await ask<{ count: string }>(`SELECT count(*) AS count FROM listing WHERE ${matching}`)
    const rows = await ask<{ body: Buffer }>(
      `SELECT body FROM (${page}) AS page JOIN record USING (id) JOIN listing USING (id) ORDER BY ${order}`,
    )
    const parts = rows.flatMap(({ body }, i) => (i === 0 ? [body] : [Buffer.from(','), body]))
    return { count: Number(counted?.count), results: Buffer.concat(parts) }
  }
}

const runs = 20

/** Mean times of both, in turns. */
async function timeBoth(one: () => unknown, other: () => Promise<unknown>): Promise<[number, number]> {
  const sums: [number, number] = [0, 0]
  for (let run = 0; run < runs; run++) {
    const startMs = performance.now()
    one()
    const middleMs = performance.now()
    await other()
    sums[0] += middleMs - startMs
    sums[1] += performance.now() - middleMs
  }
  return [sums[0] / runs, sums[1] / runs]
}
