import { hotGet, toWork } from './harness/exchange.ts'
import type { Context, Question } from './harness/question.ts'
import { type Measured, measure, toRateText, toReadRows } from './harness/rounds.ts'
import { checkSame } from './harness/same.ts'
import type { ServerProcess } from './harness/servers.ts'

export const hotGetQuestion: Question = {
  name: 'hot-get',
  asks:
    'How near is GET of a hot record on one thread to the fastest bare `Bun.serve` that answers the same bytes? ' +
    '16 connections; both started afresh each time, 15 times, since a process keeps the luck of its start.',
  isPinned: true,
  generator: 'any',
  async run(context) {
    const ours: Measured[] = []
    const theirs: Measured[] = []
    // The luck of a start differs by a tenth, so its median takes more of them than other figures take rounds.
    const starts = 2 * context.rounds + 1
    for (let start = 1; start <= starts; start++) {
      const pair = await runPair(context)
      ours.push(pair.ours)
      theirs.push(pair.theirs)
      context.say(`start ${start} of ${starts}: Rostrum ${toRateText(pair.ours)}, bare ${toRateText(pair.theirs)}`)
    }
    return toReadRows({ name: 'Rostrum', rounds: ours }, { name: 'bare', rounds: theirs })
  },
}

/** Each warmed up, then measured, one after the other. */
async function runPair(context: Context): Promise<{ readonly ours: Measured; readonly theirs: Measured }> {
  const rostrum = await context.startRostrum({ threads: 1, store: 'hot-get' })
  const bare = await context.startBare('bare-server.ts', [String(rostrum.port)])
  await checkSame(hotGet, rostrum.port, bare.port)
  const work = await toWork(rostrum.port, hotGet, 200)
  const load = { connections: 16, durationMs: context.roundMs, perSecond: null, work }
  const run = (server: ServerProcess) => measure(context, server, { ...load, port: server.port })
  for (const server of [rostrum, bare]) await run(server)
  const pair = { ours: await run(rostrum), theirs: await run(bare) }
  await Promise.all([rostrum.stop(), bare.stop()])
  return pair
}
