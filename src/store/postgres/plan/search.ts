import { type Search, searched, type Term } from '../../../record/text/search-text.ts'
import { type Condition, toAnd } from '../../read/statements.ts'

/** The matches of a search, as a condition on rows of `search`. */
export function toSearchCondition({ all, none }: Search): Condition {
  return toAnd([...all.map(toTermCondition), ...none.map((term) => not(toTermCondition(term)))])
}

/** All matches, drafts included; with excluded words only, the rows that have one of them. */
export function toMatchCondition(search: Search): Condition {
  return search.all.length > 0 ? toSearchCondition(search) : toOr(search.none.map(toTermCondition))
}

/** The index finds rows that have all tokens; whether the tokens of a phrase are adjacent is checked in the text. */
function toTermCondition(term: Term): Condition {
  const has = { sql: 'words @@ ?::tsquery', values: [toTsQuery(term)] }
  if (term.tokens.length === 1) return has
  const phrases = searched.map((column) => `strpos(' ' || ${column} || ' ', ?) > 0`)
  return toAnd([has, { sql: `(${phrases.join(' OR ')})`, values: searched.map(() => toPattern(term)) }])
}

/** Quoted, so that no character is an operator. */
function toTsQuery({ tokens, isPrefix }: Term): string {
  const quoted = tokens.map((token) => `'${token.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`)
  return `${quoted.join(' & ')}${isPrefix ? ':*' : ''}`
}

/** The tokens as they occur in a text; a prefix has no space after it. */
function toPattern({ tokens, isPrefix }: Term): string {
  return ` ${tokens.join(' ')}${isPrefix ? '' : ' '}`
}

const not = ({ sql, values }: Condition): Condition => ({ sql: `NOT (${sql})`, values })

function toOr(conditions: readonly Condition[]): Condition {
  const sql = conditions.map((each) => `(${each.sql})`).join(' OR ')
  return { sql, values: conditions.flatMap((each) => each.values) }
}
