import { describe, expect, test } from 'bun:test'
import { getPriority } from 'node:os'
import { readSchedules } from '../harness/schedules.ts'
import { startServer } from '../harness/server.ts'

/** Tests may themselves run with a lower priority. */
const own = getPriority()

describe.skipIf(process.platform !== 'linux')('The threads of a server', () => {
  test('that answer HTTP have a higher priority than the writer and those for lists', async () => {
    const server = await startServer({ args: ['--threads', '2', '--query-threads', '1'] })
    try {
      const schedules = readSchedules(server.process.pid).filter(({ name }) => name === 'Worker')
      const [first, second, writer = 0, query = 0] = schedules.map(({ niceness }) => niceness).sort((a, b) => a - b)
      expect([first, second]).toEqual([own, own])
      // From 10 on, nothing is lowered further.
      if (own < 10) expect(Math.min(writer, query)).toBeGreaterThan(own)
    } finally {
      await server.stop()
    }
  }, 180_000)
})
