import type { Failure, Outcome } from '../store.ts'
import type { Failed } from '../write/writer.ts'
import type { Writer } from './writer.ts'

/** What is written to a file that is no longer there is lost with us: nobody is told that it was stored. */
export function refuseWhenLost(writer: Writer, isLost: () => boolean): Writer {
  const failAll = (count: number, failure: Failure): readonly Outcome[] =>
    Array.from({ length: count }, () => ({ is: 'failed', failure }))
  /** What is done while the file is lost may be in it or not. */
  const unlessLost = async <Result>(work: () => Promise<Result | 'busy'>): Promise<Result | Failed | 'busy'> => {
    if (isLost()) return { is: 'failed', failure: 'down' }
    const result = await work()
    return result !== 'busy' && isLost() ? { is: 'failed', failure: 'unknown' } : result
  }
  return {
    ...writer,
    async run(commands, usedTokens) {
      if (isLost()) return failAll(commands.length, 'down')
      const outcomes = await writer.run(commands, usedTokens)
      return outcomes !== 'busy' && isLost() ? failAll(outcomes.length, 'unknown') : outcomes
    },
    runSlice: (...slice) => unlessLost(() => writer.runSlice(...slice)),
    readBatch: async (id) => (isLost() ? null : await writer.readBatch(id)),
    canWrite: async () => !isLost() && (await writer.canWrite()),
    stopBatches: (seen) => unlessLost(() => writer.stopBatches(seen)),
  }
}
