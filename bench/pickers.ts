import { openForReading } from '../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../src/store/sqlite/database.ts'
import { toGeneratedStore } from './generate.ts'
import type { Question } from './harness/question.ts'
import type { PageKind } from './site/page-requests.ts'
import { measureServerTime } from './site/server-time.ts'

const records = 100_000
/** Names of each kind; each is typed letter by letter. */
const typedNames = 12
const maxLetters = 8

export const pickersQuestion: Question = {
  name: 'pickers',
  asks:
    `What do the editor's pickers cost among ${records.toLocaleString('en-US')} records? Names of speakers, tags, ` +
    'events and languages, typed letter by letter. Goal: 10 ms. `BENCH_STORE` names another store.',
  isPinned: false,
  generator: 'none',
  async run({ rounds, isQuick, say }) {
    const store = process.env.BENCH_STORE ?? (await toGeneratedStore(isQuick ? 10_000 : records, say))
    return measureServerTime({ rounds, say }, store, await createRequests(store))
  },
}

async function createRequests(store: string): Promise<PageKind[]> {
  const db = createSqliteDatabase(openForReading(store))
  try {
    const read = async (kind: string, sql: string): Promise<PageKind> => {
      const names = await db.query<{ name: string }, [number]>(`${sql} LIMIT ?`).all(typedNames)
      return toKind(kind, [...names.flatMap(({ name }) => toBeginnings(name)), 'nobody has this'])
    }
    return [
      await read('speaker', 'SELECT name FROM speaker ORDER BY slug DESC'),
      await read('tag', 'SELECT name FROM tag ORDER BY slug'),
      await read('category', 'SELECT title AS name FROM category ORDER BY slug DESC'),
      toKind('language', ['English', 'German', 'Portuguese'].flatMap(toBeginnings)),
    ]
  } finally {
    await db.close()
  }
}

function toKind(kind: string, typed: readonly string[]): PageKind {
  return {
    name: kind,
    requests: typed.map((q) => ({
      pattern: '/edit/pick/:kind',
      params: { kind },
      query: `?${new URLSearchParams({ q })}`,
    })),
  }
}

function toBeginnings(name: string): string[] {
  const letters = [...name].slice(0, maxLetters)
  return letters.map((_, i) => letters.slice(0, i + 1).join(''))
}
