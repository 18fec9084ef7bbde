import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Command } from '../../src/record/command.ts'
import type { Completions } from '../../src/record/query/completion.ts'
import { fromBodyText, type VideoRecord } from '../../src/record/record.ts'
import { type BorrowedCluster, borrowCluster } from '../harness/fresh-store.ts'
import { isLong } from '../harness/runs.ts'
import {
  type Answer,
  type Asked,
  createPostgresEngine,
  createSqliteEngine,
  findDifference,
  type SearchEngine,
} from './engine.ts'
import { oddQueries } from './odd-queries.ts'
import { createRandom } from './random.ts'
import { hidden, toCreate, toMerge, toRename, toTalk } from './random-archive.ts'
import { toAsked, toTyped } from './random-query.ts'

// Runner: one engine, slow (both engines are in one process)

/** A failure tells the seed, and ROSTRUM_TEST_SEED repeats it. */
const seed = Number(process.env.ROSTRUM_TEST_SEED ?? Math.floor(Math.random() * 0x7fff_ffff))
const queries = isLong ? 2_000 : 50
const rounds = isLong ? 10 : 2
const suggestions = isLong ? 600 : 30
const firstRecords = 300
const changesPerRound = 20
const maxShown = 10
const timeoutMs = 240_000

const random = createRandom(seed)
let cluster: BorrowedCluster
let engines: readonly SearchEngine[] = []

beforeAll(async () => {
  cluster = await borrowCluster()
  engines = [await createSqliteEngine(), await createPostgresEngine(cluster.url)]
}, 180_000)
afterAll(async () => {
  for (const engine of engines) await engine.close()
  await cluster.giveBack()
}, 180_000)

const onEach = (work: (engine: SearchEngine) => Promise<void>) => Promise.all(engines.map(work))

function toFault({ parameters, visibility }: Asked, difference: string): string {
  return `${visibility}: ${decodeURIComponent(parameters.replaceAll('+', ' '))}\n    ${difference}`
}

function expectNone(faults: readonly string[]): void {
  const shown = faults.slice(0, maxShown).join('\n')
  expect(`seed ${seed}, ${faults.length} faults\n${shown}`).toBe(`seed ${seed}, 0 faults\n`)
}

async function fill(): Promise<void> {
  const talks = Array.from({ length: firstRecords }, () => toTalk(random))
  const [twin = toTalk(random)] = talks
  // Equally good in every search.
  talks.splice(40, 4, ...Array.from({ length: 4 }, () => ({ ...twin, state: 1 })))
  talks[10] = { ...toTalk(random), title: `About ${hidden.draft}`, state: 2 }
  talks[withdrawnId - 1] = { ...toTalk(random), title: `About ${hidden.withdrawn}`, state: 1 }
  talks[erasedId - 1] = { ...toTalk(random), title: `About ${hidden.erased}`, state: 1 }
  await onEach((engine) => engine.write(...talks.map(toCreate)))
}

const [withdrawnId, erasedId] = [21, 31]
const living = new Set(Array.from({ length: firstRecords }, (_, i) => i + 1))
/** Ids are never used again. */
let lastId = firstRecords

function toRandomCommand(): Command {
  const id = random.pick([...living])
  const { title, speakers = [], tags = [], ...others } = toTalk(random)
  if (random.chance(0.2)) return toMerge(id, { state: random.pick([1, 2]) })
  if (random.chance(0.2)) return toCreate({ title, speakers, tags, ...others })
  return toMerge(id, random.pick([{ title }, { speakers, tags }, { title, ...others }]))
}

async function change(round: number): Promise<void> {
  const commands = Array.from({ length: changesPerRound }, toRandomCommand)
  if (round === 1) commands.push(toMerge(withdrawnId, { state: 2 }))
  if (round === 3) commands.push(toRename('pycon-2023', 'PyCon with other tests'))
  const erased = round === 2 ? erasedId : random.pick([...living].filter((id) => id !== withdrawnId && id !== erasedId))
  await onEach(async (engine) => {
    await engine.write(...commands)
    if (living.has(erased)) await engine.erase(erased)
  })
  living.delete(erased)
  for (const { kind } of commands) if (kind === 'create') living.add(++lastId)
}

async function askAll(asked: Asked, faults: string[]): Promise<Answer> {
  const [first = { refused: 'there are no engines' }, ...others] = await Promise.all(
    engines.map((engine) => engine.ask(asked)),
  )
  const differences = others.flatMap((other) => findDifference(first, other) ?? [])
  faults.push(...differences.map((each) => toFault(asked, each)))
  return first
}

test(
  `of ${queries} random lists of records that change, SQLite and PostgreSQL answer every one alike`,
  async () => {
    const faults: string[] = []
    const seen = { asked: 0, found: 0, corrected: 0, continued: 0 }
    await fill()
    for (let round = 0; round < rounds; round++) {
      while (seen.asked < ((round + 1) * queries) / rounds) {
        const asked = toAsked(random)
        seen.asked++
        const answer = await askAll(asked, faults)
        if ('refused' in answer) continue
        if (answer.count > 0) seen.found++
        if (answer.corrected !== undefined) seen.corrected++
        if (answer.nextCursor === null) continue
        seen.continued++
        const next = new URLSearchParams(asked.parameters)
        next.set('cursor', answer.nextCursor)
        await askAll({ ...asked, parameters: next.toString() }, faults)
      }
      await change(round)
      if (round % 3 === 0) for (const engine of engines) engine.restart()
    }
    expectNone(faults)
    expect(seen.found).toBeGreaterThan(queries / 4)
    expect(Math.min(seen.corrected, seen.continued)).toBeGreaterThan(queries / 100)
  },
  timeoutMs,
)

test(
  `${oddQueries.length} odd queries have the same answer on SQLite and PostgreSQL, and all have one`,
  async () => {
    const faults: string[] = []
    for (const q of oddQueries) {
      for (const match of ['all', 'best']) {
        const parameters = new URLSearchParams({ q, match, facets: 'tag,year' }).toString()
        await askAll({ parameters, visibility: 'live' }, faults)
      }
      const typed = { text: q.toWellFormed().trim(), visibility: 'live' } as const
      const suggested = await Promise.all(engines.map(async (engine) => toSuggestedText(await engine.suggest(typed))))
      if (new Set(suggested).size > 1) faults.push(`suggest ${q}\n    ${suggested.join(' / ')}`)
    }
    expectNone(faults)
  },
  timeoutMs,
)

/** Returns how many of them suggested anything. */
async function compareSuggestions(one: SearchEngine, other: SearchEngine, count: number, faults: string[]) {
  let found = 0
  for (let time = 0; time < count; time++) {
    const typed = toTyped(random)
    const [ours, theirs] = [await one.suggest(typed), await other.suggest(typed)]
    if (ours.results.length > 0) found++
    const [first, second] = [toSuggestedText(ours), toSuggestedText(theirs)]
    if (first !== second) faults.push(`${typed.visibility}: ${typed.text}\n    ${first} / ${second}`)
  }
  return found
}

/** Without slugs, which are those of the first titles. */
function toSuggestedText({ results }: Completions): string {
  return JSON.stringify(results.map((each) => ({ ...each, slug: undefined })))
}

test(
  `of ${suggestions} random texts, SQLite and PostgreSQL suggest the same for every one`,
  async () => {
    const faults: string[] = []
    const [one, other] = engines
    if (one === undefined || other === undefined) throw new Error('there are no engines')
    let found = 0
    for (let round = rounds; round < rounds + 3; round++) {
      found += await compareSuggestions(one, other, suggestions / 3, faults)
      await change(round)
    }
    expectNone(faults)
    expect(found).toBeGreaterThan(suggestions / 2)
  },
  timeoutMs,
)

async function readAll(engine: SearchEngine): Promise<Map<number, VideoRecord>> {
  const records = new Map<number, VideoRecord>()
  for (let page = 1; ; page++) {
    const answer = await engine.ask({ parameters: `ordering=id&page_size=100&page=${page}`, visibility: 'all' })
    if ('refused' in answer) throw new Error(answer.refused)
    for (const text of answer.records ?? []) records.set(Number(fromBodyText(text).id), fromBodyText(text))
    if (records.size >= answer.count) return records
  }
}

/** The same records, from other beginnings, in another order, with searches between the writes. */
async function rewrite(records: ReadonlyMap<number, VideoRecord>, engine: SearchEngine): Promise<void> {
  const ids = [...records.keys()]
  for (let id = 1; id <= lastId; id++) await engine.write(toCreate(toTalk(random)))
  for (let id = 1; id <= lastId; id++) if (!records.has(id)) await engine.erase(id)
  const shuffled = ids.map((id) => ({ id, at: random.between(0, 1_000_000) })).sort((a, b) => a.at - b.at)
  for (const [i, { id }] of shuffled.entries()) {
    const { slug: _, id: __, added: ___, updated: ____, ...changes } = records.get(id) ?? {}
    await engine.write(toMerge(id, changes))
    if (i % 10 === 0) await engine.ask(toAsked(random))
  }
}

/** A slug is that of the first title, and `added` the time of the first version. */
const isOfHistory = ({ parameters }: Asked) => /added|category=pycon/.test(parameters)

test(
  'answers do not depend on how the records came to be, or on when the index was loaded',
  async () => {
    const faults: string[] = []
    const [engine] = engines
    if (engine === undefined) throw new Error('there are no engines')
    const other = await createSqliteEngine()
    await rewrite(await readAll(engine), other)
    const wanted = Array.from({ length: queries / 5 }, () => toAsked(random))
    const comparable = wanted.filter((asked) => !isOfHistory(asked))
    const isCompared = (name: string) => name !== 'records' && name !== 'nextCursor'
    for (const isFresh of [false, true]) {
      if (isFresh) other.restart()
      for (const asked of comparable) {
        const difference = findDifference(await engine.ask(asked), await other.ask(asked), isCompared)
        if (difference !== null) faults.push(toFault(asked, difference))
      }
      await compareSuggestions(engine, other, suggestions / 3, faults)
    }
    await other.close()
    expectNone(faults)
  },
  timeoutMs,
)
