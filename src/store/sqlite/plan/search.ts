import type { Search, Term } from '../../../record/text/search-text.ts'
import type { Database } from '../../database.ts'
import { createSource, type IdSet, memberProbeCost } from './id-sets.ts'

/** Measured: testing one row against the index takes about 70 µs, the next row of an index scan 0.1 µs. */
const searchProbeCost = 700

/** The records that match a search, by FTS5. */
export function toSearchSet(db: Database, { all, none }: Search): IdSet {
  const excluded = toMatch(none, 'OR')
  return all.length === 0 ? toExclusionSet(db, excluded) : toMatchSet(db, toSearchMatch(all, excluded))
}

/** An FTS5 query for all matches, drafts included; with excluded words only, for the records that have one of them. */
export function toMatchQuery({ all, none }: Search): string {
  const excluded = toMatch(none, 'OR')
  return all.length === 0 ? excluded : toSearchMatch(all, excluded)
}

function toMatchSet(db: Database, match: string): IdSet {
  const values = [match]
  return {
    probe: { sql: 'EXISTS (SELECT 1 FROM search WHERE search MATCH ? AND rowid = listing.id)', values },
    probeCost: searchProbeCost,
    member: { sql: 'id IN (SELECT rowid FROM search WHERE search MATCH ?)', values },
    source: createSource(db, { table: 'search', id: 'search.rowid', sql: 'search MATCH ?', values }),
  }
}

/** Excluded words only: nearly every row matches, so the excluded ids are collected. */
function toExclusionSet(db: Database, match: string): IdSet {
  const member = { sql: 'id NOT IN (SELECT rowid FROM search WHERE search MATCH ?)', values: [match] }
  return { probe: member, probeCost: memberProbeCost, member, source: null, excluded: toMatchSet(db, match) }
}

function toSearchMatch(all: readonly Term[], excluded: string): string {
  const wanted = toMatch(all, 'AND')
  return excluded === '' ? wanted : `(${wanted}) NOT (${excluded})`
}

/** Terms as an FTS5 query. Tokens are letters and digits, and quoted, so no FTS5 syntax gets through. */
function toMatch(terms: readonly Term[], operator: 'AND' | 'OR'): string {
  return terms.map(toPhrase).join(` ${operator} `)
}

function toPhrase({ tokens, isPrefix }: Term): string {
  return `"${tokens.join(' ').replaceAll('"', '""')}"${isPrefix ? ' *' : ''}`
}
