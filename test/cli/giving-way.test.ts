import { describe, expect, test } from 'bun:test'
import { getPriority } from 'node:os'
import { readSchedules, type Schedule } from '../harness/schedules.ts'
import { startServer } from '../harness/server.ts'

/** Whoever runs the tests with a lower priority has that for the least. */
const own = getPriority()
const toText = ({ niceness, policy }: Pick<Schedule, 'niceness' | 'policy'>) => `niceness ${niceness}, policy ${policy}`
const usual = toText({ niceness: own, policy: 0 })
const low = toText({ niceness: Math.max(own, 10), policy: 3 })
/** The runtime's own threads follow when all have started, and those that begin later within seconds. */
const deadlineMs = 15_000

describe.skipIf(process.platform !== 'linux')('The threads of a server', () => {
  test('that answer readers are interrupted by none of the others', async () => {
    const server = await startServer({ args: ['--threads', '2'] })
    try {
      const { pid } = server.process
      const read = (isWanted: (each: Schedule) => boolean) => readSchedules(pid).filter(isWanted).map(toText).sort()
      const readRuntime = () => read(({ thread, name }) => thread !== pid && name !== 'Worker')
      const until = performance.now() + deadlineMs
      while (readRuntime().some((text) => text !== low) && performance.now() < until) await Bun.sleep(50)
      expect(new Set(readRuntime())).toEqual(new Set([low]))
      expect(read(({ thread }) => thread === pid)).toEqual([usual])
      // Two that answer, the writer, and the one that lists.
      expect(read(({ name }) => name === 'Worker')).toEqual([low, low, usual, usual].sort())
    } finally {
      await server.stop()
    }
  }, 30_000)
})
