import type { Database } from 'bun:sqlite'
import { facetNames } from '../src/record/query/query.ts'
import { openForReading } from '../src/store/sqlite/connection.ts'
import { toGeneratedStore } from './generate.ts'
import { toWord } from './generated/words.ts'
import { createColdList, time, timeInTurns, toQuery } from './hand/compare.ts'
import type { Context, Question, Row } from './harness/question.ts'
import { toRatioRow } from './harness/rounds.ts'

const records = 100_000
const [common, second, frequent, medium, rare] = [toWord(0), toWord(1), toWord(20), toWord(300), toWord(15_000)]

/** What is asked, and the same in the words of FTS5. */
const searches = [
  { name: 'word in nearly all', q: common, match: `"${common}"*` },
  { name: 'word in a third', q: frequent, match: `"${frequent}"*` },
  { name: 'word in one of twenty', q: medium, match: `"${medium}"*` },
  { name: 'rare word', q: rare, match: `"${rare}"*` },
  { name: 'absent word', q: 'qqqq', match: '"qqqq"*' },
  { name: 'two common words', q: `${common} ${second}`, match: `"${common}"* AND "${second}"*` },
  { name: 'phrase', q: `"${common} ${second}"`, match: `"${common} ${second}"` },
  { name: 'beginning of one letter', q: 'b', match: '"b"*' },
  { name: 'beginning of two letters', q: 'st', match: '"st"*' },
  { name: 'exclusion', q: `${frequent} -${common}`, match: `"${frequent}"* NOT "${common}"*` },
]

export const searchQuestion: Question = {
  name: 'search',
  asks:
    'What does a page of a search cost beside the bare FTS5 queries for ids and count (no bodies, drafts among them)? ' +
    `${records.toLocaleString('en-US')} records, nothing remembered from the page before. Then all five facets.`,
  isPinned: false,
  generator: 'none',
  async run(context) {
    const db = openForReading(toGeneratedStore(records, context.say))
    try {
      const compared = searches.flatMap((search) => compare(context, db, search))
      const ratios = compared.filter(({ unit }) => unit === '×')
      return [...ratios, ...compared.filter(({ unit }) => unit !== '×'), ...measureFacets(context, db)]
    } finally {
      db.close()
    }
  },
}

function compare({ rounds, say }: Context, db: Database, { name, q, match }: (typeof searches)[number]): Row[] {
  const list = createColdList(db)
  const query = toQuery({ q })
  const counting = db.prepare('SELECT count(*) FROM search WHERE search MATCH ?')
  const ranking = db.prepare('SELECT rowid FROM search WHERE search MATCH ? ORDER BY rank LIMIT 20')
  const bare = () => [counting.get(match), ranking.all(match)]
  const times = Array.from({ length: rounds + 1 }, () => timeInTurns(() => list(query), bare)).slice(1)
  const [ours, theirs] = [times.map(([ms]) => ms), times.map(([, ms]) => ms)]
  say(`${name}: ${(ours[0] ?? 0).toFixed(2)} ms, bare ${(theirs[0] ?? 0).toFixed(2)} ms`)
  return [
    toRatioRow(`${name}, to bare FTS5`, ours, theirs),
    { label: name, unit: 'ms', values: ours },
    { label: `${name}, bare FTS5`, unit: 'ms', values: theirs },
  ]
}

/** What the facets add to the page. */
function measureFacets({ rounds }: Context, db: Database): Row[] {
  const list = createColdList(db)
  const asked = [
    { name: 'nothing asked', parameters: {} },
    ...searches.slice(1, 4).map(({ name, q }) => ({ name, parameters: { q } })),
  ]
  return asked.flatMap(({ name, parameters }) => {
    const plain = toQuery(parameters)
    const measure = (label: string, facets: string): Row => {
      const withFacets = toQuery({ ...parameters, facets })
      const measureOne = () => time(() => list(withFacets)) - time(() => list(plain))
      return { label: `${name}, ${label} more`, unit: 'ms', values: Array.from({ length: rounds }, measureOne) }
    }
    const each = facetNames.map((facet) => measure(`facet ${facet}`, facet))
    return [measure('all five facets', facetNames.join(',')), ...(name === 'nothing asked' ? each : [])]
  })
}
