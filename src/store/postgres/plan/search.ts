import { type Search, searched, type Term } from '../../../record/text/search-text.ts'
import type { SearchPart } from '../../read/list-page.ts'
import { type Condition, toAnd } from '../../read/statements.ts'

/** The columns of the part `named`. */
const named = ['title', 'speakers'] as const

/** The matches of a search, as a condition on rows of `search`. */
export function toSearchCondition({ all, none }: Search, part: SearchPart): Condition {
  const every = (columns: readonly string[]) => toAnd(all.map((term) => toTermCondition(term, columns)))
  const wanted = part === 'named' ? every(named) : every(searched)
  const others = part === 'unnamed' ? [not(every(named))] : []
  return toAnd([wanted, ...others, ...none.map((term) => not(toTermCondition(term, searched)))])
}

/** All matches, drafts included; with excluded words only, the rows that have one of them. */
export function toMatchCondition(search: Search, part: SearchPart): Condition {
  if (search.all.length > 0) return toSearchCondition(search, part)
  return toOr(search.none.map((term) => toTermCondition(term, searched)))
}

/** The index finds rows that have all tokens; whether the tokens of a phrase are adjacent is checked in the text. */
export function toTermCondition(term: Term, columns: readonly string[]): Condition {
  const index = columns === named ? 'names' : 'words'
  const has = { sql: `${index} @@ ?::tsquery`, values: [toTsQuery(term)] }
  if (term.tokens.length === 1) return has
  const phrases = columns.map((column) => `strpos(' ' || ${column} || ' ', ?) > 0`)
  return toAnd([has, { sql: `(${phrases.join(' OR ')})`, values: columns.map(() => toPattern(term, ' ')) }])
}

/** Quoted, so that no character is an operator. */
function toTsQuery({ tokens, isPrefix }: Term): string {
  const quoted = tokens.map((token) => `'${token.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`)
  return `${quoted.join(' & ')}${isPrefix ? ':*' : ''}`
}

/** The tokens as they occur in a text; a prefix has no space after it. */
function toPattern({ tokens, isPrefix }: Term, between: string): string {
  return ` ${tokens.join(between)}${isPrefix ? '' : ' '}`
}

/** As in the schema of SQLite's index. */
const weights: { readonly [C in (typeof searched)[number]]: number } = {
  title: 10,
  speakers: 8,
  tags: 4,
  category: 3,
  summary: 2,
  description: 1,
}

/** Okapi BM25 with its usual constants, as in SQLite's FTS5. */
const k1 = 1.2
const b = 0.75

export interface WeightedTerm {
  readonly term: Term
  /** The number of rows that it occurs in. */
  readonly rows: number
}

/** The weight of a row of `search`, where larger is better. */
export function toWeight(terms: readonly WeightedTerm[], rows: number, averageSize: number): Condition {
  const each = terms.map(({ term, rows: having }) => {
    const rarity = Math.max(Math.log((rows - having + 0.5) / (having + 0.5)), 1e-6)
    const { sql, values } = toFrequency(term)
    return {
      sql: `(SELECT ${rarity} * (f * ${k1 + 1}) / (f + ${k1} * (1 - ${b} + ${b} * size / ${averageSize})) FROM (SELECT ${sql} AS f) AS term)`,
      values,
    }
  })
  return { sql: each.map(({ sql }) => sql).join(' + '), values: each.flatMap(({ values }) => values) }
}

/** How often a term occurs. Spaces are doubled, so that adjacent occurrences do not share one. */
function toFrequency(term: Term): Condition {
  const pattern = toPattern(term, '  ')
  const counts = searched.map((column) => {
    const text = `' ' || replace(${column}, ' ', '  ') || ' '`
    return `${weights[column]} * (length(${text}) - length(replace(${text}, ?, '')))`
  })
  return {
    sql: `(${counts.join(' + ')}) / ${[...pattern].length}.0::double precision`,
    values: counts.map(() => pattern),
  }
}

const not = ({ sql, values }: Condition): Condition => ({ sql: `NOT (${sql})`, values })

function toOr(conditions: readonly Condition[]): Condition {
  const sql = conditions.map((each) => `(${each.sql})`).join(' OR ')
  return { sql, values: conditions.flatMap((each) => each.values) }
}
