import { openForReading } from '../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../src/store/sqlite/database.ts'
import { createList } from '../src/store/sqlite/list.ts'
import { toGeneratedStore } from './generate.ts'
import { toCategory } from './generated/record.ts'
import { measureMillion } from './growth/million.ts'
import { timeRounds, toQuery } from './hand/compare.ts'
import type { Context, Question, Row } from './harness/question.ts'
import { toRatioRow } from './harness/rounds.ts'

const [small, large] = [10_000, 100_000]

const pages: readonly { readonly [name: string]: string }[] = [
  {},
  { category: toCategory(0) },
  { language: 'English' },
  { language: 'Czech' },
  { has: 'flv' },
  { recorded_before: '2010-01-01' },
  { duration_min: '3600' },
  { ordering: 'title' },
  { ordering: '-updated' },
  { source_url: 'https://talks.example.org/77' },
  { id: '1,2,3,50,99' },
]

export const growthQuestion: Question = {
  name: 'growth',
  asks:
    'What do ten times the records cost a page that an index serves? ' +
    `${large.toLocaleString('en-US')} compared with ${small.toLocaleString('en-US')}, where the count is remembered. Then, among ` +
    'a million records and right after a write: a page, a search for a common word, facets; the first facets after a ' +
    'start, memory, and PATCHes. Goal: 10 ms, 50 ms, 100 ms, no long first time, 0.95 × the PATCHes of before ' +
    '(`BENCH_BEFORE` names another checkout).',
  isPinned: false,
  generator: 'bundled',
  async run(context) {
    return [...(await measureRatios(context)), ...(await measureMillion(context))]
  },
}

async function measureRatios({ rounds, say }: Context): Promise<readonly Row[]> {
  const open = async (records: number) => {
    const db = createSqliteDatabase(openForReading(await toGeneratedStore(records, say)))
    return createList({ db, changesCounter: () => 0 })
  }
  const [few, many] = [await open(small), await open(large)]
  const rows: Row[] = []
  for (const parameters of pages) {
    const query = toQuery(parameters)
    const times = await timeRounds(
      rounds,
      () => many(query),
      () => few(query),
    )
    const [manyMs, fewMs] = [times.map(([ms]) => ms), times.map(([, ms]) => ms)]
    const name = new URLSearchParams(parameters).toString() || 'no filter'
    say(`${name}: ${(manyMs[0] ?? 0).toFixed(3)} ms, ${(fewMs[0] ?? 0).toFixed(3)} ms`)
    rows.push(toRatioRow(`${name}, ten times the records`, manyMs, fewMs))
  }
  return rows
}
