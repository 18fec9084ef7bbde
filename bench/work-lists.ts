import { Database } from 'bun:sqlite'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toQualityBits } from '../src/record/quality/finding-codes.ts'
import { parseListQuery } from '../src/record/query/query.ts'
import { createListReader } from '../src/store/read/list/list.ts'
import { openForReading } from '../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../src/store/sqlite/database.ts'
import { createIndexes, createListSql } from '../src/store/sqlite/list.ts'
import { toGeneratedStore } from './generate.ts'
import type { Question, Row } from './harness/question.ts'
import { toRatioRow } from './harness/rounds.ts'

const records = 100_000
const plain = 'language=English'
const asked = [
  ...['missing=recorded', 'missing=duration', 'missing=tags', 'missing=media', 'missing=language'],
  ...['finding=same_video', 'finding=outside_event', 'finding=placeholder_text', 'finding=missing_duration'],
  ...['missing=duration,tags', 'whiteboard=0', 'host=youtube.com', 'added_after=2020-01-01'],
]
const runs = 20

export const workListsQuestion: Question = {
  name: 'work-lists',
  asks:
    `What does a page of what needs work cost compared with a page of one language, among ${records.toLocaleString('en-US')} ` +
    'records, right after a change? Goal: at most twice as much. `BENCH_STORE` names another store.',
  isPinned: false,
  generator: 'none',
  async run({ rounds, isQuick, say }) {
    const folder = mkdtempSync(join(tmpdir(), 'rostrum-work-lists-'))
    const generate = () => toGeneratedStore(isQuick ? 10_000 : records, say)
    const store = process.env.BENCH_STORE ?? addFindings(await generate(), join(folder, 'work.db'))
    const db = createSqliteDatabase(openForReading(store))
    try {
      const measure = await createMeasure(db)
      const [ratios, times]: [Row[], Row[]] = [[], []]
      for (const parameters of asked) {
        const found = await measureInTurns(measure, parameters, rounds)
        say(`${parameters}: ${(found.ours[0] ?? 0).toFixed(2)} ms, ${plain}: ${(found.plain[0] ?? 0).toFixed(2)} ms`)
        ratios.push(toRatioRow(`${parameters} to ${plain}`, found.ours, found.plain))
        times.push({ label: parameters, unit: 'ms', values: found.ours })
      }
      return [...ratios, ...times]
    } finally {
      await db.close()
      rmSync(folder, { recursive: true })
    }
  },
}

/** A copy with findings that generated records do not have: a few of each, and days outside of some events. */
function addFindings(store: string, copy: string): string {
  copyFileSync(store, copy)
  const db = new Database(copy)
  db.run(`UPDATE listing SET quality = quality | ${toQualityBits(['placeholder_text'])} WHERE id % 500 = 0`)
  db.run(`UPDATE listing SET source_url = 'https://example.org/' || (id / 2) WHERE id % 400 < 2`)
  db.run(`UPDATE category SET start_date = (SELECT recorded FROM listing WHERE category_id = category.id
    AND recorded IS NOT NULL GROUP BY recorded ORDER BY count(*) DESC LIMIT 1) WHERE id % 50 = 0`)
  db.close()
  return copy
}

type Measure = (parameters: string) => Promise<number>

/** The time of a page without cached counts: the counter is bumped before every call. */
async function createMeasure(db: ReturnType<typeof createSqliteDatabase>): Promise<Measure> {
  let changes = 0
  const indexes = createIndexes(db)
  while (await indexes.columns.loadSome());
  const deps = { db, indexes, changesCounter: () => changes }
  const list = createListReader(deps, indexes, createListSql(deps))
  return async (parameters) => {
    const parsed = parseListQuery(new URLSearchParams(parameters), 'live')
    if (!parsed.ok) throw new Error(`not a list: ${parameters}`)
    changes++
    const startMs = performance.now()
    await list(parsed.query)
    return performance.now() - startMs
  }
}

/** The median of some runs in each round; the first round warms up. */
async function measureInTurns(measure: Measure, parameters: string, rounds: number) {
  const [ours, others]: [number[], number[]] = [[], []]
  for (let round = 0; round <= rounds; round++) {
    const [own, plainTimes]: [number[], number[]] = [[], []]
    for (let run = 0; run < runs; run++) {
      own.push(await measure(parameters))
      plainTimes.push(await measure(plain))
    }
    if (round === 0) continue
    ours.push(toMedian(own))
    others.push(toMedian(plainTimes))
  }
  return { ours, plain: others }
}

const toMedian = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
