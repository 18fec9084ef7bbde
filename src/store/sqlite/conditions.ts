import type { Database } from 'bun:sqlite'
import { type Filters, mediaKinds } from '../../record/query.ts'
import { toNameCondition } from './name-conditions.ts'
import { type SearchPart, toSearchConditions } from './search-conditions.ts'

export type Value = string | number
export interface Condition {
  readonly sql: string
  readonly values: readonly Value[]
}

/** A condition that looks beyond the row. It can be asked of one row after the other, or say which rows there are. */
export interface Outside {
  /** Of one row. */
  readonly probe: Condition
  /** What one answer costs, where passing a row of an index costs 1. */
  readonly probeCost: number
  /** Of many rows: its answers are collected once. */
  readonly member: Condition
  /** Comes before `listing` and says the rows; null where it cannot say each once. */
  readonly source: Source | null
}

export interface Source extends Condition {
  readonly from: string
}

/** What must hold of a row of `listing`. */
export interface Conditions {
  /** For a look at everything that matches: begins where there is least to look at. */
  readonly gather: Source
  /** For a walk through an index, one row after the other. */
  readonly walk: Condition
  readonly walkCost: number
  /** Whether `gather` comes in the default order by itself. */
  readonly isInDayOrder: boolean
  /** What counts the rows sooner than `gather` could. */
  readonly shortCount: Condition | null
}

/** Values reach SQLite as parameters only; what stands in the text is ours. Null where nothing can match. */
export function createConditions(db: Database): (filters: Filters, part?: SearchPart) => Conditions | null {
  const findCategories = db.query<{ id: number }, [string, string]>(
    'SELECT id FROM category WHERE slug = ? OR title = ?',
  )

  return (filters, part = 'all') => {
    const { state, category, drafts } = filters
    if (!drafts && state === 2) return null
    const categories = category === undefined ? null : findCategories.all(category, category).map((row) => row.id)
    const names = [
      ...filters.speakers.map((piece) => toNameCondition(db, 'speaker', piece)),
      ...filters.tags.map((piece) => toNameCondition(db, 'tag', piece)),
    ]
    if (categories?.length === 0 || names.includes(null)) return null
    const seen = drafts ? given('state = ?', state) : [{ sql: 'state = 1', values: [] }]
    const own = [...(categories === null ? [] : [isIn('category_id', categories)]), ...toOwnConditions(filters)]
    const outside = [...names.filter((each) => each !== null), ...toSearchConditions(filters, part)]
    const order = { isInDayOrder: seen.length > 0 && isInDayOrder(filters, categories, outside) }
    return { ...join([...seen, ...own], outside, isFew(filters)), ...order, shortCount: toShortCount(seen, own, outside) }
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

/** Rows so few that asking each is less than collecting any answer. */
const isFew = ({ ids, sourceUrl }: Filters) => ids !== undefined || sourceUrl !== undefined

/** The indexes of category, language, media and state go on in the default order; other ways to begin do not. */
function isInDayOrder(filters: Filters, categories: readonly number[] | null, outside: readonly Outside[]): boolean {
  const { durationMin, durationMax, language, has } = filters
  const hasDuration = durationMin !== undefined || durationMax !== undefined
  const hasIndex = categories?.length === 1 || language !== undefined || has.length > 0
  return (
    !isFew(filters) &&
    (categories?.length ?? 1) === 1 &&
    outside.every(({ source, member }) => source === null && member.sql.startsWith('NOT')) &&
    (hasIndex || !hasDuration)
  )
}

function join(own: readonly Condition[], outside: readonly Outside[], isFew: boolean) {
  const driver = isFew ? undefined : outside.find(({ source }) => source !== null)
  const others = outside.filter((each) => each !== driver).map(({ probe, member }) => (isFew ? probe : member))
  const first = driver?.source ?? { from: 'listing', sql: '', values: [] }
  const probes = outside.map(({ probe }) => probe)
  return {
    gather: { from: first.from, ...toAnd([first, ...own, ...others]) },
    walk: toAnd([...own, ...probes]),
    walkCost: outside.reduce((sum, { probeCost }) => sum + probeCost, 1),
  }
}

function toAnd(conditions: readonly Condition[]): Condition {
  const sql = conditions.flatMap((each) => (each.sql === '' ? [] : [each.sql])).join(' AND ')
  return { sql: sql === '' ? 'TRUE' : sql, values: conditions.flatMap((each) => each.values) }
}

/** Live ones are all but the drafts, of which there are few; all of a table or of an index are counted by the page. */
function toShortCount(
  seen: readonly Condition[],
  own: readonly Condition[],
  outside: readonly Outside[],
): Condition | null {
  const [only, ...more] = outside
  if (own.length > 0 || more.length > 0 || seen.some(({ sql }) => sql !== 'state = 1')) return null
  if (only === undefined) {
    const all = 'SELECT count(*) FROM listing'
    return { sql: seen.length === 0 ? all : `SELECT (${all}) - (${all} WHERE state > 1)`, values: [] }
  }
  const { source, probe } = only
  if (source === null || source.from.startsWith('search') || seen.length === 0) return null
  const drafts = `SELECT count(*) FROM listing WHERE state > 1 AND ${probe.sql}`
  return {
    sql: `SELECT (SELECT count(*) FROM ${toTable(source)} WHERE ${source.sql}) - (${drafts})`,
    values: [...source.values, ...probe.values],
  }
}

const toTable = ({ from }: Source) => from.split(' CROSS JOIN ')[0]

function given(sql: string, value: Value | undefined): Condition[] {
  return value === undefined ? [] : [{ sql, values: [value] }]
}

function isIn(column: string, values: readonly number[]): Condition {
  if (values.length === 1) return { sql: `${column} = ?`, values }
  return { sql: `${column} IN (${values.map(() => '?').join(', ')})`, values }
}
