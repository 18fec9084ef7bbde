import { afterAll, beforeAll, expect, test } from 'bun:test'
import { toGeneratedStore } from '../../bench/generate.ts'
import { toCategory, toTag } from '../../bench/generated/record.ts'
import { toPersonName, toWord } from '../../bench/generated/words.ts'
import { parseListQuery } from '../../src/record/query/query.ts'
import { toSlug } from '../../src/record/text/slug.ts'
import type { Database as StoreDatabase } from '../../src/store/database.ts'
import { createActivity } from '../../src/store/read/audit/activity.ts'
import { createEventChanges } from '../../src/store/read/audit/event-changes.ts'
import { createChangeLog } from '../../src/store/read/change-log.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'
import { createList } from '../../src/store/sqlite/list.ts'
import { RecordingDatabase } from './recording-database.ts'

/** Lists must neither scan a table nor sort many rows. Enough records that SQLite has to choose between indexes. */
const records = 20_000
const makingTimeoutMs = 120_000

interface Question {
  readonly asks: string
  /** Matches so few records that they may be sorted. */
  readonly sorts?: boolean
  readonly drafts?: boolean
}

const ofCategory = `category=${encodeURIComponent(toCategory(0))}`
const ofSpeaker = `speaker=${encodeURIComponent(toPersonName(0))}`
const ofTag = `tag=${encodeURIComponent(toTag(0))}`

const filters: readonly Question[] = [
  { asks: '' },
  { asks: '', drafts: true },
  { asks: 'state=2', drafts: true },
  { asks: ofCategory },
  { asks: 'language=English' },
  { asks: 'language=Czech' },
  { asks: 'recorded_after=2015-01-01' },
  { asks: 'recorded_before=2015-01-01' },
  { asks: 'duration_min=3600' },
  { asks: 'duration_max=130', sorts: true },
  { asks: 'has=mp4' },
  { asks: 'has=webm' },
  { asks: 'has=ogv' },
  { asks: 'has=flv' },
  { asks: 'has=embed' },
  { asks: 'has=thumbnail' },
  { asks: 'has_any=mp4,webm' },
  { asks: 'speaker_id=5', sorts: true },
  { asks: 'tag_id=5&ordering=-added', sorts: true },
  { asks: 'source_url=https://talks.example.org/77', sorts: true },
  { asks: 'id=1,2,3,50,99', sorts: true },
  { asks: ofSpeaker, sorts: true },
  { asks: 'speaker=ba' },
  { asks: 'tag=ba' },
  { asks: `q=${toWord(0)}` },
  { asks: `q=${toWord(15_000)}`, sorts: true },
]

const orderings: readonly Question[] = ['added', 'updated', 'recorded', 'title', 'duration'].flatMap((field) => [
  { asks: `ordering=${field}` },
  { asks: `ordering=-${field}` },
])

const combinations: readonly Question[] = [
  { asks: `${ofCategory}&language=English` },
  { asks: 'language=English&has=mp4&duration_min=3600' },
  { asks: 'language=English&recorded_after=2015-01-01' },
  { asks: 'language=Czech&ordering=-added', sorts: true },
  { asks: `${ofCategory}&ordering=title` },
  { asks: `${ofSpeaker}&${ofTag}&ordering=-updated`, sorts: true },
  { asks: `q=${toWord(0)}&ordering=title` },
  { asks: `q=${toWord(0)}&${ofCategory}`, sorts: true },
]

let db: RecordingDatabase
beforeAll(async () => {
  db = new RecordingDatabase(await toGeneratedStore(records, () => undefined), { readonly: true, strict: true })
}, makingTimeoutMs)
afterAll(() => db.close())

for (const { asks, drafts = false, sorts = false } of [...filters, ...orderings, ...combinations]) {
  const what = sorts ? 'scans no table' : 'scans no table and sorts nothing'
  test(`?${decodeURIComponent(asks)}${drafts ? ' with drafts' : ''} ${what}`, async () => {
    const steps = await explain(asks, drafts)
    expect(steps.filter(isFullScan)).toEqual([])
    if (!sorts) expect(steps.filter(isSort)).toEqual([])
  })
}

test('where few can match, they are read without being counted first', async () => {
  for (const asks of ['id=1,2,3,50,99', 'source_url=https://talks.example.org/77']) {
    db.takeRan()
    await createList({ db: createSqliteDatabase(db), changesCounter: () => 0 })(toQuery(asks, false))
    expect(db.takeRan().filter((sql) => sql.includes('count('))).toEqual([])
  }
})

test('lists by id are read in the order of the rows', async () => {
  for (const ordering of ['id', '-id'])
    expect((await explain(`ordering=${ordering}`, false)).filter(isSort)).toEqual([])
})

test('every page behind a cursor begins in an index', async () => {
  for (const field of ['added', 'updated', 'recorded', 'title', 'duration']) {
    for (const ordering of [field, `-${field}`]) {
      const steps = await explain(`ordering=${ordering}&cursor=${await toCursor(ordering, 5000)}`, false, /value_0/)
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
  expect(steps.filter((step) => /listing_by_category/.test(step)).length).toBe(1)
  expect(steps.filter((step) => step.includes('SCAN version') || step.includes('SCAN listing'))).toEqual([])
})

test('no statement shows SQLite a limit for which it would plan anew at every run', async () => {
  for (const asks of ['', 'ordering=title', `q=${toWord(15_000)}`, `q=${toWord(0)}`, ofSpeaker]) {
    db.takeRan()
    await createList({ db: createSqliteDatabase(db), changesCounter: () => 0 })(toQuery(asks, false))
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
async function explain(asks: string, drafts: boolean, wanted = /^/): Promise<string[]> {
  const query = toQuery(asks, drafts)
  db.takeRan()
  await createList({ db: createSqliteDatabase(db), changesCounter: () => 0 })(query)
  const ran = db.takeRan()
  expect(ran.length).toBeGreaterThan(0)
  const plans = ran
    .filter((sql) => wanted.test(sql))
    .map((sql) => db.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all())
  return plans.flat().map(({ detail }) => detail)
}

/** Behind the record at this place. */
async function toCursor(ordering: string, place: number): Promise<string> {
  const query = toQuery(`ordering=${ordering}&cursor=`, false)
  const page = await createList({ db: createSqliteDatabase(db), changesCounter: () => 0 })({
    ...query,
    page: { is: 'skip', count: place },
  })
  if (page.nextCursor === null) throw new Error('no cursor')
  return page.nextCursor
}

function toQuery(asks: string, drafts: boolean) {
  const parsed = parseListQuery(new URLSearchParams(asks), drafts ? 'all' : 'live')
  if (!parsed.ok) throw new Error(`not a list: ${asks}`)
  return parsed.query
}
