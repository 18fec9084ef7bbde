import { compareWithGet } from './harness/compare.ts'
import { exchange, hotGet } from './harness/exchange.ts'
import type { Question } from './harness/question.ts'

export const notModifiedQuestion: Question = {
  name: 'not-modified',
  asks: 'How much does a 304 save (`If-None-Match`)? One thread, 16 connections.',
  isPinned: true,
  generator: 'any',
  async run(context) {
    const server = await context.startRostrum({ threads: 1, store: 'not-modified' })
    const { head } = await exchange(server.port, hotGet)
    const tag = /\r\nETag: (\S+)/i.exec(head)?.[1]
    if (tag === undefined) throw new Error(`an answer without ETag: ${head}`)
    const ask = { ...hotGet, headers: { 'If-None-Match': tag } }
    return compareWithGet(context, server, { name: '304', ask, status: 304 })
  },
}
