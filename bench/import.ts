import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { toIsoCode } from '../src/record/text/language.ts'
import { toGeneratedChanges } from './generated/record.ts'
import type { Sample } from './harness/load.ts'
import type { Context, Question, Row } from './harness/question.ts'
import { interleave, toRatioRow } from './harness/rounds.ts'
import { readBesideImport, toP99s, toP99Text, toSteadyReads } from './harness/steady-reads.ts'

const root = resolve(import.meta.dir, '..')
const fileCount = 2_000
const talksPerEvent = 50
const lineCount = 20_000
const quickLineCount = 10_000
/** Factor of lines for one further run: does memory grow with them? */
const manyFold = 5
const rounds = 3
/** An optional archive in the format of `rostrum import`. */
const ownFolder = process.env.BENCH_FOLDER
const ownRounds = 7
const readsPerSecond = 1_000
/** Duration of the reads in rounds: a large import disturbs others most at its start. */
const readRounds = 5

/** How often the peak memory is read: the system keeps it, so only growth at the very end is missed. */
const peakMs = 25

interface Run {
  readonly ms: number
  readonly cpuMs: number
  /** Null if the system does not report it. */
  readonly peakBytes: number | null
}

export const importQuestion: Question = {
  name: 'import',
  asks:
    `How long does an import into a new store take compared with a bare script (\`import-bare.ts\`) that reads the same files, ` +
    `parses them, and inserts bytes and search rows in one transaction? ${fileCount.toLocaleString('en-US')} files of ` +
    `talks, and ${lineCount.toLocaleString('en-US')} records, one per line; ${rounds} rounds, start of the process ` +
    `included; your own folder (BENCH_FOLDER=PATH), if given, ${ownRounds} rounds; then ${manyFold} times ` +
    'as many lines, once, and what memory they take. Goal: 3 × at most. Then p99 of GET of a hot record at ' +
    `${readsPerSecond}/s, alone, during an import of as many into the same store, and ` +
    'during one into another store, which shows the share of the machine.',
  isPinned: false,
  generator: 'both',
  async run(context) {
    const lines = isQuick(context) ? quickLineCount : lineCount
    const folder = writeFolder(join(context.folder, 'talks'))
    const file = writeLines(join(context.folder, 'records.ndjson'), 1, lines)
    const many = writeLines(join(context.folder, 'many.ndjson'), 1, lines * manyFold)
    const ofFolder = await compareWithBare(context, 'folder', folder, rounds)
    const ofOwn = ownFolder === undefined ? null : await compareWithBare(context, 'own folder', ownFolder, ownRounds)
    const ofLines = await compareWithBare(context, 'lines', file, rounds)
    const ofMany = await compareWithBare(context, `${(lines * manyFold).toLocaleString('en-US')} lines`, many, 1)
    const growth = toRatioRow(`peak memory, ${manyFold} times as many lines`, ofMany.peakBytes, ofLines.peakBytes)
    return [
      ...ofFolder.rows,
      ...(ofOwn?.rows ?? []),
      ...ofLines.rows,
      ...ofMany.rows,
      growth,
      ...(await measureReads(context, lines * manyFold)),
    ]
  },
}

/** The rounds of a quick run are too short to count. */
const isQuick = ({ roundMs }: Context) => roundMs < 1_000

interface Comparison {
  readonly rows: readonly Row[]
  /** Of ours. */
  readonly peakBytes: readonly number[]
}

async function compareWithBare(
  { say, folder }: Context,
  name: string,
  source: string,
  rounds: number,
): Promise<Comparison> {
  const [db, bare] = [join(folder, 'import.db'), join(folder, 'bare.db')]
  const sides = [
    { name: `${name}, Rostrum`, run: () => timeRun(db, toImport(source, db)) },
    {
      name: 'bare',
      run: () => timeRun(bare, [join(root, 'bin/bun'), join(root, 'bench/import-bare.ts'), source, bare]),
    },
  ]
  const [ours = [], theirs = []] = await interleave<Run>({ rounds, say }, sides, ({ ms }) => `${ms.toFixed(0)} ms`)
  const ms = (runs: readonly Run[]) => runs.map((run) => run.ms)
  const cpu = (runs: readonly Run[]) => runs.map((run) => run.cpuMs)
  const peak = (runs: readonly Run[]) => runs.flatMap(({ peakBytes }) => peakBytes ?? [])
  const toRow = (label: string, unit: Row['unit'], values: readonly number[]) => ({
    label: `${name}, ${label}`,
    unit,
    values,
  })
  const rows = [
    toRatioRow(`${name}, Rostrum to bare, time`, ms(ours), ms(theirs)),
    toRatioRow(`${name}, Rostrum to bare, CPU`, cpu(ours), cpu(theirs)),
    toRow('Rostrum', 'ms', ms(ours)),
    toRow('bare', 'ms', ms(theirs)),
    toRow(
      'Rostrum, peak memory',
      'MB',
      peak(ours).map((bytes) => bytes / 1024 ** 2),
    ),
    toRow(
      'bare, peak memory',
      'MB',
      peak(theirs).map((bytes) => bytes / 1024 ** 2),
    ),
  ]
  return { rows, peakBytes: peak(ours) }
}

const toImport = (source: string, db: string) => [join(root, 'bin/rostrum'), 'import', source, '--db', db]

/** Into a new store each time. */
async function timeRun(db: string, command: readonly string[]): Promise<Run> {
  for (const rest of ['', '-wal', '-shm']) rmSync(`${db}${rest}`, { force: true })
  const startedMs = performance.now()
  const child = start(command)
  const peak = watchPeak(child.pid)
  const code = await child.exited
  const ms = performance.now() - startedMs
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${await child.stderr.text()}`)
  return { ms, cpuMs: Number(child.resourceUsage()?.cpuTime.total) / 1000, peakBytes: peak.end() }
}

/** Of the program alone: the figure that the system reports at its end includes our own memory at the fork. */
function watchPeak(pid: number) {
  let kilobytes: number | null = null
  const look = () => {
    try {
      kilobytes = Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? kilobytes)
    } catch {
      // The process has ended, or this system has no such file.
    }
  }
  const timer = setInterval(look, peakMs)
  return {
    end() {
      clearInterval(timer)
      return kilobytes === null ? null : kilobytes * 1024
    },
  }
}

function start(command: readonly string[]) {
  return Bun.spawn(['sh', ...command], { stdio: ['ignore', 'ignore', 'pipe'] })
}

async function measureReads(context: Context, lines: number): Promise<readonly Row[]> {
  const server = await context.startRostrum({ threads: null, store: 'beside' })
  const { port } = server
  const steady = await toSteadyReads(context, port)
  const reads = { ...steady, durationMs: context.roundMs * readRounds, perSecond: readsPerSecond }
  let made = 0
  const readBeside = (store: string) => () => {
    // New records each time: an import of existing records writes little.
    const file = writeLines(join(context.folder, 'beside.ndjson'), 1_000_000 + lines * made++, lines)
    return readBesideImport(context, reads, toImport(file, join(context.folder, `${store}.db`)))
  }
  const sides = [
    { name: 'during an import', run: readBeside('beside') },
    { name: 'during one into another store', run: readBeside('other') },
    { name: 'alone', run: () => context.drive(reads) },
  ]
  const p99s = await interleave<Sample>({ rounds, say: context.say }, sides, toP99Text)
  server.check()
  const [same = [], other = [], alone = []] = p99s.map(toP99s)
  return [
    toRatioRow('GET during an import to alone, p99', same, alone),
    toRatioRow('GET during an import into another store to alone, p99', other, alone),
    { label: 'GET during an import, p99', unit: 'ms', values: same },
    { label: 'GET during an import into another store, p99', unit: 'ms', values: other },
    { label: 'GET alone, p99', unit: 'ms', values: alone },
  ]
}

function writeLines(path: string, first: number, count: number): string {
  const lines = Array.from({ length: count }, (_, i) =>
    JSON.stringify({ id: first + i, ...toGeneratedChanges(first + i) }),
  )
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

/** A folder for each event; half of the talks have ids, and all have data that fits no field. */
function writeFolder(path: string): string {
  for (let event = 0; event < fileCount / talksPerEvent; event++) {
    const folder = join(path, `event-${event}`)
    mkdirSync(join(folder, 'videos'), { recursive: true })
    writeFileSync(join(folder, 'category.json'), JSON.stringify({ title: `Event ${event}`, description: 'Talks.' }))
    for (let number = 1; number <= talksPerEvent; number++) {
      const file = toTalkFile(event * talksPerEvent + number, `Event ${event}`)
      writeFileSync(join(folder, 'videos', `talk-${number}.json`), JSON.stringify(file, null, 2))
    }
  }
  return path
}

function toTalkFile(index: number, category: string): object {
  const {
    title,
    language = '',
    speakers,
    tags,
    summary,
    description,
    recorded,
    duration,
    ...media
  } = toGeneratedChanges(index)
  return {
    ...(index % 2 === 0 ? { id: index } : {}),
    ...{ title, category, speakers, tags, summary, description, recorded, duration },
    language: toIsoCode(language) ?? language,
    slug: `talk-${index}`,
    alias: `/video/${index}/talk`,
    related_urls: [{ label: 'Slides', url: `https://slides.example.org/${index}` }],
    thumbnail_url: media.thumbnail_url,
    videos: [
      { type: 'youtube', url: `https://www.youtube.com/watch?v=t${String(index).padStart(10, '0')}` },
      { type: 'mp4', url: `https://media.example.org/${index}/talk.mp4`, length: 1_000_000 + index },
    ],
  }
}
