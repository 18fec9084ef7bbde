import { dirname } from 'node:path'
import { createTestJob, type Environment, type Job } from './job.ts'
import { growsWhenLong, hasMark, isIn, isLongOnly } from './test-files.ts'

/** Suites of what every engine promises; they run on SQLite and on PostgreSQL. */
const engineSuites = [
  'test/contract',
  'test/search',
  'test/follower',
  'test/clients',
  'test/client',
  'test/site/machine',
]

const unitSuites = ['test/record', 'test/runner', 'test/store']

/** Small enough that a run does not end with one process, and that a failure is easy to find. */
const groupSize = 12

const browserTests = ['test/browser', 'test/client/package.test.ts']

type Plan = {
  /** Jobs that share the machine, slow ones first. */
  readonly shared: readonly Job[]
  /** Jobs that need the machine to themselves. */
  readonly alone: readonly Job[]
}

/**
 * How much of the files to run: the share of `npm test`, that of `npm run test:long`, or both for files that were
 * chosen by name.
 */
export type Length = 'short' | 'long' | 'both'

/** Suites whose files use PostgreSQL themselves, whatever engine they are run on. */
const databaseSuites = ['test/model', 'test/names', 'test/postgres', 'test/store']

function runsOnPostgres(file: string): boolean {
  const isOfEngines = engineSuites.some((suite) => isIn(suite, file))
  return (isOfEngines || hasMark(file, 'long PostgreSQL')) && !hasMark(file, 'one engine')
}

/** Whether a run of these files needs a PostgreSQL cluster for all of them. */
export function needsCluster(files: readonly string[]): boolean {
  return files.some((file) => runsOnPostgres(file) || databaseSuites.some((suite) => isIn(suite, file)))
}

/** Whether a run of these files needs the executable: units start no program. */
export function needsExecutable(files: readonly string[]): boolean {
  return files.some((file) => !unitSuites.some((suite) => isIn(suite, file)))
}

/** Whether these files use a browser, which has to be installed where there is none. */
export function needsBrowser(files: readonly string[]): boolean {
  return files.some((file) => browserTests.some((suite) => isIn(suite, file)))
}

/** The settings of processes that test the executable, and of those that test PostgreSQL; null if there is none. */
type Environments = { readonly executable: Environment | null; readonly postgres: Environment | null }

export function createPlan(files: readonly string[], length: Length, environments: Environments): Plan {
  const runs = files.flatMap((file) => createRuns(file, length, environments))
  const isAlone = ({ file }: Run) => hasMark(file, 'alone')
  const isSlow = ({ file }: Run) => hasMark(file, 'slow')
  const isLongest = ({ file }: Run) => isIn('test/long', file)
  const shared = runs.filter((run) => !isAlone(run))
  // Half an hour of load begins first, so that the run does not wait for it at the end.
  const slow = shared.filter(isSlow).sort((a, b) => Number(isLongest(b)) - Number(isLongest(a)))
  const slowFirst = [...slow.map((run) => [run]), ...toGroups(shared.filter((run) => !isSlow(run)))]
  return { shared: slowFirst.map(toJob), alone: runs.filter(isAlone).map((run) => toJob([run])) }
}

/** The tests of a file on one engine or program. */
type Run = { readonly file: string; readonly env: Environment; readonly where: string }

function toJob(runs: readonly Run[]): Job {
  const [first] = runs
  return createTestJob(
    runs.map(({ file }) => file),
    first?.env,
    first?.where,
  )
}

/** Groups files that one process may run, so that it compiles what the files of a folder share only once. */
function toGroups(runs: readonly Run[]): readonly (readonly Run[])[] {
  const groups: Run[][] = []
  for (const run of runs) {
    // Files directly in test/ share nothing.
    const isGrouped = dirname(run.file) !== 'test'
    const isFit = (group: readonly Run[]) =>
      isGrouped &&
      group.length < groupSize &&
      group.every(({ file, where }) => dirname(file) === dirname(run.file) && where === run.where)
    const group = groups.find(isFit)
    if (group === undefined) groups.push([run])
    else group.push(run)
  }
  return groups
}

/** On the executable, which starts in a quarter of the time; on the checkout where none is built. */
function createRuns(file: string, length: Length, { executable, postgres }: Environments): readonly Run[] {
  const isGrowing = isLongOnly(file) || growsWhenLong(file)
  /** Whether a run of the file is wanted, given whether it is one for `npm run test:long` alone. */
  const isWanted = (isLong: boolean) => length === 'both' || (length === 'long' ? isLong || isGrowing : !isLong)
  const first = isWanted(isLongOnly(file)) ? [{ file, env: executable ?? {}, where: '' }] : []
  if (executable === null) return first
  const runs: Run[] = first
  const isLongOnCheckout = hasMark(file, 'long checkout')
  if ((isLongOnCheckout || hasMark(file, 'checkout')) && isWanted(isLongOnCheckout || isLongOnly(file))) {
    runs.push({ file, env: {}, where: 'checkout' })
  }
  const isLongOnPostgres = hasMark(file, 'long PostgreSQL')
  if (postgres !== null && runsOnPostgres(file) && isWanted(isLongOnPostgres || isLongOnly(file))) {
    runs.push({ file, env: { ...executable, ...postgres }, where: 'PostgreSQL' })
  }
  return runs
}
