import { expect, test } from 'bun:test'
import { createRestarts } from '../../src/serve/threads.ts'
import { until } from '../harness/until.ts'

test('what died is started again, and after five deaths in a minute no more', async () => {
  let hopeless = 0
  let starts = 0
  const restarts = createRestarts(() => hopeless++)
  const start = async () => {
    starts++
  }
  for (let death = 0; death < 4; death++) restarts.again(start)
  await until('all have started', () => starts === 4)
  expect([starts, hopeless]).toEqual([4, 0])
  restarts.again(start)
  expect(hopeless).toBe(1)
})

test('old deaths are forgiven', () => {
  let now = 0
  let hopeless = 0
  const restarts = createRestarts(
    () => hopeless++,
    () => now,
  )
  for (let death = 0; death < 20; death++) {
    restarts.again(async () => undefined)
    now += 20_000
  }
  expect(hopeless).toBe(0)
})
