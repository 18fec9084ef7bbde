import type { FacetName } from '../../record/query.ts'
import type { FacetCount } from '../store.ts'
import type { Conditions } from './conditions.ts'
import type { Statements } from './statements.ts'

const maxValues = 100

/** How many of the listed records each value has; the most frequent first. */
const sources: { readonly [F in FacetName]: { readonly value: string; readonly join: string } } = {
  category: { value: 'category.title', join: 'JOIN category ON category.id = matched.category_id' },
  language: { value: 'matched.language', join: '' },
  year: { value: 'substr(matched.recorded, 1, 4)', join: '' },
  speaker: {
    value: 'speaker.name',
    join: 'JOIN record_speaker AS link ON link.record_id = matched.id JOIN speaker ON speaker.id = link.speaker_id',
  },
  tag: {
    value: 'tag.name',
    join: 'JOIN record_tag AS link ON link.record_id = matched.id JOIN tag ON tag.id = link.tag_id',
  },
}

export type Facets = { readonly [name: string]: readonly FacetCount[] }

export function createFacets(prepare: Statements): (names: readonly FacetName[], conditions: Conditions) => Facets {
  const countOne = (name: FacetName, { sql, values }: Conditions): FacetCount[] => {
    const { value, join } = sources[name]
    const query = `
      WITH matched AS (SELECT id, category_id, language, recorded FROM listing WHERE ${sql})
      SELECT ${value} AS value, count(*) AS count FROM matched ${join}
      WHERE ${value} <> '' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${maxValues}`
    return prepare<FacetCount>(query).all(...values)
  }
  return (names, conditions) => Object.fromEntries(names.map((name) => [name, countOne(name, conditions)]))
}
