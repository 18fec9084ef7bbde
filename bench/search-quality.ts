import { existsSync } from 'node:fs'
import { compareSides, findShortfalls, toRows } from './search-quality/evaluate.ts'
import { type Options, parseOptions, usage } from './search-quality/options.ts'
import { createQueries } from './search-quality/queries.ts'
import { toJson, toMisses, toTable } from './search-quality/report.ts'
import { createMiniSearch, createRostrum, type Side } from './search-quality/sides.ts'
import { openTalks, readTalks } from './search-quality/store.ts'
import { type Half, type Talk, toHalf } from './search-quality/talk.ts'

// How often a search finds a remembered talk, compared with MiniSearch: see README.md.

/** Queries of each kind that warm up both sides. */
const warmUps = 100

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))
process.exit(await main(process.argv.slice(2)))

async function main(args: readonly string[]): Promise<number> {
  const options = parseOptions(args)
  if (options === null) {
    console.error(usage)
    return 64
  }
  if (options.data !== null && !existsSync(options.data)) {
    console.error(`There is no ${options.data}.`)
    return 66
  }
  const db = await openTalks(options.data)
  const talks = readTalks(db)
  const sides = { rostrum: await createRostrum(db), miniSearch: createMiniSearch(talks) }
  // Warms up with other queries than the timed ones.
  const warmUp = { queries: Math.min(options.queries, warmUps), seed: options.seed + 1 }
  await compareSides(createQueries(talks, warmUp), sides)
  let shortfalls = 0
  for (const half of options.halves) shortfalls += await reportHalf(half, talks, sides, options)
  return shortfalls === 0 ? 0 : 1
}

/** Prints the table of a half; returns how many goals it falls short of, which are those of the report half. */
async function reportHalf(
  half: Half,
  talks: readonly Talk[],
  sides: { readonly rostrum: Side; readonly miniSearch: Side },
  { queries, seed, isJson, misses }: Options,
): Promise<number> {
  const ofHalf = talks.filter((talk) => toHalf(talk) === half)
  const compared = await compareSides(createQueries(ofHalf, { queries, seed, kind: misses }, talks), sides)
  const rows = toRows(compared)
  const shortfalls = half === 'report' ? findShortfalls(rows) : []
  if (isJson) {
    console.log(JSON.stringify({ half, talks: talks.length, ...toJson(rows, compared), shortfalls }))
    return shortfalls.length
  }
  console.log(`\nThe ${half} half: ${ofHalf.length} of ${talks.length} talks\n\n${toTable(rows)}`)
  if (misses !== null) {
    const titles = new Map(talks.map(({ id, title }) => [id, title]))
    console.log(`\n${toMisses(compared, misses, (id) => titles.get(id) ?? '')}`)
  }
  if (half === 'report') console.log(`\n${toVerdict(shortfalls)}`)
  return shortfalls.length
}

function toVerdict(shortfalls: readonly string[]): string {
  if (shortfalls.length === 0) return 'Reached: at least what MiniSearch finds, in a fifth of its time, on every row.'
  return ['Short:', ...shortfalls.map((line) => `- ${line}`)].join('\n')
}
