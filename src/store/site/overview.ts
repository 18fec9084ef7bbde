import { mediaKinds } from '../../record/fields.ts'
import { type CountedDays, findMainDays } from '../../record/quality/event-days.ts'
import { isOddDuration } from '../../record/quality/finding-codes.ts'
import { live } from '../../record/state.ts'
import { findTitleYear, toSeriesKey } from '../../record/text/series.ts'
import type { ColumnData, RecordColumns } from '../columns/record-columns.ts'
import { sourceBit, unknownDay } from '../columns/slots.ts'
import type { Database } from '../database.ts'
import { deadRecordsSql } from '../link/link-sql.ts'
import { createMemo, getOrMake } from '../read/memo.ts'
import type { MemoryIndexes } from '../search/memory-indexes.ts'
import type {
  DayCount,
  Editions,
  EventRow,
  LengthCount,
  NamedCount,
  Statistics,
  Summary,
  YearStatistics,
} from '../site-reads.ts'
import type { SlowReads } from '../store.ts'
import { ensureColumns, type SiteReadDeps } from './site-deps.ts'

const maxLargest = 30
const unknownDuration = -1

/** Numbers of all live records for the home page and the statistics. Counted in the columns, and cached until a change. */
export function createOverview({
  db,
  indexes,
  changesCounter,
}: SiteReadDeps): Pick<SlowReads, 'summarise' | 'listEvents' | 'findEditions' | 'readStatistics'> {
  const { columns } = indexes
  const readEvents = createEventReader(db, columns)
  const countSpeakers = createSpeakerCount(db, indexes)
  const findEditions = createEditions()
  const listDead = db.query<{ id: number }, []>(deadRecordsSql)
  const keep = <T>(read: () => Promise<T>) => {
    const memo = createMemo<T>(changesCounter)
    const readLoaded = async () => {
      await ensureColumns(columns)
      return read()
    }
    return () => memo('', () => db.transaction('read', readLoaded))
  }
  const toLanguages = () => columns.listLanguages('live').sort((a, b) => b.count - a.count)
  const listEvents = keep(readEvents)
  return {
    summarise: keep(async () => summarise(columns, await countSpeakers(), toLanguages())),
    listEvents,
    findEditions: async (slug) => findEditions(await listEvents(), slug),
    readStatistics: keep(
      async (): Promise<Statistics> => ({
        ...countLives(columns.data, new Set((await listDead.all()).map(({ id }) => columns.data.slots.toSlot(id)))),
        languages: toLanguages(),
        largestEvents: findLargest(await readEvents()),
      }),
    ),
  }
}

function summarise(columns: RecordColumns, speakers: number, languages: readonly NamedCount[]): Summary {
  const { data, countAll, countNames, listFileKinds } = columns
  const { states, durations } = data.arrays()
  let [seconds, oddLengths] = [0, 0]
  for (let slot = 1; slot < data.slots.end(); slot++) {
    const duration = durations[slot] ?? unknownDuration
    if (states[slot] !== live || duration === unknownDuration) continue
    if (isOddDuration(duration)) oddLengths++
    else seconds += duration
  }
  return {
    talks: countAll('live'),
    seconds,
    oddLengths,
    speakers,
    categories: countNames('category', 'live'),
    languages,
    fileKinds: listFileKinds(data.counts.visible('live')),
  }
}

/** Counts the speakers of live records; those that differ in case and accents only are one, as in lists of the site. */
function createSpeakerCount(db: Database, { columns, names, nameLoader }: MemoryIndexes): () => Promise<number> {
  const listAlike = db.query<{ id: number; key: string }, []>(
    'SELECT id, key FROM speaker WHERE key IN (SELECT key FROM speaker GROUP BY key HAVING count(*) > 1)',
  )
  let alike: readonly { readonly id: number; readonly key: string }[] = []
  let revision = -1

  return async () => {
    await nameLoader.catchUp()
    // The query reads all names, and most changes leave them as they are.
    if (!nameLoader.isComplete() || revision !== names.revision()) alike = await listAlike.all()
    revision = nameLoader.isComplete() ? names.revision() : -1
    const used = alike.filter(({ id }) => columns.countOf('speaker', id, 'live') > 0)
    return columns.countNames('speaker', 'live') - used.length + new Set(used.map(({ key }) => key)).size
  }
}

/** Events of the same size keep their order. */
function findLargest(events: readonly EventRow[]): EventRow[] {
  return events.toSorted((a, b) => b.count - a.count).slice(0, maxLargest)
}

function createEditions() {
  /** By title and series: parsing the titles of all events takes longer than the rest of a page. */
  const keys = new Map<string, string>()
  const toKey = (event: EventRow) => getOrMake(keys, `${event.title}\n${event.series}`, () => toSeriesKey(event) ?? '')

  return (events: readonly EventRow[], slug: string): Editions => {
    const event = events.find((each) => each.slug === slug)
    if (event === undefined) return { own: null, previous: null, next: null }
    const key = toKey(event)
    if (key === '' || toEditionTime(event) === '') return { own: event, previous: null, next: null }
    const isEdition = (each: EventRow) => toKey(each) === key && toEditionTime(each) !== ''
    const editions = events.filter(isEdition).sort((a, b) => compareTexts(toEditionTime(a), toEditionTime(b)))
    const index = editions.indexOf(event)
    return { own: event, previous: editions[index - 1] ?? null, next: editions[index + 1] ?? null }
  }
}

/** When an event took place, as far as it is known: a day, or the year in its title. */
const toEditionTime = ({ startDate, title, firstDay }: EventRow) => startDate ?? findTitleYear(title) ?? firstDay ?? ''

interface CategoryNames {
  readonly id: number
  readonly title: string
  readonly slug: string
  readonly startDate: string | null
  readonly endDate: string | null
  readonly place: string
  readonly series: string
  readonly listed: number
  readonly mergedInto: number | null
}

/** The categories that the public sees, with their live records; the latest first. */
function createEventReader(db: Database, columns: RecordColumns): () => Promise<readonly EventRow[]> {
  const listCategories = db.query<CategoryNames, []>(
    `SELECT id, title, slug, start_date AS "startDate", end_date AS "endDate", place, series, listed,
      merged_into AS "mergedInto" FROM category ORDER BY title`,
  )
  const readTotals = createTotals(columns)
  return async () => {
    const categories = await listCategories.all()
    const totals = readTotals(categories.map(({ id }) => id))
    const rows = categories.flatMap(({ id, listed, mergedInto, ...names }) => {
      const { revision: _, ...found } = totals.get(id) ?? noTotals
      return found.count === 0 && (listed !== 1 || mergedInto !== null) ? [] : [{ ...names, ...found }]
    })
    // Sorting is stable, so that others follow in the order of their titles.
    return rows.sort((a, b) => compareTexts(toEnd(b), toEnd(a)))
  }
}

const toEnd = ({ startDate, lastDay }: EventRow) => lastDay ?? startDate ?? ''
const compareTexts = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)

/** What an event shows of its live records. */
interface Totals extends Pick<EventRow, 'count' | 'firstDay' | 'lastDay' | 'pictureId'> {
  readonly revision: number
}

const noTotals: Totals = { count: 0, firstDay: null, lastDay: null, pictureId: null, revision: 0 }

/** Counts again only the categories whose records have changed. */
function createTotals({ data, toId }: RecordColumns) {
  let totals = new Map<number, Totals>()

  function count(category: number, slots: readonly number[]): Totals {
    const { days, media } = data.arrays()
    const known = slots.map((slot) => days[slot] ?? unknownDay).filter((day) => day !== unknownDay)
    const [first, last] = findMainDays(countDays(known.sort((a, b) => a - b))) ?? [unknownDay, unknownDay]
    const pictures = slots.filter((slot) => ((media[slot] ?? 0) & thumbnailBit) !== 0).map(toId)
    return {
      ...{ count: slots.length, firstDay: toDay(first), lastDay: toDay(last) },
      // The order of slots differs between threads.
      pictureId: pictures.length === 0 ? null : pictures.reduce((least, id) => Math.min(least, id)),
      revision: data.counts.revisionOf(category),
    }
  }

  return (categories: readonly number[]): ReadonlyMap<number, Totals> => {
    const isKnown = (id: number) => totals.get(id)?.revision === data.counts.revisionOf(id)
    const found = listSlots(data, new Set(categories.filter((id) => !isKnown(id))))
    totals = new Map(
      categories.map((id) => [id, (isKnown(id) ? totals.get(id) : undefined) ?? count(id, found.get(id) ?? [])]),
    )
    return totals
  }
}

/** The slots of the live records of these categories. */
export function listSlots(
  { arrays, slots, counts }: ColumnData,
  wanted: ReadonlySet<number>,
): ReadonlyMap<number, readonly number[]> {
  const found = new Map(Array.from(wanted, (category): [number, number[]] => [category, []]))
  if (wanted.size === 0) return found
  const { states, categories } = arrays()
  const isWanted = new Uint8Array(counts.by('category', 'live').length)
  for (const category of wanted) isWanted[category] = 1
  for (let slot = 1; slot < slots.end(); slot++) {
    const category = categories[slot] ?? 0
    if (isWanted[category] === 1 && states[slot] === live) found.get(category)?.push(slot)
  }
  return found
}

/** Days in order, each with the number of times it is there. */
function countDays(days: readonly number[]): CountedDays {
  const counts = new Map<number, number>()
  for (const day of days) counts.set(day, (counts.get(day) ?? 0) + 1)
  return [...counts]
}

const msPerDay = 86_400_000

export function toDay(day: number): string | null {
  return day === unknownDay ? null : new Date(day * msPerDay).toISOString().slice(0, 10)
}

/** The days of an event with the number of its live records, in order. Cached until a change. */
export function createDays({ db, indexes: { columns }, changesCounter }: SiteReadDeps): SlowReads['listDays'] {
  const findId = db.query<{ id: number }, [string]>('SELECT id FROM category WHERE slug = ?')
  const memo = createMemo<readonly DayCount[]>(changesCounter)

  async function read(slug: string): Promise<readonly DayCount[]> {
    await ensureColumns(columns)
    const category = (await findId.get(slug))?.id ?? 0
    const { days } = columns.data.arrays()
    const slots = listSlots(columns.data, new Set([category])).get(category) ?? []
    const known = slots.map((slot) => days[slot] ?? unknownDay).filter((day) => day !== unknownDay)
    return countDays(known.sort((a, b) => a - b)).map(([day, count]) => ({ day: toDay(day) ?? '', count }))
  }

  return (slug) => memo(slug, () => db.transaction('read', () => read(slug)))
}

/** Numbers of years are one more than the year; 0 is the unknown one. */
const yearEnd = 10_001
const secondsPerStep = 300
/** Steps of five minutes up to two hours, and one for all that is longer. */
const lengthSteps = 25

const toBits = (kinds: readonly string[]) =>
  mediaKinds.reduce((bits, kind, i) => (kinds.includes(kind) ? bits | (1 << i) : bits), 0)
const thumbnailBit = toBits(['thumbnail'])
const playableBits = sourceBit | toBits(['mp4', 'webm', 'ogv', 'flv'])

/** The numbers of a year, in the order of its counts. */
const counted = [
  'talks',
  'seconds',
  'withLanguage',
  'withDuration',
  'withSpeakers',
  'withTags',
  'withThumbnail',
  'withMedia',
] as const satisfies readonly (keyof YearStatistics)[]

interface CountedLives {
  readonly years: readonly YearStatistics[]
  readonly lengths: readonly LengthCount[]
}

/** One pass over all live records. `dead`: slots of those that nobody can watch any more. */
function countLives(data: ColumnData, dead: ReadonlySet<number>): CountedLives {
  // One flat array: a few milliseconds per 100,000 records, where an array per number takes three times as long.
  const counts = new Float64Array(yearEnd * counted.length)
  const lengths = new Uint32Array(lengthSteps)
  const add = (index: number, amount: number) => {
    counts[index] = (counts[index] ?? 0) + amount
  }
  const { states, years, durations, languages, media } = data.arrays()
  for (let slot = 1; slot < data.slots.end(); slot++) {
    if (states[slot] !== live) continue
    const year = (years[slot] ?? 0) * counted.length
    const duration = durations[slot] ?? unknownDuration
    const isPlausible = duration !== unknownDuration && !isOddDuration(duration)
    const bits = media[slot] ?? 0
    add(year, 1)
    add(year + 1, isPlausible ? duration : 0)
    add(year + 2, languages[slot] === 0 ? 0 : 1)
    add(year + 3, duration === unknownDuration ? 0 : 1)
    add(year + 4, data.speakers.has(slot) ? 1 : 0)
    add(year + 5, data.tags.has(slot) ? 1 : 0)
    add(year + 6, (bits & thumbnailBit) === 0 ? 0 : 1)
    add(year + 7, (bits & playableBits) === 0 || dead.has(slot) ? 0 : 1)
    const step = Math.min(lengthSteps - 1, Math.floor(duration / secondsPerStep))
    if (isPlausible) lengths[step] = (lengths[step] ?? 0) + 1
  }
  return { years: toYears(counts), lengths: toLengths(lengths) }
}

function toYears(counts: Float64Array): YearStatistics[] {
  const years: YearStatistics[] = []
  for (let number = 0; number < yearEnd; number++) {
    const index = number * counted.length
    if (counts[index] === 0) continue
    const get = (name: (typeof counted)[number]) => counts[index + counted.indexOf(name)] ?? 0
    years.push({
      year: number === 0 ? null : number - 1,
      talks: get('talks'),
      seconds: get('seconds'),
      withLanguage: get('withLanguage'),
      withDuration: get('withDuration'),
      withSpeakers: get('withSpeakers'),
      withTags: get('withTags'),
      withThumbnail: get('withThumbnail'),
      withMedia: get('withMedia'),
    })
  }
  return years
}

function toLengths(lengths: Uint32Array): LengthCount[] {
  return Array.from(lengths, (count, step) => ({
    fromSeconds: step * secondsPerStep,
    toSeconds: step === lengthSteps - 1 ? null : (step + 1) * secondsPerStep,
    count,
  }))
}
