import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { createCluster } from './harness/postgres.ts'

const root = resolve(import.meta.dir, '..')

// As in bin/bun: neither .env nor bunfig of the caller's folder, and heads as long as the server is ready to judge.
const bunFlags = [
  '--no-env-file',
  `--config=${join(root, 'bunfig.toml')}`,
  `--tsconfig-override=${join(root, 'tsconfig.json')}`,
  '--max-http-header-size=131072',
]

// Starting a server on a busy machine may take seconds; a test that needs longer than this says so itself.
const testTimeoutMs = 60_000

/** Suites of what every engine must do: the same files once more, on a PostgreSQL of their own. */
const engineSuites = ['test/contract', 'test/search', 'test/follower', 'test/clients', 'test/client']

/** What takes minutes: `npm run test:long` alone runs it, whole or the files named behind `--`. */
const longSuite = 'test/long'

/** Those that start `rostrum` by test/harness/program.ts. */
const executableTests = ['test/contract', 'test/launcher.test.ts']

type Environment = { readonly [name: string]: string }
type Count = { readonly passed: number; readonly failed: number }

/** What failed and why, told once more at the very end, where whoever sees only the end of a long log finds it. */
const failures: string[] = []

const entities: { readonly [entity: string]: string } = {
  '&quot;': '"',
  '&apos;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
}

process.exit(await main(process.argv.slice(2)))

async function main(args: readonly string[]): Promise<number> {
  if (args[0] === 'long') return report([await runTests('Long tests', args.length > 1 ? args.slice(1) : [longSuite])])
  const onlyChecks = args[0] === 'check'
  const counts = [
    await runCheck('Biome', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']),
    await runCheck('TypeScript', ['node_modules/typescript/bin/tsc', '--noEmit', '-p', '.']),
  ]
  if (!onlyChecks) {
    counts.push(await runTests('Tests', args))
    counts.push(...(await runOnPostgres(args)))
  }
  if (args.length === 0) counts.push(await runTestsOfExecutable())
  return report(counts)
}

function report(counts: readonly Count[]): number {
  const passed = counts.reduce((sum, count) => sum + count.passed, 0)
  const failed = counts.reduce((sum, count) => sum + count.failed, 0)
  if (failures.length > 0) console.log(`\n== What failed\n${failures.join('\n')}`)
  console.log(`\n${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

async function runCheck(name: string, command: readonly string[]): Promise<Count> {
  if ((await runStep(name, command)) === 0) return { passed: 1, failed: 0 }
  failures.push(`${name}: see above`)
  return { passed: 0, failed: 1 }
}

async function runOnPostgres(wanted: readonly string[]): Promise<readonly Count[]> {
  const files = findTestFiles(wanted).filter((file) => engineSuites.some((suite) => file.startsWith(`${suite}/`)))
  if (files.length === 0) return []
  // What makes it fast does no harm here: nothing is pulled from under it. Where something is, it has a cluster of its own.
  const cluster = await createCluster({ fsync: false })
  try {
    await cluster.start()
    return [await runTests('Tests on PostgreSQL', files, { ROSTRUM_TEST_POSTGRES: cluster.toUrl('postgres') })]
  } finally {
    await cluster.remove()
  }
}

/** What the checkout promises, the executable promises. */
async function runTestsOfExecutable(): Promise<Count> {
  const scratch = mkdtempSync(join(tmpdir(), 'rostrum-run-'))
  try {
    const program = join(scratch, 'rostrum')
    const built = await runCheck('Executable', ['scripts/build.ts', program])
    const env = { ROSTRUM_TEST_PROGRAM: program }
    return built.failed > 0 ? built : await runTests('Tests of the executable', executableTests, env)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function runTests(name: string, wanted: readonly string[], env: Environment = {}): Promise<Count> {
  const files = findTestFiles(wanted)
  if (files.length === 0) {
    failures.push(`No test file is at or below: ${wanted.join(' ') || 'test'}`)
    return { passed: 0, failed: 1 }
  }
  const scratch = mkdtempSync(join(tmpdir(), 'rostrum-run-'))
  const report = join(scratch, 'junit.xml')
  try {
    const flags = [`--timeout=${testTimeoutMs}`, '--reporter=junit', `--reporter-outfile=${report}`]
    const exitCode = await runStep(
      `${name} (${files.length} files)`,
      ['test', ...flags, ...files.map((f) => `./${f}`)],
      env,
    )
    const { passed, failed } = readReport(existsSync(report) ? readFileSync(report, 'utf8') : '', files)
    // An error between two tests belongs to no case.
    if (exitCode !== 0 && failed.length === 0) failed.push(`ended with ${exitCode}: see above`)
    failures.push(...failed.map((failure) => `${name}: ${failure}`))
    return { passed, failed: failed.length }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function runStep(name: string, command: readonly string[], env: Environment = {}): Promise<number> {
  console.log(`\n== ${name}`)
  const started = performance.now()
  const child = Bun.spawn([process.execPath, ...bunFlags, ...command], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const exitCode = await child.exited
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`== ${name}: ${exitCode === 0 ? 'passed' : `failed with ${exitCode}`} after ${seconds} s`)
  return exitCode
}

/** The test files at or below the given paths, as paths from the root; without any, all but the long ones. */
function findTestFiles(wanted: readonly string[]): readonly string[] {
  const found = new Set<string>()
  for (const path of wanted.length === 0 ? [join(root, 'test')] : wanted.map((name) => resolve(root, name))) {
    if (!existsSync(path)) continue
    const below = statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : ['']
    for (const name of below) found.add(relative(root, join(path, name)))
  }
  const isWanted = (file: string) => wanted.length > 0 || !file.startsWith(`${longSuite}/`)
  return [...found].filter((file) => file.endsWith('.test.ts') && isWanted(file)).sort()
}

/**
 * What the report says. Skipped cases count as failed, since no suite of ours may be skipped. So does a file without a
 * single case: it could not be loaded, or the run ended before it.
 */
function readReport(report: string, files: readonly string[]): { passed: number; failed: string[] } {
  let passed = 0
  const failed: string[] = []
  const reported = new Set<string>()
  for (const [, attributes = '', inside = ''] of report.matchAll(/<testcase\b([^>]*?)(?:\/>|>(.*?)<\/testcase>)/gs)) {
    const file = toAttribute(attributes, 'file')
    reported.add(file)
    const verdict = /<(?:failure|error|skipped)\b(.*)/s.exec(inside)?.[1]
    if (verdict === undefined) passed++
    else failed.push(toFailure(file, attributes, verdict))
  }
  for (const file of files.filter((file) => !reported.has(file))) failed.push(`${file}: none of its tests was reported`)
  return { passed, failed }
}

function toFailure(file: string, attributes: string, verdict: string): string {
  const reason = toAttribute(verdict, 'message') || 'it was skipped, or failed without a word'
  return `${file}:${toAttribute(attributes, 'line')}: ${toAttribute(attributes, 'name')}\n  ${reason.replaceAll('\n', '\n  ')}`
}

function toAttribute(attributes: string, name: string): string {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? ''
  return value.replace(/&(?:#(\d+)|quot|apos|lt|gt|amp);/g, (entity, code: string | undefined) =>
    code === undefined ? (entities[entity] ?? entity) : String.fromCodePoint(Number(code)),
  )
}
