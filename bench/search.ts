import type { Database } from 'bun:sqlite'
import { facetNames } from '../src/record/query/query.ts'
import { openForReading } from '../src/store/sqlite/connection.ts'
import { toGeneratedStore } from './generate.ts'
import { toWord } from './generated/words.ts'
import { createColdList, time, timeRounds, toQuery } from './hand/compare.ts'
import type { Context, Question, Row } from './harness/question.ts'
import { toRatioRow } from './harness/rounds.ts'

const records = 100_000
const [common, second, frequent, medium, rare] = [toWord(0), toWord(1), toWord(20), toWord(300), toWord(15_000)]

/** A query, and the same in the syntax of FTS5. */
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
    'What does a page of a search cost compared with the bare FTS5 queries for ids and count (no bodies, drafts among them)? ' +
    `${records.toLocaleString('en-US')} records, no counts cached. Then all five facets.`,
  isPinned: false,
  generator: 'none',
  async run(context) {
    const db = openForReading(await toGeneratedStore(records, context.say))
    try {
      const compared: Row[] = []
      for (const search of searches) compared.push(...(await compare(context, db, search)))
      const ratios = compared.filter(({ unit }) => unit === '×')
      return [...ratios, ...compared.filter(({ unit }) => unit !== '×'), ...(await measureFacets(context, db))]
    } finally {
      db.close()
    }
  },
}

async function compare(
  { rounds, say }: Context,
  db: Database,
  { name, q, match }: (typeof searches)[number],
): Promise<Row[]> {
  const list = createColdList(db)
  const query = toQuery({ q })
  const counting = db.prepare('SELECT count(*) FROM search WHERE search MATCH ?')
  const ranking = db.prepare('SELECT rowid FROM search WHERE search MATCH ? ORDER BY rank LIMIT 20')
  const bare = () => [counting.get(match), ranking.all(match)]
  const times = await timeRounds(rounds, () => list(query), bare)
  const [ours, theirs] = [times.map(([ms]) => ms), times.map(([, ms]) => ms)]
  say(`${name}: ${(ours[0] ?? 0).toFixed(2)} ms, bare ${(theirs[0] ?? 0).toFixed(2)} ms`)
  return [
    toRatioRow(`${name}, to bare FTS5`, ours, theirs),
    { label: name, unit: 'ms', values: ours },
    { label: `${name}, bare FTS5`, unit: 'ms', values: theirs },
  ]
}

/** The cost that facets add to a page. */
async function measureFacets({ rounds }: Context, db: Database): Promise<Row[]> {
  const list = createColdList(db)
  const asked = [
    { name: 'no filter', parameters: {} },
    ...searches.slice(1, 4).map(({ name, q }) => ({ name, parameters: { q } })),
  ]
  const rows: Row[] = []
  for (const { name, parameters } of asked) {
    const plain = toQuery(parameters)
    const measure = async (label: string, facets: string): Promise<Row> => {
      const withFacets = toQuery({ ...parameters, facets })
      const values: number[] = []
      for (let round = 0; round < rounds; round++) {
        values.push((await time(() => list(withFacets))) - (await time(() => list(plain))))
      }
      return { label: `${name}, ${label} more`, unit: 'ms', values }
    }
    rows.push(await measure('all five facets', facetNames.join(',')))
    if (name !== 'no filter') continue
    for (const facet of facetNames) rows.push(await measure(`facet ${facet}`, facet))
  }
  return rows
}
