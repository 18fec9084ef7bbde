import { expect, test } from 'bun:test'
import { createCheck, createTestJob, type Result } from './job.ts'
import { judgeRun } from './verdict.ts'

const good = toResult('test/good.test.ts', 5, [])

function toResult(file: string, passed: number, failures: readonly string[]): Result {
  return { job: createTestJob([file]), passed, failures, output: 'what it printed\n', seconds: 1, cpuSeconds: 1 }
}

/** Answers the second run of each job, and remembers which ran. */
function createRepeat(outcome: Pick<Result, 'passed' | 'failures'>) {
  const repeated: string[] = []
  const repeat = async (failed: Result) => {
    repeated.push(failed.job.name)
    return { ...failed, ...outcome }
  }
  return { repeat, repeated }
}

test('a run without failures repeats nothing', async () => {
  const { repeat, repeated } = createRepeat({ passed: 0, failures: ['never'] })
  expect(await judgeRun([good], repeat)).toEqual({ passed: 5, failures: [], unsteady: [] })
  expect(repeated).toEqual([])
})

test('a file that passes alone counts as passed, and its first failure is told', async () => {
  const { repeat, repeated } = createRepeat({ passed: 3, failures: [] })
  const verdict = await judgeRun([toResult('test/a.test.ts', 2, ['a: late']), good], repeat)
  expect(verdict).toEqual({ passed: 8, failures: [], unsteady: ['a: late', 'what it printed'] })
  expect(repeated).toEqual(['test/a.test.ts'])
})

test('a file that fails again has failed', async () => {
  const { repeat } = createRepeat({ passed: 2, failures: ['a: wrong'] })
  const verdict = await judgeRun([toResult('test/a.test.ts', 2, ['a: late']), good], repeat)
  expect(verdict).toEqual({ passed: 7, failures: ['a: wrong'], unsteady: [] })
})

test('where two fail none is repeated', async () => {
  const { repeat, repeated } = createRepeat({ passed: 1, failures: [] })
  const failed = [1, 2].map((number) => toResult(`test/${number}.test.ts`, 0, [`${number}: wrong`]))
  const verdict = await judgeRun(failed, repeat)
  expect(verdict).toEqual({ passed: 0, failures: ['1: wrong', '2: wrong'], unsteady: [] })
  expect(repeated).toEqual([])
})

test('where a check fails nothing is repeated', async () => {
  const { repeat, repeated } = createRepeat({ passed: 1, failures: [] })
  const check = { ...good, job: createCheck('Biome', []), passed: 0, failures: ['Biome: exit code 1'] }
  const verdict = await judgeRun([check, toResult('test/a.test.ts', 0, ['a: late'])], repeat)
  expect(verdict).toEqual({ passed: 0, failures: ['Biome: exit code 1', 'a: late'], unsteady: [] })
  expect(repeated).toEqual([])
})
