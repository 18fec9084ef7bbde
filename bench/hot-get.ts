import { exchange, hotGet, toWork } from './harness/exchange.ts'
import type { Question } from './harness/question.ts'
import { interleave, measure, toRateText, toReadRows } from './harness/rounds.ts'

export const hotGetQuestion: Question = {
  name: 'hot-get',
  asks:
    'How near is GET of a hot record on one thread to the fastest bare `Bun.serve` that answers the same bytes? ' +
    '16 connections.',
  isPinned: true,
  generator: 'any',
  async run(context) {
    const rostrum = await context.startRostrum({ threads: 1, store: 'hot-get' })
    const bare = await context.startBare('bare-server.ts', [String(rostrum.port)])
    await checkSame(rostrum.port, bare.port)
    const work = await toWork(rostrum.port, hotGet, 200)
    const load = { connections: 16, durationMs: context.roundMs, perSecond: null, work }
    const sides = [
      { name: 'Rostrum', run: () => measure(context, rostrum, { ...load, port: rostrum.port }) },
      { name: 'bare', run: () => measure(context, bare, { ...load, port: bare.port }) },
    ]
    const [ours = [], theirs = []] = await interleave(context, sides, toRateText)
    return toReadRows({ name: 'Rostrum', rounds: ours }, { name: 'bare', rounds: theirs })
  },
}

/** A comparison of different answers would say nothing. */
async function checkSame(port: number, barePort: number): Promise<void> {
  const [ours, theirs] = await Promise.all([exchange(port, hotGet), exchange(barePort, hotGet)])
  const [ourHead, theirHead] = [toComparable(ours.head), toComparable(theirs.head)]
  if (ourHead !== theirHead) throw new Error(`the heads differ:\n${ourHead}\nbare:\n${theirHead}`)
  if (!ours.body.equals(theirs.body)) throw new Error('the bodies differ')
}

/** The order of header lines means nothing; the second may have changed between the two. */
function toComparable(head: string): string {
  const [status, ...lines] = head.replace(/\r\nDate: [^\r]*/, '\r\nDate: *').split('\r\n')
  return [status, ...lines.sort()].join('\n')
}
