import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readReport } from './report.ts'
import { root } from './test-files.ts'

export type Environment = Readonly<Record<string, string>>

/** One process of the run: a check, or the tests of some files on one engine or program. */
export type Job = {
  readonly name: string
  /** Arguments of Bun. */
  readonly command: readonly string[]
  /** The test files whose cases the process must report; none for a check. */
  readonly files: readonly string[]
  readonly env: Environment
}

export type Result = {
  readonly job: Job
  readonly passed: number
  readonly failures: readonly string[]
  readonly output: string
  readonly seconds: number
  readonly cpuSeconds: number
}

// Same as bin/bun: ignore .env and bunfig of the caller's folder, and raise the header limit above the server's own.
const bunFlags = [
  '--no-env-file',
  `--config=${join(root, 'bunfig.toml')}`,
  `--tsconfig-override=${join(root, 'tsconfig.json')}`,
  '--max-http-header-size=131072',
]

// Starting a server on a busy machine may take seconds; a test that needs more time sets its own timeout.
const testTimeoutMs = 180_000

export function createCheck(name: string, command: readonly string[]): Job {
  return { name, command, files: [], env: {} }
}

/** `where` names the engine or program if it is not the default one. */
export function createTestJob(files: readonly string[], env: Environment = {}, where = ''): Job {
  const command = ['test', `--timeout=${testTimeoutMs}`, ...files.map((file) => `./${file}`)]
  return { name: where === '' ? toName(files) : `${toName(files)} (${where})`, command, files, env }
}

/** The path of a file; of several their folder and their names. */
function toName(files: readonly string[]): string {
  const [first = '', ...others] = files
  if (others.length === 0) return first
  return `${dirname(first)}: ${files.map((file) => basename(file, '.test.ts')).join(', ')}`
}

/** Runs the process to its end. Its output and report are kept in `scratch`, under `id`. */
export async function runJob(job: Job, scratch: string, id: number, signal: AbortSignal): Promise<Result> {
  const report = join(scratch, `${id}.xml`)
  const log = join(scratch, `${id}.log`)
  const flags = job.files.length === 0 ? [] : ['--reporter=junit', `--reporter-outfile=${report}`]
  const started = performance.now()
  const output = openSync(log, 'w')
  const child = Bun.spawn([process.execPath, ...bunFlags, ...job.command, ...flags], {
    cwd: root,
    env: { ...process.env, ...job.env },
    stdio: ['ignore', output, output],
    signal,
  })
  const exitCode = await child.exited
  closeSync(output)
  const { passed, failures } = judge(job, exitCode, existsSync(report) ? readFileSync(report, 'utf8') : '')
  return {
    job,
    passed,
    failures: failures.map((failure) => `${job.name}: ${failure}`),
    output: readFileSync(log, 'utf8'),
    seconds: (performance.now() - started) / 1000,
    cpuSeconds: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6,
  }
}

function judge({ files }: Job, exitCode: number, report: string): Pick<Result, 'passed' | 'failures'> {
  if (files.length === 0) {
    return exitCode === 0 ? { passed: 1, failures: [] } : { passed: 0, failures: [`exit code ${exitCode}, see above`] }
  }
  const { passed, failures, reported } = readReport(report)
  // A file without cases could not be loaded, or its process ended early.
  const silent = files.filter((file) => !reported.has(file))
  if (silent.length > 0) {
    return { passed, failures: [...failures, `no case of ${silent.join(', ')} was reported, exit code ${exitCode}`] }
  }
  // An error between two cases belongs to neither.
  if (exitCode !== 0 && failures.length === 0) return { passed, failures: [`exit code ${exitCode}, see above`] }
  return { passed, failures }
}
