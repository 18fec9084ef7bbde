import { afterAll, beforeAll, expect, test } from 'bun:test'
import { toGeneratedStore } from '../../bench/generate.ts'
import { toCategory, toTag } from '../../bench/generated/record.ts'
import { toPersonName, toWord } from '../../bench/generated/words.ts'
import { parseListQuery } from '../../src/record/query/query.ts'
import { toSlug } from '../../src/record/text/slug.ts'
import type { Database as StoreDatabase } from '../../src/store/database.ts'
import { createActivity } from '../../src/store/read/activity.ts'
import { createChangeLog, createEventChanges } from '../../src/store/read/change-log.ts'
import type { MemoryIndexes } from '../../src/store/search/memory-indexes.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'
import { createIndexes, createList } from '../../src/store/sqlite/list.ts'
import { RecordingDatabase } from './recording-database.ts'

// Runner: long (making the store takes twenty seconds)

/** Enough records that SQLite has to choose between indexes. */
const records = 20_000
const makingTimeoutMs = 120_000

const common = [
  ...['', `category=${encodeURIComponent(toCategory(0))}`, 'language=English', 'recorded_after=2015-01-01'],
  ...[`speaker=${encodeURIComponent(toPersonName(0))}`, `tag=${encodeURIComponent(toTag(0))}`, 'speaker_id=5'],
  ...[`q=${toWord(0)}`, 'id=1,2,3,50,99', 'source_url=https://talks.example.org/77', 'duration_min=3600', 'has=mp4'],
  ...['added', 'updated', 'recorded', 'title', 'duration'].flatMap((field) => [
    `ordering=${field}`,
    `language=English&ordering=-${field}`,
  ]),
]

let db: RecordingDatabase
let loaded: MemoryIndexes
beforeAll(async () => {
  db = new RecordingDatabase(await toGeneratedStore(records, () => undefined), { readonly: true, strict: true })
  loaded = createIndexes(createSqliteDatabase(db))
  while (await loaded.columns.loadSome());
}, makingTimeoutMs)
afterAll(() => db.close())

for (const asks of common) {
  test(`The first page of ?${decodeURIComponent(asks)} scans no table, before the columns are loaded and after`, async () => {
    const indexes = createIndexes(createSqliteDatabase(db))
    expect((await explain(asks, indexes)).filter(isFullScan)).toEqual([])
    expect((await explain(asks, loaded)).filter(isFullScan)).toEqual([])
  })
}

test('every page behind a cursor begins in an index', async () => {
  for (const field of ['added', 'updated', 'recorded', 'title', 'duration']) {
    for (const ordering of [field, `-${field}`]) {
      const indexes = createIndexes(createSqliteDatabase(db))
      const asks = `ordering=${ordering}&cursor=${await toCursor(ordering, 5000)}`
      const steps = await explain(asks, indexes, /LIMIT/)
      expect(steps).not.toEqual([])
      expect(steps.filter((step) => step.startsWith('SCAN') || isSort(step))).toEqual([])
    }
  }
})

test('the changes of one author are read in order from an index', async () => {
  const log = createChangeLog(createSqliteDatabase(db), { readStoreId: async () => 'store' })
  db.takeRan()
  await log.readChanges({ since: 5, limit: 10, visibility: 'all', by: 'ann' })
  const [sql = ''] = db.takeRan().filter((ran) => /author = /.test(ran))
  const steps = db.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all()
  expect(steps.map(({ detail }) => [/author=\? AND seq>/.test(detail), isSort(detail)])).toEqual([[true, false]])
})

/** The steps of the statements of a read that have these words. */
async function explainRead(read: (db: StoreDatabase) => Promise<unknown>, wanted: RegExp): Promise<string[]> {
  db.takeRan()
  await read(createSqliteDatabase(db))
  const [sql = ''] = db.takeRan().filter((ran) => wanted.test(ran))
  return db
    .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => detail)
}

test('changes of an author in an event are read in the order of the log, from the index of authors', async () => {
  const all = { by: null, category: null, batch: null, day: null, cursor: null, limit: 10 }
  const category = toSlug(toCategory(0))
  const list = (query: Partial<typeof all> | object) => (store: StoreDatabase) =>
    createActivity(store).listActivity({ ...all, ...query })
  const ofAuthor = await explainRead(list({ category, by: 'ann' }), /seq IN/)
  expect(ofAuthor.filter((step) => /version_by_author/.test(step)).length).toBe(1)
  expect(ofAuthor.filter((step) => step.includes('SCAN version'))).toEqual([])
  const ofEvent = await explainRead(list({ category }), /seq IN/)
  expect(ofEvent.filter((step) => /listing_by_category/.test(step)).length).toBe(1)
  expect(ofEvent.filter((step) => step.includes('SCAN version'))).toEqual([])
})

test('the last changes of an event are found without reading all of its versions', async () => {
  const category = toSlug(toCategory(0))
  const steps = await explainRead(
    (store) => createEventChanges(store).listEventChanges({ category, limit: 50 }),
    /latest/,
  )
  // Once for the records that changed last, once for those with companions.
  expect(steps.filter((step) => /listing_by_category/.test(step)).length).toBe(2)
  expect(steps.filter((step) => /SCAN (?:version|listing|companion)/.test(step))).toEqual([])
})

test('no statement shows SQLite a limit for which it would plan anew at every run', async () => {
  for (const asks of ['', 'ordering=title', `q=${toWord(15_000)}`, `q=${toWord(0)}`, 'speaker=ba']) {
    db.takeRan()
    await createList({ db: createSqliteDatabase(db), changesCounter: () => 0 })(toQuery(asks))
    expect(db.takeRan().filter((sql) => /LIMIT \?(?! \+)/.test(sql))).toEqual([])
  }
})

/** Through a whole table; a walk through an index in the order of the list ends with the page. */
function isFullScan(step: string): boolean {
  return /^SCAN (?:listing|record|record_tag|record_speaker)\b/.test(step) && !step.includes('USING')
}

function isSort(step: string): boolean {
  return step.includes('TEMP B-TREE FOR ORDER BY')
}

/** The plans of all that a list runs, or of those statements that are wanted. */
async function explain(asks: string, indexes: MemoryIndexes, wanted = /^/): Promise<string[]> {
  const query = toQuery(asks)
  db.takeRan()
  await createList({ db: createSqliteDatabase(db), indexes, changesCounter: () => 0 })(query)
  const ran = db.takeRan()
  expect(ran.length).toBeGreaterThan(0)
  const plans = ran
    .filter((sql) => wanted.test(sql))
    .map((sql) => db.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all())
  return plans.flat().map(({ detail }) => detail)
}

/** Behind the record at this place. */
async function toCursor(ordering: string, place: number): Promise<string> {
  const query = toQuery(`ordering=${ordering}&cursor=`)
  const page = await createList({ db: createSqliteDatabase(db), changesCounter: () => 0 })({
    ...query,
    page: { is: 'skip', count: place },
  })
  if (page.nextCursor === null) throw new Error('no cursor')
  return page.nextCursor
}

function toQuery(asks: string) {
  const parsed = parseListQuery(new URLSearchParams(asks), 'live')
  if (!parsed.ok) throw new Error(`not a list: ${asks}`)
  return parsed.query
}
