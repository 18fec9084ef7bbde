import { expect } from 'bun:test'
import { toVideoUrl } from '../../src/record/embed.ts'
import { findingCodes } from '../../src/record/quality/finding-codes.ts'
import { toFindings } from '../../src/record/quality/findings.ts'
import { parseListQuery } from '../../src/record/query/query.ts'
import { fromBody, type VideoRecord } from '../../src/record/record.ts'
import type { Visibility } from '../../src/record/state.ts'
import type { MemoryIndexes } from '../../src/store/search/memory-indexes.ts'
import { countedBySql, type ListStore } from './list-stores.ts'

interface Described {
  readonly id: number
  readonly codes: readonly string[]
}

/** What is found in each record that a caller sees, by the rules alone. */
export async function describeRecords({ db }: ListStore, visibility: Visibility): Promise<Described[]> {
  const rows = await db.query<{ body: Uint8Array }, []>('SELECT body FROM record ORDER BY id').all()
  const records = rows.map(({ body }) => fromBody(body)).filter(({ state }) => visibility === 'all' || state === 1)
  const categories = await db
    .query<{ title: string; startDate: string | null; endDate: string | null }, []>(
      'SELECT title, start_date AS "startDate", end_date AS "endDate" FROM category',
    )
    .all()
  const events = new Map(categories.map(({ title, ...dates }) => [title, dates]))
  const unknown = { startDate: null, endDate: null }
  return records.map((record) => {
    const surroundings = { event: events.get(record.category) ?? unknown, sameVideo: listSame(record, records) }
    return { id: record.id, codes: toFindings(record, surroundings).map(({ code }) => code) }
  })
}

function listSame({ id, source_url }: VideoRecord, records: readonly VideoRecord[]): number[] {
  if (source_url === '') return []
  const others = records.filter((each) => each.id !== id)
  return others.filter((each) => toVideoUrl(each.source_url) === toVideoUrl(source_url)).map((each) => each.id)
}

/** Each code finds the records that the rules name and that are shown, in memory and by SQL. */
export async function expectFindings(
  store: ListStore,
  indexes: MemoryIndexes,
  isShown: (id: number, code: string) => boolean = () => true,
): Promise<void> {
  for (const visibility of ['all', 'live'] as const) {
    const described = await describeRecords(store, visibility)
    for (const code of findingCodes) {
      const expected = described
        .filter(({ id, codes }) => codes.includes(code) && isShown(id, code))
        .map(({ id }) => id)
      for (const indexed of [indexes, countedBySql(indexes)]) {
        const found = await listIds(store, indexed, code, visibility)
        expect({ code, visibility, found }).toEqual({ code, visibility, found: expected })
      }
    }
  }
}

async function listIds(store: ListStore, indexes: MemoryIndexes, code: string, visibility: Visibility) {
  const ids: number[] = []
  for (let page = 1; ; page++) {
    const asked = new URLSearchParams({ finding: code, fields: 'id', page_size: '100', page: String(page) })
    const parsed = parseListQuery(asked, visibility)
    if (!parsed.ok) throw new Error(`not a list: ${code}`)
    const { count, records } = await store.createList(indexes)(parsed.query)
    ids.push(...(records ?? []).map((text): number => JSON.parse(text).id))
    if (ids.length < count && records?.length === 100) continue
    expect({ code, visibility, count: ids.length }).toEqual({ code, visibility, count })
    return ids.sort((one, other) => one - other)
  }
}
