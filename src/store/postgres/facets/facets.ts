import type { FacetName } from '../../../record/query/query.ts'
import type { Condition, Statements } from '../../read/statements.ts'
import type { FacetCount } from '../../store.ts'

const maxValues = 100

export type Facets = { readonly [name: string]: readonly FacetCount[] }

const sources: { readonly [F in FacetName]: { readonly value: string; readonly from: string } } = {
  category: { value: 'category.title', from: 'found JOIN category ON category.id = category_id' },
  speaker: toNamed('speaker'),
  tag: toNamed('tag'),
  language: { value: 'language', from: `found WHERE language <> ''` },
  year: { value: 'substr(recorded, 1, 4)', from: `found WHERE recorded <> ''` },
}

function toNamed(kind: 'speaker' | 'tag') {
  const from = `found JOIN record_${kind} ON record_id = found.id JOIN ${kind} ON ${kind}.id = ${kind}_id`
  return { value: `${kind}.name`, from }
}

/** How many of the listed records each value has; the most frequent first. */
export function createFacets(prepare: Statements): (names: readonly FacetName[], condition: Condition) => Facets {
  function read(name: FacetName, { sql, values }: Condition): FacetCount[] {
    const { value, from } = sources[name]
    const query = `
      WITH found AS (SELECT * FROM listing WHERE ${sql})
      SELECT ${value} AS value, count(*) AS count FROM ${from} GROUP BY 1 ORDER BY count DESC, 1 LIMIT ${maxValues}`
    return prepare<FacetCount>(query).all(...values)
  }
  return (names, condition) => Object.fromEntries(names.map((name) => [name, read(name, condition)]))
}
