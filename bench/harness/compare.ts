import { hotGet, toWork } from './exchange.ts'
import type { Ask } from './load.ts'
import type { Context, Row } from './question.ts'
import { interleave, measure, toRateText, toReadRows } from './rounds.ts'
import type { ServerProcess } from './servers.ts'

interface Other {
  readonly name: string
  readonly ask: Ask
  readonly status: number
}

/** Another request compared with the plain GET of the hot record, on the same server. */
export async function compareWithGet(context: Context, server: ServerProcess, other: Other): Promise<readonly Row[]> {
  const { port } = server
  const load = { port, connections: 16, durationMs: context.roundMs, perSecond: null }
  const [get, otherWork] = [await toWork(port, hotGet, 200), await toWork(port, other.ask, other.status)]
  const sides = [
    { name: other.name, run: () => measure(context, server, { ...load, work: otherWork }) },
    { name: 'GET', run: () => measure(context, server, { ...load, work: get }) },
  ]
  const [others = [], gets = []] = await interleave(context, sides, toRateText)
  return toReadRows({ name: other.name, rounds: others }, { name: 'GET', rounds: gets })
}
