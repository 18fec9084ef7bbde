import type { FacetName } from '../../../record/query/query.ts'
import type { Statements } from '../../read/statements.ts'
import type { FacetCount } from '../../store.ts'
import type { Plan } from '../plan/plans.ts'
import type { FacetValues } from './facet-values.ts'

const maxValues = 100

export type Facets = { readonly [name: string]: readonly FacetCount[] }

/**
 * How many of the listed records each value has; the most frequent first. Counted in memory: SQLite would look up and
 * sort every value of every match.
 */
export function createFacets(
  values: FacetValues,
  prepare: Statements,
): (names: readonly FacetName[], way: Plan) => Facets {
  return (names, way) => {
    values.refresh()
    const places = values.toPlaces(readIds(prepare, way))
    const toFacet = (name: FacetName) => toTop(prepare, name, countFrequent(values, name, places))
    return Object.fromEntries(names.map((name) => [name, toFacet(name)]))
  }
}

function readIds(prepare: Statements, { from, sql, values }: Plan): readonly number[] {
  const read = prepare<{ ids: string }>(`SELECT json_group_array(listing.id) AS ids FROM ${from} WHERE ${sql}`)
  return JSON.parse(read.get(...values)?.ids ?? '[]')
}

/** As many as are shown, and all that are as frequent as the last of them. */
function countFrequent(values: FacetValues, name: FacetName, places: readonly number[]): { [value: string]: number } {
  const counts = values.lists[name].count(places)
  const found = counts.filter((count) => count > 0)
  const least = found.length > maxValues ? (found.sort().at(-maxValues) ?? 1) : 1
  const frequent: { [value: string]: number } = {}
  for (let number = 0; number < counts.length; number++) {
    const count = counts[number] ?? 0
    if (count >= least) frequent[values.toKey(name, number)] = count
  }
  return frequent
}

function toTop(prepare: Statements, name: FacetName, counts: { readonly [value: string]: number }): FacetCount[] {
  return prepare<FacetCount>(`${topSql[name]} ORDER BY count DESC, 1 LIMIT ${maxValues}`).all(JSON.stringify(counts))
}

const asTheyAre = 'SELECT key AS value, value AS count FROM json_each(?)'
const topSql: { readonly [F in FacetName]: string } = {
  category: toNamedSql('category', 'title'),
  speaker: toNamedSql('speaker', 'name'),
  tag: toNamedSql('tag', 'name'),
  language: asTheyAre,
  year: asTheyAre,
}

function toNamedSql(table: string, column: string): string {
  return `SELECT ${column} AS value, counted.value AS count
    FROM json_each(?) AS counted CROSS JOIN ${table} ON ${table}.id = CAST(counted.key AS INTEGER)`
}
