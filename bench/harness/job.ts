import type { Answer } from './answer.ts'
import { type Load, type Patches, type RepeatedRequest, type Rotation, toHead } from './load.ts'

/** One request, and what its answer must be. */
export interface Job {
  readonly method: string
  readonly request: string
  /** Whether these bytes, come at once, are the answer: saves taking it apart. */
  isAnswer(chunk: Buffer): boolean
  /** What is wrong with the answer; null when it is right. */
  judge(answer: Answer): string | null
}

export function createJobs({ port, work }: Load): () => Job {
  if (work.kind === 'patch') return createPatches(port, work)
  if (work.kind === 'rotate') return createRotation(port, work)
  const job = createRepeated(port, work)
  return () => job
}

function createRepeated(port: number, work: RepeatedRequest): Job {
  const { method, status, answerBytes } = work
  const start = Buffer.from(`HTTP/1.1 ${status} `)
  return {
    method,
    request: toHead(port, work),
    isAnswer: (chunk) => chunk.length === answerBytes && start.equals(chunk.subarray(0, start.length)),
    judge(answer) {
      if (answer.status !== status) return `status ${answer.status} instead of ${status}: ${answer.body}`
      return answer.bytes === answerBytes ? null : `an answer of ${answer.bytes} bytes instead of ${answerBytes}`
    },
  }
}

function createRotation(port: number, { targets }: Rotation): () => Job {
  const jobs = targets.map((target): Job => {
    return {
      method: 'GET',
      request: toHead(port, { method: 'GET', target, headers: {} }),
      isAnswer: () => false,
      judge: ({ status, body }) => (status === 200 ? null : `${target}: status ${status} instead of 200: ${body}`),
    }
  })
  let turn = 0
  return () => {
    const job = jobs[turn++ % jobs.length]
    if (job === undefined) throw new Error('nothing to ask for')
    return job
  }
}

function createPatches(port: number, { token, firstId, records }: Patches): () => Job {
  // Higher than any number of an earlier run, since a text that is there already would change nothing.
  let counter = Date.now() * 1000
  return () => {
    counter++
    const field = `"whiteboard":"${counter}"`
    const body = `{${field}}`
    const headers = {
      Authorization: `Token ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': String(body.length),
    }
    const target = `/api/v2/video/${firstId + (counter % records)}`
    return {
      method: 'PATCH',
      request: toHead(port, { method: 'PATCH', target, headers }) + body,
      isAnswer: () => false,
      judge(answer) {
        if (answer.status !== 200) return `status ${answer.status} instead of 200: ${answer.body}`
        return answer.body.includes(field) ? null : `an answer without ${field}: ${answer.body}`
      },
    }
  }
}
