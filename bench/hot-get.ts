import { hotGet, toWork } from './harness/exchange.ts'
import type { Context, Question, Row } from './harness/question.ts'
import { type Measured, measure, toRateText, toRatioRow, toReadRows, toSideRows } from './harness/rounds.ts'
import { checkSame } from './harness/same.ts'
import type { ServerProcess } from './harness/servers.ts'

const names = ['Rostrum', 'bare', 'bare that looks'] as const

export const hotGetQuestion: Question = {
  name: 'hot-get',
  asks:
    'How near is GET of a hot record on one thread to the fastest bare `Bun.serve` that answers the same bytes, and to ' +
    'one that at least looks at the headers and the address, which every right answer depends on (`bare-server.ts`)? ' +
    '16 connections; all started afresh each time, 15 times, since a process keeps the luck of its start. Wanted, to ' +
    'bare: 0.90.',
  isPinned: true,
  generator: 'any',
  async run(context) {
    const rounds: Measured[][] = names.map(() => [])
    // The luck of a start differs by a tenth, so its median takes more of them than other figures take rounds.
    const starts = 2 * context.rounds + 1
    for (let start = 1; start <= starts; start++) {
      const measured = await runAll(context)
      for (const [i, each] of measured.entries()) rounds[i]?.push(each)
      const text = measured.map((each, i) => `${names[i]} ${toRateText(each)}`).join(', ')
      context.say(`start ${start} of ${starts}: ${text}`)
    }
    return toRows(rounds)
  },
}

/** Each warmed up, then measured, one after the other. */
async function runAll(context: Context): Promise<readonly Measured[]> {
  const rostrum = await context.startRostrum({ threads: 1, store: 'hot-get' })
  const asked = String(rostrum.port)
  const bare = await context.startBare('bare-server.ts', [asked])
  const looking = await context.startBare('bare-server.ts', [asked, 'looking'])
  const servers = [rostrum, bare, looking]
  for (const each of [bare, looking]) await checkSame(hotGet, rostrum.port, each.port)
  const work = await toWork(rostrum.port, hotGet, 200)
  const load = { connections: 16, durationMs: context.roundMs, perSecond: null, work }
  const run = (server: ServerProcess) => measure(context, server, { ...load, port: server.port })
  for (const server of servers) await run(server)
  const measured: Measured[] = []
  for (const server of servers) measured.push(await run(server))
  await Promise.all(servers.map((server) => server.stop()))
  return measured
}

function toRows([ours = [], bare = [], looking = []]: readonly Measured[][]): readonly Row[] {
  const rates = (rounds: readonly Measured[]) => rounds.map(({ perSecond }) => perSecond)
  return [
    ...toReadRows({ name: 'Rostrum', rounds: ours }, { name: 'bare', rounds: bare }),
    toRatioRow('bare that looks to bare, requests', rates(looking), rates(bare)),
    toRatioRow('Rostrum to bare that looks, requests', rates(ours), rates(looking)),
    ...toSideRows({ name: 'bare that looks', rounds: looking }),
  ]
}
