import { createTestJob, type Environment, type Job } from './job.ts'
import { hasMark, isIn } from './test-files.ts'

/** Suites of what every engine promises; they run on SQLite and on PostgreSQL. */
const engineSuites = ['test/contract', 'test/search', 'test/follower', 'test/clients', 'test/client']

export type Plan = {
  /** Jobs that share the machine, slow ones first. */
  readonly shared: readonly Job[]
  /** Jobs that need the machine to themselves. */
  readonly alone: readonly Job[]
}

/** Whether a file runs on PostgreSQL as well. */
export function runsOnPostgres(file: string): boolean {
  return engineSuites.some((suite) => isIn(suite, file)) && !hasMark(file, 'one engine')
}

export function runsOnExecutable(file: string): boolean {
  return hasMark(file, 'executable')
}

/** What the processes need to know of PostgreSQL and of the executable; null where the run leaves them out. */
export type Environments = { readonly postgres: Environment | null; readonly executable: Environment | null }

export function createPlan(files: readonly string[], { postgres, executable }: Environments): Plan {
  const runs = files.flatMap((file) => {
    const jobs = [createTestJob(file)]
    if (postgres !== null && runsOnPostgres(file)) jobs.push(createTestJob(file, postgres, 'PostgreSQL'))
    if (executable !== null && runsOnExecutable(file)) jobs.push(createTestJob(file, executable, 'executable'))
    return jobs.map((job) => ({ job, isAlone: hasMark(file, 'alone'), isSlow: hasMark(file, 'slow') }))
  })
  const shared = runs.filter(({ isAlone }) => !isAlone)
  const slowFirst = [...shared.filter(({ isSlow }) => isSlow), ...shared.filter(({ isSlow }) => !isSlow)]
  return {
    shared: slowFirst.map(({ job }) => job),
    alone: runs.filter(({ isAlone }) => isAlone).map(({ job }) => job),
  }
}
