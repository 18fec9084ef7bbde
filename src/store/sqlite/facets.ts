import type { FacetName } from '../../record/query.ts'
import type { FacetCount } from '../store.ts'
import type { Conditions } from './conditions.ts'
import type { Statements } from './statements.ts'

const maxValues = 100

export type Facets = { readonly [name: string]: readonly FacetCount[] }

interface FacetRow extends FacetCount {
  readonly facet: string
}

/** How many of the listed records each value has; the most frequent first. All in one go, so they are looked up once. */
export function createFacets(prepare: Statements): (names: readonly FacetName[], conditions: Conditions) => Facets {
  return (names, { gather: { from, sql, values }, isAllLive }) => {
    const matched = isAllLive
      ? ''
      : `WITH matched AS MATERIALIZED (SELECT listing.id, category_id, language, recorded FROM ${from} WHERE ${sql})`
    const counts = isAllLive ? ofLive : ofMatched
    const parts = names.map((name) => `SELECT '${name}' AS facet, * FROM (${toTop(name, counts[name])})`)
    const rows = prepare<FacetRow>(`${matched} ${parts.join(' UNION ALL ')}`).all(...(isAllLive ? [] : values))
    const toCounts = (name: FacetName) => rows.filter(({ facet }) => facet === name).map(toCount)
    return Object.fromEntries(names.map((name) => [name, toCounts(name)]))
  }
}

const toCount = ({ value, count }: FacetRow): FacetCount => ({ value, count })

type Counts = { readonly [F in FacetName]: string }

/** Each gives `value` and `n`; where the value is a number, `names` says what it stands for. */
const ofMatched: Counts = {
  category: 'SELECT category_id AS value, count(*) AS n FROM matched GROUP BY category_id',
  language: 'SELECT language AS value, count(*) AS n FROM matched GROUP BY language',
  year: 'SELECT substr(recorded, 1, 4) AS value, count(*) AS n FROM matched GROUP BY 1',
  speaker: toMatchedNames('speaker'),
  tag: toMatchedNames('tag'),
}

function toMatchedNames(kind: 'speaker' | 'tag'): string {
  return `SELECT ${kind}_id AS value, count(*) AS n FROM matched CROSS JOIN record_${kind} ON record_id = matched.id
    GROUP BY ${kind}_id`
}

/** Of all live records: read off indexes that are in the values' order already. */
const ofLive: Counts = {
  category: `SELECT category_id AS value, count(*) AS n FROM listing INDEXED BY listing_by_category
    WHERE state = 1 GROUP BY category_id`,
  language: `SELECT language AS value, count(*) AS n FROM listing INDEXED BY listing_by_language
    WHERE state = 1 GROUP BY language`,
  year: `SELECT substr(recorded, 1, 4) AS value, sum(n) AS n FROM (
    SELECT recorded, count(*) AS n FROM listing INDEXED BY listing_by_state WHERE state = 1 GROUP BY recorded)
    GROUP BY 1`,
  speaker: toLiveNames('speaker'),
  tag: toLiveNames('tag'),
}

/** All of them, less those of the drafts, which are few. */
function toLiveNames(kind: 'speaker' | 'tag'): string {
  return `SELECT value, sum(n) AS n FROM (
      SELECT ${kind}_id AS value, count(*) AS n FROM record_${kind} GROUP BY ${kind}_id
      UNION ALL
      SELECT ${kind}_id, -count(*) FROM listing CROSS JOIN record_${kind} ON record_id = listing.id
      WHERE state > 1 GROUP BY ${kind}_id)
    GROUP BY value HAVING sum(n) > 0`
}

const names: { readonly [F in FacetName]: { readonly table: string; readonly column: string } | null } = {
  category: { table: 'category', column: 'title' },
  speaker: { table: 'speaker', column: 'name' },
  tag: { table: 'tag', column: 'name' },
  language: null,
  year: null,
}

/** Names are looked up for those only that are frequent enough, all of them where several are equally so. */
function toTop(name: FacetName, counts: string): string {
  const named = names[name]
  const end = `ORDER BY n DESC, value LIMIT ${maxValues}`
  if (named === null) return `SELECT value, n AS count FROM (${counts}) WHERE value <> '' ${end}`
  const { table, column } = named
  const least = `SELECT n FROM counted ORDER BY n DESC LIMIT 1 OFFSET ${maxValues - 1}`
  return `
    WITH counted AS MATERIALIZED (${counts})
    SELECT ${table}.${column} AS value, n AS count FROM counted CROSS JOIN ${table} ON ${table}.id = counted.value
    WHERE n >= coalesce((${least}), 1) ORDER BY n DESC, 1 LIMIT ${maxValues}`
}
