import type { Answer } from './answer.ts'
import { type Ask, toHead } from './load.ts'

/** One request, and what its answer must be. */
export interface Job {
  readonly method: string
  readonly request: string
  /** Whether these bytes, come at once, are the answer: saves taking it apart. */
  isAnswer(chunk: Buffer): boolean
  /** What is wrong with the answer; null when it is right. */
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
