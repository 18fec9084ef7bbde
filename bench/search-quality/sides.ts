import type { Database } from 'bun:sqlite'
import MiniSearch from 'minisearch'
import { searched } from '../../src/record/text/search-text.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'
import { createIndexes, createList } from '../../src/store/sqlite/list.ts'
import { toQuery } from '../hand/compare.ts'
import { type Talk, toTexts } from './talk.ts'

const pageSize = 10

/** One of the two engines. */
export interface Side {
  /** Ids of the first page, the best first, and how long the search took. */
  search(q: string): Promise<{ readonly ids: readonly number[]; readonly ms: number }>
}

/** The list as a query thread runs it for a public caller, with the bodies of the page. */
export async function createRostrum(db: Database): Promise<Side> {
  const database = createSqliteDatabase(db)
  const indexes = createIndexes(database)
  for (const each of [indexes.columns, indexes.ranked]) while (await each.loadSome());
  const list = createList({ db: database, indexes, changesCounter: () => 0 })
  return {
    async search(q) {
      const startMs = performance.now()
      const query = toQuery({ q, match: 'best', page_size: String(pageSize) })
      const { records } = await list(query)
      const ms = performance.now() - startMs
      return { ids: (records ?? []).map(readId), ms }
    },
  }
}

/** As its users set it up for texts with titles and names: without it, a description counts as much as a title. */
const options = { combineWith: 'OR', prefix: true, fuzzy: 0.2, boost: { title: 3, speakers: 2 } } as const

export function createMiniSearch(talks: readonly Talk[]): Side {
  const index = new MiniSearch({ fields: [...searched] })
  index.addAll(talks.map((talk) => ({ id: talk.id, ...toTexts(talk) })))
  return {
    async search(q) {
      const startMs = performance.now()
      const results = index.search(q, options)
      const ms = performance.now() - startMs
      return { ids: results.slice(0, pageSize).map(({ id }) => Number(id)), ms }
    },
  }
}

const readId = (body: string) => Number(JSON.parse(body).id)
