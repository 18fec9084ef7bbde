import { describe, expect, test } from 'bun:test'
import { readSchedules } from '../harness/schedules.ts'
import { startServer } from '../harness/server.ts'

const usual = { niceness: 0, policy: 0 }
const writer = { niceness: 5, policy: 3 }
const low = { niceness: 10, policy: 3 }
const deadlineMs = 10_000

describe.skipIf(process.platform !== 'linux')('The threads of a server', () => {
  test('that answer readers are interrupted by none of the others', async () => {
    const server = await startServer({ args: ['--threads', '2'] })
    try {
      const read = () => readSchedules(server.process.pid)
      const count = (wanted: typeof usual) => read().filter((each) => Bun.deepEquals(each, wanted)).length
      // The query thread, and at least a compiler: the runtime's own threads follow when all have started.
      const until = performance.now() + deadlineMs
      while (count(low) < 2 && performance.now() < until) await Bun.sleep(20)
      expect(count(low)).toBeGreaterThanOrEqual(2)
      // Itself, and what the runtime has begun for it.
      expect(count(writer)).toBeGreaterThanOrEqual(1)
      // Main and both HTTP threads.
      expect(count(usual)).toBeGreaterThanOrEqual(3)
      expect(read()[0]).toEqual(usual)
    } finally {
      await server.stop()
    }
  }, 30_000)
})
