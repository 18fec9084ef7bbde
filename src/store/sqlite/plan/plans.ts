import { type Condition, toAnd } from '../../read/statements.ts'
import type { SubqueryCondition } from './subquery-conditions.ts'

/** What a list asks for: of a row of `listing` itself, and of what lies beyond it. */
export interface Wanted {
  readonly own: readonly Condition[]
  readonly outside: readonly SubqueryCondition[]
  /** At most a few rows: asking each of them costs less than collecting anything. */
  readonly isFew: boolean
}

/** Where reading begins, and what must hold there. */
export interface Plan extends Condition {
  readonly from: string
}

/** More costly questions are not asked of each of a few thousand rows: their answers are collected instead. */
const maxCollectedCost = 100

/** To everything that matches, from where there is least to look at. */
export function toGatherPlan(wanted: Wanted): Plan {
  const { outside, isFew } = wanted
  if (isFew) return toWay(undefined, wanted, Number.POSITIVE_INFINITY)
  const sources = outside.filter(({ source }) => source !== null)
  const small = outside.length < 2 ? undefined : sources.find(({ source }) => source?.isFew())
  return toWay(small ?? sources[0], wanted, small === undefined ? 0 : maxCollectedCost)
}

/** The same from the search's words, so that matches can be weighed. */
export function toRankPlan(wanted: Wanted): Plan {
  return toWay(wanted.outside.at(-1), wanted, maxCollectedCost)
}

/** What to ask of each row while an index is walked. */
export function toWalkCondition({ own, outside }: Wanted): Condition {
  return toAnd([...own, ...outside.map(({ probe }) => probe)])
}

/** What it costs to ask one row, where passing it costs 1. */
export function toWalkCost({ outside }: Wanted): number {
  return outside.reduce((sum, { probeCost }) => sum + probeCost, 1)
}

/** How many match. Where words must not be there, those that have them are counted and taken off. */
export function toCount(wanted: Wanted): Condition {
  const last = wanted.outside.at(-1)
  if (last?.excluded && !wanted.isFew) {
    const others = wanted.outside.slice(0, -1)
    const all = toCount({ ...wanted, outside: others })
    const excluded = toCount({ ...wanted, outside: [...others, last.excluded] })
    return { sql: `SELECT (${all.sql}) - (${excluded.sql}) AS count`, values: [...all.values, ...excluded.values] }
  }
  const { from, sql, values } = toGatherPlan(wanted)
  return { sql: `SELECT count(*) AS count FROM ${from}${sql === 'TRUE' ? '' : ` WHERE ${sql}`}`, values }
}

/**
 * How many live ones match where nothing else is asked of their rows: all but the drafts, which are few, since all of a
 * table or of one name are counted without a look at them. Null where that is no shorter.
 */
export function toLiveCount(outside: readonly SubqueryCondition[]): Condition | null {
  const drafts = 'SELECT count(*) FROM listing WHERE state > 1'
  const [only, ...more] = outside
  if (only === undefined) return { sql: `SELECT (SELECT count(*) FROM listing) - (${drafts}) AS count`, values: [] }
  const { source, probe, probeCost } = only
  if (more.length > 0 || source === null || probeCost > maxCollectedCost || source.mayBeGone || source.isFew())
    return null
  const all = `SELECT count(*) FROM ${source.table} WHERE ${source.sql}`
  return {
    sql: `SELECT (${all}) - (${drafts} AND ${probe.sql}) AS count`,
    values: [...source.values, ...probe.values],
  }
}

/** The driver says which rows there are; of the others, those are asked of each row that cost no more than `maxCost`. */
function toWay(driver: SubqueryCondition | undefined, { own, outside }: Wanted, maxCost: number): Plan {
  const others = outside.filter((each) => each !== driver)
  const asked = others.map(({ probe, probeCost, member }) => (probeCost <= maxCost ? probe : member))
  const source = driver?.source ?? null
  if (source === null) return { from: 'listing', ...toAnd([...own, ...asked]) }
  const from = `${source.table} CROSS JOIN listing ON listing.id = ${source.id}`
  return { from, ...toAnd([source, ...own, ...asked]) }
}
