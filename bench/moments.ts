import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseSearch, toTokens } from '../src/record/text/search-text.ts'
import { findMoment } from '../src/record/transcript/moments.ts'
import { dropLoops } from '../src/record/transcript/spoken.ts'
import { toCompanionBody, toCompanionChecksum } from '../src/store/companion/companion-rows.ts'
import { createMomentRows } from '../src/store/moment/moment-rows.ts'
import { createSpokenSearch, type FindSpoken } from '../src/store/moment/moment-search.ts'
import { openEngine } from '../src/store/open.ts'
import { listSql as postgresSql } from '../src/store/postgres/list.ts'
import { listSql as sqliteSql } from '../src/store/sqlite/list.ts'
import { createRandom } from './generated/random.ts'
import { createTranscripts, type GeneratedTranscript } from './generated/transcripts.ts'

// How large the index of what was said is, how long its parts take, how often it finds what was said once, and what a
// search costs. A store that is made already is used again, and one that was interrupted is continued:
// sh bin/bun --dev bench/moments.ts 2200 [postgres://…]

const [size = '2200', given] = process.argv.slice(2)
const transcripts = Number(size)
const runs = 1_000
/** Talks per page, by default. */
const pageSize = 20
const make = createTranscripts(7)

const folder = join(tmpdir(), `rostrum-moments-${transcripts}`)
mkdirSync(folder, { recursive: true })
const engine = await openEngine(given ?? join(folder, 'store.db'))
if (!(await engine.exists())) await engine.create()
const db = engine.open('write')
await storeAll()
await indexAll()
console.log(await readSizes())
const wanted = await readRuns()
const sql = engine.kind === 'sqlite' ? sqliteSql : postgresSql
const find = createSpokenSearch(db, sql, () => undefined)
await measureQuality()
await measureCommon()
await db.close()

async function storeAll(): Promise<void> {
  const insert = db.query(
    'INSERT INTO companion (record_id, name, number, alone, checksum, body) VALUES (?, ?, 2, 1, ?, ?)',
  )
  const stored = await readNumber('SELECT count(*) AS number FROM companion')
  for (let from = stored; from < transcripts; from += 100) {
    await db.transaction('write', async () => {
      for (let number = from; number < Math.min(from + 100, transcripts); number++) {
        const { language, ...transcript } = make(number)
        const body = toCompanionBody(transcript)
        await insert.run(number + 1, `transcripts/${language}`, toCompanionChecksum(body), body)
      }
    })
  }
}

async function readSizes(): Promise<string> {
  const pages = (table: string) => `SELECT sum(pgsize) AS number FROM dbstat WHERE name LIKE '%${table}%'`
  const sql =
    engine.kind === 'sqlite'
      ? pages('moment_')
      : `SELECT pg_total_relation_size('moment_posting') + pg_total_relation_size('moment_transcript') AS number`
  const texts = await readNumber('SELECT sum(length(body)) AS number FROM companion')
  return `texts ${toMb(texts)}, index ${toMb(await readNumber(sql))}`
}

async function readNumber(sql: string): Promise<number> {
  return Number((await db.query<{ number: number }, []>(sql).get())?.number ?? 0)
}

async function indexAll(): Promise<void> {
  const rows = createMomentRows(db)
  const times: number[] = []
  while ((await rows.prepare()) !== 'none') {
    const startMs = performance.now()
    await db.transaction('write', rows.indexPart)
    times.push(performance.now() - startMs)
  }
  const sum = times.reduce((one, other) => one + other, 0)
  if (times.length > 0)
    console.log(`indexed in ${(sum / 1000).toFixed(1)} s, ${times.length} parts: ${toPercentiles(times)}`)
}

interface Run {
  readonly id: number
  readonly text: string
  /** Of the cue in which it begins, in seconds. */
  readonly start: number
}

/** Runs of 5 to 8 words, across cues as they come, that nobody says a second time. */
function createRuns(): Run[] {
  const random = createRandom(11)
  const found = new Map<string, Run>()
  while (found.size < runs * 1.1) {
    const number = random.below(transcripts)
    const words = toWords(make(number))
    const length = 5 + random.below(4)
    const at = random.below(words.length - length)
    const text = words.slice(at, at + length).map(({ text: word }) => word)
    const key = text.slice(0, 5).join(' ')
    const separator = (text[0] ?? '') > '\u3000' ? '' : ' '
    found.set(key, { id: number + 1, text: text.join(separator), start: (words[at]?.start ?? 0) / 1000 })
  }
  const seen = new Map<string, number>()
  for (let number = 0; number < transcripts; number++) {
    const words = toWords(make(number)).map(({ text }) => text)
    for (let i = 0; i + 5 <= words.length; i++) {
      const key = `${words[i]} ${words[i + 1]} ${words[i + 2]} ${words[i + 3]} ${words[i + 4]}`
      if (found.has(key)) seen.set(key, (seen.get(key) ?? 0) + 1)
    }
  }
  return [...found]
    .filter(([key]) => seen.get(key) === 1)
    .map(([, run]) => run)
    .slice(0, runs)
}

function toWords({ cues, language }: GeneratedTranscript) {
  return dropLoops(cues).flatMap(({ text, start }) =>
    (language === 'ja' ? [...text] : toTokens(text)).map((word) => ({ text: word, start })),
  )
}

/** Finding them takes longer than searching them. */
async function readRuns(): Promise<readonly Run[]> {
  const path = join(folder, 'runs.json')
  if (!existsSync(path)) writeFileSync(path, JSON.stringify(createRuns()))
  return JSON.parse(readFileSync(path, 'utf8'))
}

async function measureQuality(): Promise<void> {
  for (const [kind, toQuery] of [
    ['quoted', ({ text }: Run) => `"${text}"`],
    ['not quoted', ({ text }: Run) => text],
  ] as const) {
    const times: number[] = []
    const memory = watchMemory()
    let [first, second] = [0, 0]
    for (const run of wanted) {
      const startMs = performance.now()
      const { best, findStart } = await search(find, toQuery(run))
      times.push(performance.now() - startMs)
      if (best?.id !== run.id) continue
      first++
      if (Math.abs((findStart(best) ?? -9) - run.start) <= 2) second++
    }
    const share = (count: number) => (count / wanted.length).toFixed(3)
    console.log(
      `${wanted.length} runs, ${kind}: talk ${share(first)}, second ${share(second)}; ${toPercentiles(times)}; ${memory()}`,
    )
  }
}

async function search(spoken: FindSpoken, text: string) {
  const parsed = parseSearch(text)
  if (!parsed.ok) throw new Error(parsed.problem)
  const { best, count, windows } = await db.transaction('read', async () => {
    const { matches, findWindows } = await spoken(parsed.search, () => true)
    const shown = matches.toSorted((one, other) => other.score - one.score || one.id - other.id).slice(0, pageSize)
    return { count: matches.length, best: shown[0], windows: await findWindows(shown) }
  })
  /** Where it is said, in seconds. */
  const findStart = ({ id }: { readonly id: number }) => {
    const [window] = (windows.get(best?.number ?? -1) ?? []).toSorted((one, other) => other.weight - one.weight)
    if (window === undefined) return null
    return findMoment(make(id - 1).cues, parsed.search, window)?.start ?? null
  }
  return { count, best, findStart }
}

/** The most common words of the archive, alone and together: the slowest searches there are. */
async function measureCommon(): Promise<void> {
  const words = [
    ...new Set(
      make(0)
        .cues.slice(0, 40)
        .flatMap(({ text }) => toTokens(text)),
    ),
  ]
  const counts = new Map<string, number>()
  for (let number = 0; number < 50; number++) {
    for (const { text } of toWords(make(number))) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const common = [...counts].sort((one, other) => other[1] - one[1]).map(([word]) => word)
  const [a = '', b = '', c = '', d = '', e = ''] = common
  for (const text of [
    a,
    `${a} ${b}`,
    `"${a} ${b}"`,
    `${a} ${b} ${c} ${d} ${e}`,
    `"${c} ${d}" ${e}`,
    `${words[9]} -${a}`,
  ]) {
    const times: number[] = []
    const memory = watchMemory()
    let found = 0
    for (let i = 0; i < 3; i++) {
      const startMs = performance.now()
      found = (await search(find, text)).count
      times.push(performance.now() - startMs)
    }
    console.log(`${text}: ${found} talks, ${Math.min(...times).toFixed(0)} ms; ${memory()}`)
  }
}

/** Returns how much more memory was in use at most since the call. Linux keeps the peak of the process. */
function watchMemory(): () => string {
  Bun.gc(true)
  writeFileSync('/proc/self/clear_refs', '5')
  const before = process.memoryUsage.rss()
  return () => {
    const [, peak] = readFileSync('/proc/self/status', 'utf8').match(/VmHWM:\s+(\d+)/) ?? []
    return `${toMb(Number(peak) * 1024 - before)} more memory at most`
  }
}

function toPercentiles(times: readonly number[]): string {
  const sorted = [...times].sort((one, other) => one - other)
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1)
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms`
}

function toMb(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(0)} MB`
}
