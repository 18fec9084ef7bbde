import { createTestJob, type Environment, type Job } from './job.ts'
import { hasMark, isIn } from './test-files.ts'

/** Suites of what every engine promises; they run on SQLite and on PostgreSQL. */
const engineSuites = ['test/contract', 'test/search', 'test/follower', 'test/clients', 'test/client', 'test/site/feed']

const unitSuites = ['test/record', 'test/runner', 'test/store']

const browserTests = ['test/browser', 'test/client/package.test.ts']

export type Plan = {
  /** Jobs that share the machine, slow ones first. */
  readonly shared: readonly Job[]
  /** Jobs that need the machine to themselves. */
  readonly alone: readonly Job[]
}

/** Where a file runs besides SQLite on the checkout. */
function runsOnPostgres(file: string): boolean {
  return engineSuites.some((suite) => isIn(suite, file)) && !hasMark(file, 'one engine')
}

/** Whether a run of these files needs a PostgreSQL cluster for all of them. */
export function needsCluster(files: readonly string[]): boolean {
  return files.some(runsOnPostgres)
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
export type Environments = { readonly executable: Environment | null; readonly postgres: Environment | null }

export function createPlan(files: readonly string[], environments: Environments): Plan {
  const planned = files.flatMap((file) => createJobs(file, environments).map((job) => ({ file, job })))
  const runs = planned.map(({ file, job }) => ({
    job,
    isAlone: hasMark(file, 'alone'),
    isSlow: hasMark(file, 'slow'),
  }))
  const shared = runs.filter(({ isAlone }) => !isAlone)
  const slowFirst = [...shared.filter(({ isSlow }) => isSlow), ...shared.filter(({ isSlow }) => !isSlow)]
  return {
    shared: slowFirst.map(({ job }) => job),
    alone: runs.filter(({ isAlone }) => isAlone).map(({ job }) => job),
  }
}

/** On the executable, which starts in a quarter of the time; on the checkout where none is built. */
function createJobs(file: string, { executable, postgres }: Environments): readonly Job[] {
  if (executable === null) return [createTestJob(file)]
  const jobs = [createTestJob(file, executable)]
  if (hasMark(file, 'checkout')) jobs.push(createTestJob(file, {}, 'checkout'))
  if (postgres !== null && runsOnPostgres(file)) {
    jobs.push(createTestJob(file, { ...executable, ...postgres }, 'PostgreSQL'))
  }
  return jobs
}
