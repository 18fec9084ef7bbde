import { expect, test } from 'bun:test'
import { createTestJob } from './job.ts'
import { createPlan, type Length } from './plan.ts'
import { findTestFiles } from './test-files.ts'

const environments = { executable: { PROGRAM: 'rostrum' }, postgres: { POSTGRES: 'postgres:' } }

/** Each file of a plan with the environment of its process. */
function listRuns(length: Length, files = findTestFiles()): readonly string[] {
  const { shared, alone } = createPlan(files, length, environments)
  const runs = [...shared, ...alone].flatMap(({ files, env }) => files.map((file) => `${file} ${JSON.stringify(env)}`))
  return runs.toSorted()
}

test('npm test and npm run test:long leave out nothing together', () => {
  const both = new Set([...listRuns('short'), ...listRuns('long')])
  expect([...both].toSorted()).toEqual([...listRuns('both')])
})

test('no file runs twice in the same place', () => {
  for (const length of ['short', 'long', 'both'] as const) {
    const runs = listRuns(length)
    expect(runs).toEqual([...new Set(runs)])
  }
})

test('the long suite is left to npm run test:long', () => {
  const isLong = (run: string) => run.startsWith('test/long/')
  expect([listRuns('short').filter(isLong).length, listRuns('long').filter(isLong).length > 0]).toEqual([0, true])
})

test('a file that has more cases in npm run test:long runs in both', () => {
  const runs = ['short', 'long'].map((length) =>
    listRuns(length === 'short' ? 'short' : 'long', ['test/http/range.test.ts']),
  )
  expect(runs[0]).toEqual(runs[1] ?? [])
  expect(runs[0]).toHaveLength(1)
})

test('a page whose second run is marked runs on both engines in npm run test:long, and on one in npm test', () => {
  const [short, long] = (['short', 'long'] as const).map((length) => listRuns(length, ['test/site/event-page.test.ts']))
  expect([short?.length, short?.[0]?.includes('POSTGRES')]).toEqual([1, false])
  expect([long?.length, long?.[0]?.includes('POSTGRES')]).toEqual([1, true])
})

test('small files of a folder share a process, and its name has theirs', () => {
  const files = ['test/http/auth.test.ts', 'test/http/range.test.ts', 'test/record/slug.test.ts']
  const names = createPlan(files, 'short', environments).shared.map(({ name }) => name)
  expect(names).toEqual(['test/http: auth, range', 'test/record/slug.test.ts'])
  expect(createTestJob(files.slice(0, 1), {}, 'PostgreSQL').name).toBe('test/http/auth.test.ts (PostgreSQL)')
})
