import type { Answer } from './answer.ts'
import { type Ask, toHead } from './load.ts'

/** One request, and its expected response. */
export interface Job {
  readonly method: string
  readonly request: string
  /** Whether these bytes, received in one piece, are the expected response: saves parsing it. */
  isAnswer(chunk: Buffer): boolean
  /** What is wrong with the response; null if it is correct. */
  judge(answer: Answer): string | null
}

export function toGet(port: number, target: string, headers: Ask['headers'] = {}): Job {
  return {
    method: 'GET',
    request: toHead(port, { method: 'GET', target, headers }),
    isAnswer: () => false,
    judge: ({ status, body }) => (status === 200 ? null : `${target}: status ${status} instead of 200: ${body}`),
  }
}
