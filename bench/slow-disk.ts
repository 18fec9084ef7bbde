import { join } from 'node:path'
import type { Context, Question, Row } from './harness/question.ts'
import { interleave, measure, toRateText, toRatioRow } from './harness/rounds.ts'

const slowMs = 5
const clientCounts = [1, 64] as const

export const slowDiskQuestion: Question = {
  name: 'slow-disk',
  asks:
    `How many durable PATCHes a second are there where each fsync takes ${slowMs} ms longer (\`harness/slow-fsync.c\`)? ` +
    'Groups of writes share one. Goal: 64 clients to one, 12 × or more.',
  isPinned: false,
  generator: 'bundled',
  async run(context) {
    const library = buildLibrary(context)
    if (library === null) return [{ label: 'absent: no C compiler to build it with', unit: '×', values: [] }]
    const env = { LD_PRELOAD: library, SLOW_FSYNC_US: String(slowMs * 1000) }
    const server = await context.startRostrum({ threads: 1, store: 'slow', env })
    const work = { kind: 'patch', token: context.adminToken, firstId: 1, records: 50 } as const
    const load = { port: server.port, durationMs: context.roundMs, perSecond: null, work }
    const sides = clientCounts.map((connections) => ({
      name: `${connections} client${connections === 1 ? '' : 's'}`,
      run: () => measure(context, server, { ...load, connections }),
    }))
    const results = await interleave(context, sides, toRateText)
    const [alone = [], together = []] = results.map((rounds) => rounds.map(({ perSecond }) => perSecond))
    const rows = sides.flatMap(({ name }, i): Row[] => [
      { label: name, unit: 'writes/s', values: results[i]?.map(({ perSecond }) => perSecond) ?? [] },
      { label: `${name}, p99`, unit: 'ms', values: results[i]?.map(({ p99Ms }) => p99Ms) ?? [] },
    ])
    return [toRatioRow('64 clients to one', together, alone), ...rows]
  },
}

function buildLibrary({ folder }: Context): string | null {
  const compiler = Bun.which('cc')
  if (compiler === null || process.platform !== 'linux') return null
  const library = join(folder, 'slow-fsync.so')
  const source = join(import.meta.dir, 'harness/slow-fsync.c')
  const { success } = Bun.spawnSync([compiler, '-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'])
  return success ? library : null
}
