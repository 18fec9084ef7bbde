import { hotGet, toWork } from './exchange.ts'
import type { Context } from './question.ts'
import { type Measured, measure, type NamedRounds, toRateText } from './rounds.ts'
import type { ServerProcess } from './servers.ts'

export interface NamedServer {
  readonly name: string
  readonly server: ServerProcess
}

/**
 * GET of a hot record from servers that are restarted for each round, warmed up, then measured in turn. Figures differ
 * by a tenth between starts, so the median needs more starts than other figures need rounds.
 */
export async function measureFresh(
  context: Context,
  startAll: () => Promise<readonly NamedServer[]>,
): Promise<readonly NamedRounds[]> {
  const starts = 2 * context.rounds + 1
  const rounds = new Map<string, Measured[]>()
  for (let start = 1; start <= starts; start++) {
    const servers = await startAll()
    const texts: string[] = []
    for (const { server } of servers) await measureHotGet(context, server)
    for (const { name, server } of servers) {
      const measured = await measureHotGet(context, server)
      rounds.set(name, [...(rounds.get(name) ?? []), measured])
      texts.push(`${name} ${toRateText(measured)}`)
    }
    await Promise.all(servers.map(({ server }) => server.stop()))
    context.say(`start ${start} of ${starts}: ${texts.join(', ')}`)
  }
  return [...rounds].map(([name, each]) => ({ name, rounds: each }))
}

async function measureHotGet(context: Context, server: ServerProcess): Promise<Measured> {
  const { port } = server
  const work = await toWork(port, hotGet, 200)
  return measure(context, server, { port, connections: 16, durationMs: context.roundMs, perSecond: null, work })
}
