import { type Mix, toHead, type Writes } from './load.ts'
import { type Job, toGet } from './one-job.ts'

const required = { category: 'Written', title: 'A talk that is written' }

export function createWrites(port: number, { kind, token, firstId, records }: Writes): () => Job {
  const method = kind === 'put' ? 'PUT' : 'PATCH'
  const rest = kind === 'put' ? `${JSON.stringify(required).slice(1, -1)},` : ''
  // Higher than any number of an earlier run, since an unchanged text would write nothing.
  let counter = Date.now() * 1000
  return () => {
    counter++
    const field = `"whiteboard":"${counter}"`
    const body = `{${rest}${field}}`
    const headers = {
      Authorization: `Token ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': String(body.length),
    }
    const target = `/api/v2/video/${firstId + (counter % records)}`
    return {
      method,
      request: toHead(port, { method, target, headers }) + body,
      isAnswer: () => false,
      judge(answer) {
        if (answer.status !== 200) return `status ${answer.status} instead of 200: ${answer.body}`
        return answer.body.includes(field) ? null : `an answer without ${field}: ${answer.body}`
      },
    }
  }
}

export function createMix(port: number, { readPercent, readsAsWriter = false, writes }: Mix): () => Job {
  const takeWrite = createWrites(port, writes)
  const headers: { readonly [name: string]: string } = readsAsWriter ? { Authorization: `Token ${writes.token}` } : {}
  const reads = Array.from({ length: writes.records }, (_, i) => {
    return toGet(port, `/api/v2/video/${writes.firstId + i}`, headers)
  })
  let turn = 0
  return () => {
    turn++
    // Spread evenly over each hundred.
    const isRead = Math.floor((turn * readPercent) / 100) > Math.floor(((turn - 1) * readPercent) / 100)
    const read = reads[turn % reads.length]
    return isRead && read !== undefined ? read : takeWrite()
  }
}
