import { hotGet, toWork } from './harness/exchange.ts'
import type { Question } from './harness/question.ts'
import { interleave, measure, toRateText, toReadRows } from './harness/rounds.ts'

export const threadsQuestion: Question = {
  name: 'threads',
  asks: 'How much faster are two HTTP threads than one, with the load on the same cores? GET of a hot record, 64 connections.',
  isPinned: false,
  generator: 'any',
  async run(context) {
    const one = await context.startRostrum({ threads: 1, store: 'threads-1' })
    const two = await context.startRostrum({ threads: 2, store: 'threads-2' })
    const load = { connections: 64, durationMs: context.roundMs, perSecond: null }
    const [oneWork, twoWork] = [await toWork(one.port, hotGet, 200), await toWork(two.port, hotGet, 200)]
    const sides = [
      { name: 'two threads', run: () => measure(context, two, { ...load, port: two.port, work: twoWork }) },
      { name: 'one thread', run: () => measure(context, one, { ...load, port: one.port, work: oneWork }) },
    ]
    const [twoRounds = [], oneRounds = []] = await interleave(context, sides, toRateText)
    return toReadRows({ name: 'two threads', rounds: twoRounds }, { name: 'one thread', rounds: oneRounds })
  },
}
