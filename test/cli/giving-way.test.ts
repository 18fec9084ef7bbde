import { describe, expect, test } from 'bun:test'
import { getPriority } from 'node:os'
import { readSchedules, type Schedule } from '../harness/schedules.ts'
import { startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'

/** Of the process that runs the tests, which its children inherit. */
const usual = getPriority()
/** The runtime's own threads follow when all have started, and those that begin later within seconds. */
const deadlineMs = 15_000

describe.skipIf(process.platform !== 'linux')('The threads of a server', () => {
  test('that answer readers have a higher priority than all others', async () => {
    const server = await startServer({ args: ['--threads', '2'] })
    try {
      const { pid } = server.process
      const isAnswering = ({ niceness }: Schedule) => niceness === usual
      const isWorker = ({ name }: Schedule) => name === 'Worker'
      const isOfRuntime = (each: Schedule) => each.thread !== pid && !isWorker(each)
      await until('the runtime gives way', () => !readSchedules(pid).filter(isOfRuntime).some(isAnswering), {
        timeoutMs: deadlineMs,
      })
      const schedules = readSchedules(pid)
      expect(schedules.filter(({ thread }) => thread === pid).every(isAnswering)).toBe(true)
      // Two that answer, the writer, and the one that lists.
      expect(schedules.filter(isWorker)).toHaveLength(4)
      expect(schedules.filter(isWorker).filter(isAnswering)).toHaveLength(2)
      expect(schedules.filter(({ niceness }) => niceness < usual)).toEqual([])
    } finally {
      await server.stop()
    }
  }, 30_000)
})
