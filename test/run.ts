import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from './harness/fresh-store.ts'
import { createCluster, createTemplate } from './harness/postgres.ts'
import { prepareStore } from './harness/server.ts'
import { createCheck, type Result } from './runner/job.ts'
import { createPlan, type Length, needsBrowser, needsCluster, needsExecutable } from './runner/plan.ts'
import { createQueue } from './runner/queue.ts'
import { findTestFiles, hasMark, isLongOnly } from './runner/test-files.ts'
import { findTypeScriptProjects } from './runner/typescript-projects.ts'
import { judgeRun, type Verdict } from './runner/verdict.ts'

/** More than cores, since tests also wait for browsers, disks and timers. ROSTRUM_TEST_WORKERS overrides it. */
function countWorkers(length: Length): number {
  // Long tests mostly wait. The others keep every core busy, and more of them would only be in each other's way.
  const waiting = length === 'long' ? 3 : 2
  return Number(process.env.ROSTRUM_TEST_WORKERS ?? availableParallelism() + waiting)
}

/** Suites of `--quick`: units, and the contract on SQLite, except for files that are marked as slow. */
const quickSuites = ['api', 'contract', 'edit', 'http', 'record', 'serve', 'site', 'store', 'structure.test.ts'].map(
  (name) => `test/${name}`,
)

const compiler = 'node_modules/typescript/bin/tsc'

const checks = [
  createCheck('Biome', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']),
  ...findTypeScriptProjects().map((folder) =>
    createCheck(folder === '.' ? 'TypeScript' : `TypeScript of ${folder}`, [compiler, '--noEmit', '-p', folder]),
  ),
]

type Wanted = {
  readonly files: readonly string[]
  /** Whether to test the executable instead of the checkout, and PostgreSQL as well. */
  readonly everywhere: boolean
  /** `both` for a choice of files. */
  readonly length: Length
}

process.exit(await main(process.argv.slice(2)))

async function main(args: readonly string[]): Promise<number> {
  const [first, ...rest] = args
  if (first === 'check') return await run({ files: [], everywhere: false, length: 'both' })
  const wanted = first === 'long' ? chooseLong(rest) : choose(args)
  if (wanted.files.length > 0) return await run(wanted)
  console.log(`No test file is at or below ${args.join(', ')}\n\n0 passed, 1 failed`)
  return 1
}

function choose(args: readonly string[]): Wanted {
  const paths = args.filter((arg) => arg !== '--quick')
  if (paths.length === args.length) {
    return paths.length === 0
      ? { files: findTestFiles(), everywhere: true, length: 'short' }
      : { files: findTestFiles(paths), everywhere: true, length: 'both' }
  }
  const isQuick = (file: string) => !hasMark(file, 'slow') && !isLongOnly(file)
  const files = paths.length > 0 ? findTestFiles(paths) : findTestFiles(quickSuites).filter(isQuick)
  return { files, everywhere: false, length: 'both' }
}

/** What `npm test` leaves out, and all random tests with their full numbers. */
function chooseLong(paths: readonly string[]): Wanted {
  process.env.ROSTRUM_TEST_LONG = '1'
  return paths.length === 0
    ? { files: findTestFiles(), everywhere: true, length: 'long' }
    : { files: findTestFiles(paths), everywhere: true, length: 'both' }
}

async function run({ files, everywhere, length }: Wanted): Promise<number> {
  const started = performance.now()
  const scratch = mkdtempSync(join(tmpdir(), 'rostrum-run-'))
  // PostgreSQL may run as another user.
  chmodSync(scratch, 0o755)
  if (everywhere) process.env.ROSTRUM_TEST_CLUSTER = createTemplate(scratch)
  // fsync off is safe here: tests that cut the power start their own cluster.
  const cluster = everywhere && needsCluster(files) ? await createCluster({ fsync: false }) : null
  const program = everywhere && needsExecutable(files) ? join(scratch, 'rostrum') : null
  try {
    await cluster?.start()
    if (cluster !== null) process.env.ROSTRUM_TEST_SHARED_POSTGRES = cluster.toUrl('postgres')
    const build = program === null ? [] : [createCheck('Executable', ['scripts/build.ts', program])]
    const plan = createPlan(files, length, {
      postgres: cluster === null ? null : { ROSTRUM_TEST_POSTGRES: cluster.toUrl('postgres') },
      executable: program === null ? null : { ROSTRUM_TEST_PROGRAM: program },
    })
    const browser = needsBrowser(files) ? [createCheck('Chromium', ['test/browser/find-chromium.ts'])] : []
    const first = [...build, ...browser, ...checks]
    const workers = countWorkers(length)
    const queue = createQueue(scratch, first.length + plan.shared.length + plan.alone.length)
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, queue.stop)
    await queue.run(first, workers)
    if (everywhere) await prepare(scratch, cluster?.toUrl('postgres') ?? null)
    await queue.run(plan.shared, workers)
    await queue.run(plan.alone, 1)
    // A developer who runs a few files wants to see each failure.
    const repeat = length !== 'both' ? queue.repeat : async (failed: Result) => failed
    return report(await judgeRun(queue.results, repeat), queue.results, performance.now() - started)
  } finally {
    await cluster?.remove()
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Makes the templates that test files copy. */
async function prepare(scratch: string, cluster: string | null): Promise<void> {
  process.env.ROSTRUM_TEST_PREPARED = JSON.stringify(await prepareStore(join(scratch, 'prepared.db')))
  if (cluster === null) return
  const { db } = await createDatabase(cluster)
  process.env.ROSTRUM_TEST_PREPARED_POSTGRES = JSON.stringify(await prepareStore(db))
}

function report({ passed, failures, unsteady }: Verdict, results: readonly Result[], elapsedMs: number): number {
  const cpuSeconds = results.reduce((sum, result) => sum + result.cpuSeconds, 0)
  if (unsteady.length > 0)
    console.log(`\n== Unsteady: this failed beside other files, and passed alone\n${unsteady.join('\n')}`)
  if (failures.length > 0) console.log(`\n== Failures\n${failures.join('\n')}`)
  console.log(`\n${(elapsedMs / 1000).toFixed(0)} s, CPU ${cpuSeconds.toFixed(0)} s without PostgreSQL and browsers`)
  console.log(`${passed} passed, ${failures.length} failed`)
  return failures.length === 0 ? 0 : 1
}
