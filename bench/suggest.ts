import { fromBody } from '../src/record/record.ts'
import { createCompletion } from '../src/store/completion/completion.ts'
import { openForReading } from '../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../src/store/sqlite/database.ts'
import { createIndexes } from '../src/store/sqlite/list.ts'
import { toGeneratedStore } from './generate.ts'
import { createRandom, type Random } from './generated/random.ts'
import type { Question, Row } from './harness/question.ts'

const records = 100_000
const typedTexts = 1_000

export const suggestQuestion: Question = {
  name: 'suggest',
  asks:
    `What do suggestions cost among ${records.toLocaleString('en-US')} records? ${typedTexts.toLocaleString('en-US')} ` +
    'beginnings of speakers and titles, every other with two letters swapped. Goal: 10 ms. `BENCH_STORE` names another store.',
  isPinned: false,
  generator: 'none',
  async run({ rounds, isQuick, say }) {
    const store = process.env.BENCH_STORE ?? (await toGeneratedStore(isQuick ? 10_000 : records, say))
    const db = createSqliteDatabase(openForReading(store))
    try {
      const indexes = createIndexes(db)
      for (const each of [indexes.columns, indexes.nameLoader, indexes.ranked]) while (await each.loadSome());
      say('loaded')
      const { suggest } = createCompletion({ db, indexes, changesCounter: () => 0, onStep: () => undefined })
      const texts = await readTexts(db)
      const kinds = { 'as typed': toTyped(texts), 'with an error': toTyped(texts).map(swapLetters) }
      const rows: Row[] = []
      for (const [name, typed] of Object.entries(kinds)) {
        const ask = (text: string) => suggest({ text, visibility: 'live' })
        rows.push(...(await measure(name, typed, rounds, ask)))
      }
      return rows
    } finally {
      await db.close()
    }
  },
}

/** Names of speakers and titles, in turns. */
async function readTexts(db: ReturnType<typeof createSqliteDatabase>): Promise<string[]> {
  const count = typedTexts / 4
  const names = await db.query<{ name: string }, [number]>('SELECT name FROM speaker ORDER BY slug LIMIT ?').all(count)
  const bodies = await db
    .query<{ body: Uint8Array }, [number]>('SELECT body FROM record ORDER BY id LIMIT ?')
    .all(count)
  return bodies.flatMap(({ body }, i) => [fromBody(body).title, names[i]?.name ?? ''])
}

/** The beginning of each text. */
function toTyped(texts: readonly string[]): string[] {
  const random = createRandom(1)
  return texts.map((text) => takeBeginning(random, text)).filter((text) => text !== '')
}

function takeBeginning(random: Random, text: string): string {
  const letters = [...text]
  return letters
    .slice(0, 1 + random.below(Math.max(1, letters.length)))
    .join('')
    .trim()
}

/** Swaps two letters in the middle. */
function swapLetters(text: string): string {
  const letters = [...text]
  const at = Math.floor(letters.length / 2)
  const [first = '', second = ''] = letters.splice(at, 2)
  letters.splice(at, 0, second, first)
  return letters.join('').trim() || text
}

async function measure(
  name: string,
  typed: readonly string[],
  rounds: number,
  ask: (text: string) => Promise<unknown>,
): Promise<Row[]> {
  const [middle, late, last]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round <= rounds; round++) {
    const times: number[] = []
    for (const text of typed) {
      const startMs = performance.now()
      await ask(text)
      times.push(performance.now() - startMs)
    }
    times.sort((a, b) => a - b)
    // The first round warms up.
    if (round === 0) continue
    for (const [values, share] of [
      [middle, 0.5],
      [late, 0.99],
      [last, 1],
    ] as const) {
      values.push(times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? Number.NaN)
    }
  }
  return [
    { label: `${name}, median`, unit: 'ms', values: middle },
    { label: `${name}, p99`, unit: 'ms', values: late },
    { label: `${name}, slowest`, unit: 'ms', values: last },
  ]
}
