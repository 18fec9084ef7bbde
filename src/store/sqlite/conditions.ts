import type { Database } from 'bun:sqlite'
import { type Filters, mediaKinds } from '../../record/query.ts'
import { createOutsideConditions, type Outside, type SearchPart } from './outside-conditions.ts'
import type { Condition, Value } from './statements.ts'

/** What must hold of a row of `listing`, in the shapes that different ways of reading need. */
export interface Conditions {
  /** For a look at everything that matches: begins where there is least to look at. */
  readonly gather: Condition & { readonly from: string }
  /** Whether `gather` comes in the default order by itself. */
  readonly isInDayOrder: boolean
  /** The same, but begins with the search's words, so that matches can be weighed. */
  readonly weigh: Condition & { readonly from: string }
  /** For a walk through an index, one row after the other. */
  readonly walk: Condition
  /** What it costs to ask one row, where passing it costs 1. */
  readonly walkCost: number
  /** How many rows match. */
  readonly count: Condition
  /** Whether these are simply the live ones. */
  readonly isAllLive: boolean
}

/** What no row fulfils. */
export const nothing: Conditions = {
  gather: { from: 'listing', sql: 'FALSE', values: [] },
  isInDayOrder: true,
  weigh: { from: 'search, listing', sql: 'FALSE', values: [] },
  walk: { sql: 'FALSE', values: [] },
  walkCost: 1,
  count: { sql: 'SELECT 0 AS count', values: [] },
  isAllLive: false,
}

/** Values reach SQLite as parameters only; what stands in the text is ours. Null where nothing can match. */
export function createConditions(db: Database): (filters: Filters, part?: SearchPart) => Conditions | null {
  const findCategories = db.query<{ id: number }, [string, string]>(
    'SELECT id FROM category WHERE slug = ? OR title = ?',
  )
  const { toSpeaker, toTag, toSearch } = createOutsideConditions(db)

  return (filters, part = 'all') => {
    const { state, category, drafts, search } = filters
    if (!drafts && state === 2) return null
    if (search !== undefined && search.all.length + search.none.length === 0) return null
    const categories = category === undefined ? null : findCategories.all(category, category).map((row) => row.id)
    if (categories?.length === 0) return null
    const names = [...filters.speakers.map(toSpeaker), ...filters.tags.map(toTag)]
    const known = names.filter((each) => each !== null)
    if (known.length < names.length) return null
    const seen = drafts ? given('state = ?', state) : [{ sql: 'state = 1', values: [] }]
    const own = [...(categories === null ? [] : [isIn('category_id', categories)]), ...toOwnConditions(filters)]
    const outside = [...known, ...toSearch(search?.all ?? [], search?.none ?? [], part)]
    const isOnlyLive = !drafts && own.length === 0
    const joined = join([...seen, ...own], outside, isFew(filters))
    return {
      ...joined,
      isInDayOrder: seen.length > 0 && isInDayOrder(filters, categories?.length ?? 0, outside),
      count: (isOnlyLive ? toShortCount(outside) : null) ?? toCount([...seen, ...own], outside, isFew(filters)),
      isAllLive: isOnlyLive && outside.length === 0,
    }
  }
}

function toOwnConditions(filters: Filters): Condition[] {
  return [
    ...given('language = ?', filters.language),
    ...given('recorded >= ?', filters.recordedAfter),
    ...given('recorded <= ?', filters.recordedBefore),
    ...given('duration >= ?', filters.durationMin),
    ...given('duration <= ?', filters.durationMax),
    ...filters.has.map((kind) => ({ sql: `media & ${1 << mediaKinds.indexOf(kind)}`, values: [] })),
    ...given(`(source_url = ? AND source_url <> '')`, filters.sourceUrl),
    ...(filters.ids === undefined ? [] : [isIn('id', filters.ids)]),
  ]
}

/** Then it costs less to ask each row than to collect anything. */
const isFew = ({ ids, sourceUrl }: Filters) => ids !== undefined || sourceUrl !== undefined

/** The indexes of category, language, media and state go on in the default order; other ways to begin do not. */
function isInDayOrder(filters: Filters, categoryCount: number, outside: readonly Outside[]): boolean {
  const isByDuration = filters.durationMin !== undefined || filters.durationMax !== undefined
  const isByRow = isFew(filters) || outside.some(({ excluded }) => excluded === null)
  return !isByRow && categoryCount < 2 && (categoryCount === 1 || !isByDuration)
}

function join(own: readonly Condition[], outside: readonly Outside[], isFew: boolean) {
  return {
    gather: gather(own, outside, isFew),
    weigh: begin(outside.at(-1), own, outside, maxCollectedCost),
    walk: toAnd([...own, ...outside.map(({ probe }) => probe)]),
    walkCost: outside.reduce((sum, { probeCost }) => sum + probeCost, 1),
  }
}

/** More costly questions are not asked of each of a few thousand rows: their answers are collected instead. */
const maxCollectedCost = 100

function gather(own: readonly Condition[], outside: readonly Outside[], isFew: boolean) {
  if (isFew) return begin(undefined, own, outside, Number.POSITIVE_INFINITY)
  const drivers = outside.filter(({ source }) => source !== null)
  const few = outside.length < 2 ? undefined : drivers.find(({ source }) => source?.isFew())
  return begin(few ?? drivers[0], own, outside, few === undefined ? 0 : maxCollectedCost)
}

/** The driver says which rows there are; of the others, those are asked of each row that cost no more than `maxCost`. */
function begin(driver: Outside | undefined, own: readonly Condition[], outside: readonly Outside[], maxCost: number) {
  const others = outside.filter((each) => each !== driver)
  const asked = others.map(({ probe, probeCost, member }) => (probeCost <= maxCost ? probe : member))
  const source = driver?.source ?? null
  const from = source === null ? 'listing' : `${source.table} CROSS JOIN listing ON listing.id = ${source.id}`
  return { from, ...toAnd([...(source === null ? [] : [source]), ...own, ...asked]) }
}

function toAnd(conditions: readonly Condition[]): Condition {
  const sql = conditions.map((each) => each.sql).join(' AND ')
  return { sql: sql === '' ? 'TRUE' : sql, values: conditions.flatMap((each) => each.values) }
}

/** Where words must not be there, those that have them are counted and taken off. */
function toCount(own: readonly Condition[], outside: readonly Outside[], isFew: boolean): Condition {
  const last = outside.at(-1)
  if (last?.excluded && !isFew) {
    const others = outside.slice(0, -1)
    const [all, excluded] = [toCount(own, others, false), toCount(own, [...others, last.excluded], false)]
    return { sql: `SELECT (${all.sql}) - (${excluded.sql}) AS count`, values: [...all.values, ...excluded.values] }
  }
  const { from, sql, values } = gather(own, outside, isFew)
  return { sql: `SELECT count(*) AS count FROM ${from}${sql === 'TRUE' ? '' : ` WHERE ${sql}`}`, values }
}

/** Live ones are all but the drafts, which are few; all of a table or of one name are counted without a look at them. */
function toShortCount(outside: readonly Outside[]): Condition | null {
  const drafts = 'SELECT count(*) FROM listing WHERE state > 1'
  const [only, ...more] = outside
  if (only === undefined) return { sql: `SELECT (SELECT count(*) FROM listing) - (${drafts}) AS count`, values: [] }
  const { source, probe, probeCost } = only
  if (more.length > 0 || source === null || probeCost > maxCollectedCost || source.isFew()) return null
  const all = `SELECT count(*) FROM ${source.table} WHERE ${source.sql}`
  return {
    sql: `SELECT (${all}) - (${drafts} AND ${probe.sql}) AS count`,
    values: [...source.values, ...probe.values],
  }
}

function given(sql: string, value: Value | undefined): Condition[] {
  return value === undefined ? [] : [{ sql, values: [value] }]
}

function isIn(column: string, values: readonly number[]): Condition {
  if (values.length === 1) return { sql: `${column} = ?`, values }
  return { sql: `${column} IN (${values.map(() => '?').join(', ')})`, values }
}
