import { statSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../scripts/build.ts'
import { copyGeneratedStore } from './generate.ts'
import type { Question, Row } from './harness/question.ts'
import { interleave, toRatioRow } from './harness/rounds.ts'
import type { PeerCommand, ServerProcess } from './harness/servers.ts'

const rounds = 15
const root = join(import.meta.dir, '..')
const bareProgram = join(import.meta.dir, 'bare-start.ts')

export const startQuestion: Question = {
  name: 'start',
  asks:
    'How long does it take from the start of the process to the first response, compared with the smallest server? ' +
    `100,000 records, which exist already; the executable and the checkout; ${rounds} rounds. Goal: 4 × at most.`,
  isPinned: false,
  generator: 'none',
  async run(context) {
    const store = await copyGeneratedStore(context.isQuick ? 10_000 : 100_000, context)
    const program = join(context.folder, 'rostrum')
    await build(program)
    const ours = { threads: null, store, hasSample: true, isEager: true }
    const bareStart: PeerCommand = (port) => ({ words: ['sh', join(root, 'bin/bun'), bareProgram, String(port)] })
    const sides = [
      { name: 'executable', run: () => timeStart(() => context.startRostrum({ ...ours, program })) },
      { name: 'checkout', run: () => timeStart(() => context.startRostrum(ours)) },
      { name: 'bare', run: () => timeStart(() => context.startPeer('the bare server', bareStart)) },
    ]
    const results = await interleave({ rounds, say: context.say }, sides, (ms) => `${ms.toFixed(0)} ms`)
    const [executable = [], checkout = [], bare = []] = results
    return [
      toRatioRow('executable to bare, time to first answer', executable, bare),
      toRatioRow('checkout to bare, time to first answer', checkout, bare),
      ...sides.map(({ name }, i): Row => ({ label: name, unit: 'ms', values: results[i] ?? [] })),
      { label: 'size of the executable', unit: 'MB', values: [statSync(program).size / 1e6] },
      { label: 'of which Bun', unit: 'MB', values: [statSync(process.execPath).size / 1e6] },
    ]
  },
}

/** Polls each server every millisecond until it responds. */
async function timeStart(start: () => Promise<ServerProcess>): Promise<number> {
  const startedMs = performance.now()
  const server = await start()
  const ms = performance.now() - startedMs
  await server.stop()
  return ms
}
