import { compareWithGet } from './harness/compare.ts'
import { hotGet } from './harness/exchange.ts'
import type { Question } from './harness/question.ts'

export const headQuestion: Question = {
  name: 'head',
  asks: 'What does HEAD of a hot record cost compared with GET? One thread, 16 connections.',
  isPinned: true,
  // wrk waits for a body, which a response to HEAD does not have.
  generator: 'bundled',
  async run(context) {
    const server = await context.startRostrum({ threads: 1, store: 'head' })
    return compareWithGet(context, server, { name: 'HEAD', ask: { ...hotGet, method: 'HEAD' }, status: 200 })
  },
}
