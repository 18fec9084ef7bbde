import type { FacetName } from '../../../record/query/query.ts'
import { type Facets, maxFacetValues, nameColumns } from '../../read/list.ts'
import type { Statements } from '../../read/statements.ts'
import type { FacetCount } from '../../store.ts'
import type { Plan } from '../plan/plans.ts'
import type { FacetIndex } from './facet-index.ts'

/** Counts in memory: SQLite would look up and sort every value of every match (ADR 13). */
export function createFacets(
  index: FacetIndex,
  prepare: Statements,
): (names: readonly FacetName[], plan: Plan) => Promise<Facets> {
  return async (names, plan) => {
    await index.refresh()
    const slots = index.toSlots(await readIds(prepare, plan))
    const facets: { [name: string]: FacetCount[] } = {}
    for (const name of names) facets[name] = await readTop(prepare, name, countFrequent(index, name, slots))
    return facets
  }
}

async function readIds(prepare: Statements, { from, sql, values }: Plan): Promise<readonly number[]> {
  const read = prepare<{ ids: string }>(`SELECT json_group_array(listing.id) AS ids FROM ${from} WHERE ${sql}`)
  return JSON.parse((await read.get(...values))?.ids ?? '[]')
}

/** The counts of the most frequent values, and of all that are as frequent as the last of them. */
function countFrequent(index: FacetIndex, name: FacetName, slots: readonly number[]): { [value: string]: number } {
  const counts = index.lists[name].count(slots)
  const found = counts.filter((count) => count > 0)
  const least = found.length > maxFacetValues ? (found.sort().at(-maxFacetValues) ?? 1) : 1
  const frequent: { [value: string]: number } = {}
  for (let number = 0; number < counts.length; number++) {
    const count = counts[number] ?? 0
    if (count >= least) frequent[index.toKey(name, number)] = count
  }
  return frequent
}

/** SQLite sorts, so that values of the same count come in its order of texts. */
function readTop(
  prepare: Statements,
  name: FacetName,
  counts: { readonly [value: string]: number },
): Promise<FacetCount[]> {
  const sql = `${toValuesSql(name)} ORDER BY count DESC, 1 LIMIT ${maxFacetValues}`
  return prepare<FacetCount>(sql).all(JSON.stringify(counts))
}

function toValuesSql(name: FacetName): string {
  const column = nameColumns[name]
  if (column === undefined) return 'SELECT key AS value, value AS count FROM json_each(?)'
  return `SELECT ${column} AS value, counted.value AS count
    FROM json_each(?) AS counted CROSS JOIN ${name} ON ${name}.id = CAST(counted.key AS INTEGER)`
}
