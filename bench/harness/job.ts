import { readFileSync } from 'node:fs'
import { type Load, type RepeatedRequest, type Rotation, type Spread, toHead } from './load.ts'
import { type Job, toGet } from './one-job.ts'
import { createMix, createWrites } from './write-job.ts'

export function createJobs({ port, work }: Load): () => Job {
  switch (work.kind) {
    case 'repeat': {
      const job = createRepeated(port, work)
      return () => job
    }
    case 'rotate':
      return createRotation(port, work)
    case 'spread':
      return createRotation(port, toRotation(work))
    case 'mix':
      return createMix(port, work)
    case 'patch':
    case 'put':
      return createWrites(port, work)
  }
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

/** Each run begins elsewhere: records of the previous run are cached. */
function toRotation({ idsFile }: Spread): Rotation {
  const ids = readFileSync(idsFile, 'utf8').trim().split('\n')
  const first = Math.floor(Math.random() * ids.length)
  const turned = [...ids.slice(first), ...ids.slice(0, first)]
  return { kind: 'rotate', targets: turned.map((id) => `/api/v2/video/${id}`) }
}

function createRotation(port: number, { targets, headers }: Rotation): () => Job {
  const jobs = targets.map((target) => toGet(port, target, headers))
  let turn = 0
  return () => {
    const job = jobs[turn++ % jobs.length]
    if (job === undefined) throw new Error('nothing to ask for')
    return job
  }
}
