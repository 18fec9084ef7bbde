import { exchange, hotGet } from './harness/exchange.ts'
import type { Question, Row } from './harness/question.ts'
import { interleave, toRatioRow } from './harness/rounds.ts'
import type { ServerProcess } from './harness/servers.ts'

const rounds = 7

export const startQuestion: Question = {
  name: 'start',
  asks:
    'How long is it from the start of the process to the first answer, beside that of the least program that serves? ' +
    `The store is there already; ${rounds} rounds.`,
  isPinned: false,
  generator: 'none',
  async run(context) {
    const store = 'start'
    const filler = await context.startRostrum({ threads: 1, store })
    await filler.stop()
    const sides = [
      {
        name: 'Rostrum',
        run: () => timeStart(() => context.startRostrum({ threads: null, store, hasSample: true })),
      },
      { name: 'bare', run: () => timeStart(() => context.startBare('bare-start.ts', [])) },
    ]
    const [ours = [], theirs = []] = await interleave(
      { rounds, say: context.say },
      sides,
      (ms) => `${ms.toFixed(0)} ms`,
    )
    const toRow = (label: string, values: readonly number[]): Row => ({ label, unit: 'ms', values })
    return [
      toRatioRow('Rostrum to bare, time to first answer', ours, theirs),
      toRow('Rostrum', ours),
      toRow('bare', theirs),
    ]
  },
}

/** Both print their address once they serve; the first answer counts. */
async function timeStart(start: () => Promise<ServerProcess>): Promise<number> {
  const startedMs = performance.now()
  const server = await start()
  const { status, head } = await exchange(server.port, hotGet)
  const ms = performance.now() - startedMs
  await server.stop()
  if (status !== 200) throw new Error(`the first answer was ${head}`)
  return ms
}
