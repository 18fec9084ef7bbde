import type { FacetName } from '../../../record/query/query.ts'
import { textFacets } from '../../derive/listing.ts'
import { type Facets, maxFacetValues, nameColumns } from '../../read/list.ts'
import type { Condition, Statements } from '../../read/statements.ts'
import type { FacetCount } from '../../store.ts'

export function createFacets(
  prepare: Statements,
): (names: readonly FacetName[], condition: Condition) => Promise<Facets> {
  function read(name: FacetName, { sql, values }: Condition): Promise<FacetCount[]> {
    const { value, from } = toSource(name)
    const query = `
      WITH found AS (SELECT * FROM listing WHERE ${sql})
      SELECT ${value} AS value, count(*) AS count FROM ${from} GROUP BY 1 ORDER BY count DESC, 1 LIMIT ${maxFacetValues}`
    return prepare<FacetCount>(query).all(...values)
  }
  return async (names, condition) => {
    const facets: { [name: string]: FacetCount[] } = {}
    for (const name of names) facets[name] = await read(name, condition)
    return facets
  }
}

/** Where the values of the rows in `found` are. */
function toSource(name: FacetName): { readonly value: string; readonly from: string } {
  const text = textFacets[name]
  if (text !== undefined) return { value: text, from: `found WHERE ${text} <> ''` }
  const value = `${name}.${nameColumns[name]}`
  if (name === 'category') return { value, from: 'found JOIN category ON category.id = category_id' }
  return { value, from: `found JOIN record_${name} ON record_id = found.id JOIN ${name} ON ${name}.id = ${name}_id` }
}
