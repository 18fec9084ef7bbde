import { copyGeneratedStore } from './generate.ts'
import type { Question } from './harness/question.ts'

const minutes = 5
const stepMs = 10_000
const stepsAMinute = 60_000 / stepMs

export const memoryQuestion: Question = {
  name: 'memory',
  asks:
    `How much memory does the server take after ${minutes} minutes of mixed load (95 GETs, 5 PATCHes, 32 clients), with ` +
    '100,000 records and two HTTP threads, and does it still grow? Goal: 400 MB at most, and flat.',
  isPinned: false,
  generator: 'bundled',
  async run(context) {
    const records = context.isQuick ? 10_000 : 100_000
    const store = await copyGeneratedStore(records, context)
    const server = await context.startRostrum({ threads: 2, store, hasSample: true })
    const writes = { kind: 'patch', token: context.adminToken, firstId: 1, records } as const
    const work = { kind: 'mix', readPercent: 95, readsAsWriter: true, writes } as const
    const durationMs = context.isQuick ? context.roundMs : stepMs
    const load = { port: server.port, connections: 32, durationMs, perSecond: null, work }
    const all: number[] = []
    const own: number[] = []
    for (let step = 1; step <= minutes * stepsAMinute; step++) {
      await context.drive(load)
      all.push((server.readResidentBytes() ?? Number.NaN) / 1e6)
      own.push((server.readOwnBytes() ?? Number.NaN) / 1e6)
      context.say(`step ${step}: ${all.at(-1)?.toFixed(0)} MB, ${own.at(-1)?.toFixed(0)} MB of its own`)
    }
    const before = own.slice(-2 * stepsAMinute, -stepsAMinute)
    const last = own.slice(-stepsAMinute)
    return [
      {
        label: 'of its own, last minute to the one before',
        unit: '×',
        values: last.map((mb, i) => mb / (before[i] ?? 0)),
      },
      { label: 'of its own, last minute', unit: 'MB', values: last },
      { label: 'of its own, the minute before', unit: 'MB', values: before },
      { label: 'with what it maps of the store, last minute', unit: 'MB', values: all.slice(-stepsAMinute) },
    ]
  },
}
