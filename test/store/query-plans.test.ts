import { afterAll, beforeAll, expect, test } from 'bun:test'
import { toGeneratedStore } from '../../bench/generate.ts'
import { toCategory, toTag } from '../../bench/generated/record.ts'
import { toPersonName, toWord } from '../../bench/generated/words.ts'
import { parseListQuery } from '../../src/record/query/query.ts'
import { createList } from '../../src/store/sqlite/list.ts'
import { RecordingDatabase } from './recording-database.ts'

/** How SQLite goes about the SQL that a list really runs, on enough records that the engine has to choose. */
const records = 20_000
const makingTimeoutMs = 120_000

interface Plan {
  readonly asks: string
  /** Indexes that rows of lists are read by, for the count and for the page, each without a look at the rows. */
  readonly covering?: readonly string[]
  /** Other ways that must be gone. */
  readonly uses?: readonly string[]
  /** So few that they are sorted; all other lists come in order. */
  readonly sorts?: boolean
  readonly drafts?: boolean
}

const toPage = (field: string) => `listing_by_${field}`
const ofCategory = `category=${encodeURIComponent(toCategory(0))}`
const ofSpeaker = `speaker=${encodeURIComponent(toPersonName(0))}`
const ofTag = `tag=${encodeURIComponent(toTag(0))}`
const byId = 'SEARCH listing USING INTEGER PRIMARY KEY (rowid=?)'
const walk = 'SCAN listing USING COVERING INDEX listing_by_recorded'

const filters: readonly Plan[] = [
  { asks: '', covering: ['listing_by_state (state=?)'] },
  { asks: '', drafts: true, covering: ['listing_by_recorded'] },
  { asks: 'state=2', drafts: true, covering: ['listing_by_state (state=?)'] },
  { asks: ofCategory, covering: ['listing_by_category (category_id=? AND state=?)'] },
  { asks: 'language=English', covering: ['listing_by_language (language=? AND state=?)'] },
  { asks: 'language=Czech', covering: ['listing_by_language (language=? AND state=?)'] },
  { asks: 'recorded_after=2015-01-01', covering: ['listing_by_state (state=? AND recorded>?)'] },
  { asks: 'recorded_before=2015-01-01', covering: ['listing_by_state (state=? AND recorded<?)'] },
  { asks: 'duration_min=3600', covering: ['listing_by_duration (duration>?)', 'listing_by_recorded'] },
  { asks: 'duration_max=130', covering: ['listing_by_duration (duration<?)'], sorts: true },
  { asks: 'has=mp4', covering: ['listing_by_media_1 (state=?)'] },
  { asks: 'has=webm', covering: ['listing_by_media_2 (state=?)'] },
  { asks: 'has=ogv', covering: ['listing_by_media_4 (state=?)'] },
  { asks: 'has=flv', covering: ['listing_by_media_8 (state=?)'] },
  { asks: 'has=embed', covering: ['listing_by_media_16 (state=?)'] },
  { asks: 'has=thumbnail', covering: ['listing_by_media_32 (state=?)'] },
  { asks: 'source_url=https://talks.example.org/77', uses: ['INDEX listing_by_source (source_url=?)'], sorts: true },
  { asks: 'id=1,2,3,50,99', uses: [byId], sorts: true },
  { asks: ofSpeaker, uses: ['COVERING INDEX record_speaker_by_speaker (speaker_id=?)', byId], sorts: true },
  { asks: 'speaker=ba', uses: ['COVERING INDEX record_speaker_by_speaker (speaker_id=?)', byId, walk] },
  { asks: 'tag=ba', uses: ['COVERING INDEX record_tag_by_tag (tag_id=?)', byId, walk] },
  { asks: `q=${toWord(0)}`, uses: ['SCAN search VIRTUAL TABLE', byId, walk] },
  { asks: `q=${toWord(15_000)}`, uses: ['SCAN search VIRTUAL TABLE', byId], sorts: true },
]

const orderings: readonly Plan[] = ['added', 'updated', 'recorded', 'title', 'duration'].flatMap((field) => [
  { asks: `ordering=${field}`, covering: [toPage(field)] },
  { asks: `ordering=-${field}`, covering: [toPage(field)] },
])

const combinations: readonly Plan[] = [
  { asks: `${ofCategory}&language=English`, covering: ['listing_by_category (category_id=? AND state=?)'] },
  {
    asks: 'language=English&has=mp4&duration_min=3600',
    covering: ['listing_by_duration (duration>?)', toPage('recorded')],
  },
  {
    asks: 'language=English&recorded_after=2015-01-01',
    covering: ['listing_by_language (language=? AND state=? AND recorded>?)'],
  },
  { asks: 'language=Czech&ordering=-added', uses: ['listing_by_language (language=? AND state=?)'], sorts: true },
  {
    asks: `${ofCategory}&ordering=title`,
    covering: ['listing_by_category (category_id=? AND state=?)', toPage('title')],
  },
  { asks: `${ofSpeaker}&${ofTag}&ordering=-updated`, uses: [byId, 'SEARCH record_tag USING PRIMARY KEY'], sorts: true },
  { asks: `q=${toWord(0)}&ordering=title`, uses: [byId, 'COVERING INDEX listing_by_title'] },
  { asks: `q=${toWord(0)}&${ofCategory}`, uses: ['SCAN search VIRTUAL TABLE', byId], sorts: true },
]

let db: RecordingDatabase
beforeAll(() => {
  db = new RecordingDatabase(
    toGeneratedStore(records, () => undefined),
    { readonly: true, strict: true },
  )
}, makingTimeoutMs)
afterAll(() => db.close())

for (const plan of [...filters, ...orderings, ...combinations]) {
  const { asks, drafts = false, covering = [], uses = [], sorts = false } = plan
  test(`?${decodeURIComponent(asks)}${drafts ? ' with drafts' : ''} is read by ${[...covering, ...uses].join(', ')}`, () => {
    const steps = explain(asks, drafts)
    for (const index of covering) expect(steps.join('\n')).toContain(`USING COVERING INDEX ${index}`)
    for (const way of uses) expect(steps.join('\n')).toContain(way)
    expect(steps.filter(isPlainScan)).toEqual([])
    expect(steps.some((step) => step.includes('TEMP B-TREE FOR ORDER BY'))).toBe(sorts)
  })
}

test('where few can match, they are read without being counted first', () => {
  for (const asks of ['id=1,2,3,50,99', 'source_url=https://talks.example.org/77']) {
    db.takeRan()
    createList({ db, changesCounter: () => 0 })(toQuery(asks, false))
    expect(db.takeRan().filter((sql) => sql.includes('count('))).toEqual([])
  }
})

test('lists by id are read in the order of the rows', () => {
  for (const ordering of ['id', '-id']) expect(explain(`ordering=${ordering}`, false)).toContain('SCAN listing')
})

test('every page behind a cursor begins in an index', () => {
  for (const field of ['added', 'updated', 'recorded', 'title', 'duration']) {
    for (const ordering of [field, `-${field}`]) {
      const steps = explain(`ordering=${ordering}&cursor=${toCursor(ordering, 5000)}`, false, /^SELECT id,/)
      const column = field === 'title' ? 'title_key' : field
      expect(steps.filter((step) => !step.startsWith(`SEARCH listing USING COVERING INDEX`))).toEqual([])
      expect(steps.join('\n')).toContain(column)
    }
  }
})

test('no statement shows SQLite a limit for which it would plan anew at every run', () => {
  for (const asks of ['', 'ordering=title', `q=${toWord(15_000)}`, `q=${toWord(0)}`, ofSpeaker]) {
    db.takeRan()
    createList({ db, changesCounter: () => 0 })(toQuery(asks, false))
    expect(db.takeRan().filter((sql) => /LIMIT \?(?! \+)/.test(sql))).toEqual([])
  }
})

function isPlainScan(step: string): boolean {
  return /^SCAN (?:listing|record|record_tag|record_speaker)\b/.test(step) && !step.includes('USING')
}

/** The plans of all that a list runs, or of those statements that are wanted. */
function explain(asks: string, drafts: boolean, wanted = /^/): string[] {
  const query = toQuery(asks, drafts)
  db.takeRan()
  createList({ db, changesCounter: () => 0 })(query)
  const ran = db.takeRan()
  expect(ran.length).toBeGreaterThan(0)
  const plans = ran
    .filter((sql) => wanted.test(sql))
    .map((sql) => db.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all())
  return plans.flat().map(({ detail }) => detail)
}

/** Behind the record at this place. */
function toCursor(ordering: string, place: number): string {
  const query = toQuery(`ordering=${ordering}&cursor=`, false)
  const page = createList({ db, changesCounter: () => 0 })({ ...query, page: { is: 'skip', count: place } })
  if (page.nextCursor === null) throw new Error('no cursor')
  return page.nextCursor
}

function toQuery(asks: string, drafts: boolean) {
  const parsed = parseListQuery(new URLSearchParams(asks), drafts)
  if (!parsed.ok) throw new Error(`not a list: ${asks}`)
  return parsed.query
}
