import { copyGeneratedStore } from './generate.ts'
import { measureDisk } from './harness/disk.ts'
import { toHead } from './harness/load.ts'
import { LoadClient } from './harness/load-client.ts'
import type { Job } from './harness/one-job.ts'
import type { Context, Question, Row } from './harness/question.ts'
import { interleave, toRatioRow } from './harness/rounds.ts'
import { readAlone, toP99s, toSteadyReads } from './harness/steady-reads.ts'

const records = 20_000
const compared = 1_000
const clients = 64
const waitedFor = 2_000
const readBeside = 10_000
/** A record outside the batches. */
const otherId = records

export const batchesQuestion: Question = {
  name: 'batches',
  asks:
    `What does a bulk change cost? A batch of ${compared} records, which get a tag and a language, with the same as ` +
    `${compared} PATCHes by ${clients} clients; p99 of GET of a hot record during batches of ${readBeside} and alone; the ` +
    `longest wait of a PATCH of another record during a batch of ${waitedFor}. ${records} records.`,
  isPinned: false,
  generator: 'any',
  async run(context) {
    const disk = measureDisk(context.folder)
    const store = await copyGeneratedStore(records, context)
    const { port } = await context.startRostrum({ threads: 1, store, hasSample: true })
    const service = createService(port, context.adminToken)
    return [
      ...(await compareWithPatches(context, service)),
      ...(await readBesideBatches(context, service)),
      await waitForBatches(context, service),
      disk,
    ]
  },
}

interface Service {
  readonly port: number
  /** Changes the first `count` records to new values in each call. Returns the duration. */
  changeAtOnce(count: number): Promise<number>
  /** The same change by PATCHes. */
  changeOneByOne(count: number): Promise<number>
  /** The time of one PATCH of another record. */
  changeOther(): Promise<number>
}

function createService(port: number, token: string): Service {
  let turn = 0
  const url = `http://127.0.0.1:${port}/api/v2`
  const headers = { Authorization: `Token ${token}`, 'Content-Type': 'application/json' }

  async function send(method: string, path: string, body: object): Promise<number> {
    const startMs = performance.now()
    const answer = await fetch(`${url}/${path}`, { method, headers, body: JSON.stringify(body) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    if (answer.status === 202) await waitForEnd(answer.headers.get('Content-Location') ?? '')
    return performance.now() - startMs
  }

  /** A batch that takes more than five seconds is answered before it is done. */
  async function waitForEnd(location: string): Promise<void> {
    for (let state = 'running'; state === 'running'; await Bun.sleep(20)) {
      const batch = (await (await fetch(location, { headers })).json()) as { state: string }
      if (batch.state === 'stopped') throw new Error(`${location} was stopped`)
      state = batch.state
    }
  }

  const nextLanguage = () => (++turn % 2 === 0 ? 'German' : 'French')
  return {
    port,
    async changeAtOnce(count) {
      const language = nextLanguage()
      const tags = { add: [`turn ${turn}`], remove: [`turn ${turn - 1}`] }
      const ids = Array.from({ length: count }, (_, i) => i + 1)
      return send('POST', 'batches', { select: { ids }, patch: { language, tags } })
    },
    async changeOneByOne(count) {
      const language = nextLanguage()
      const jobs: Job[] = []
      for (let page = 1; page <= count / 100; page++) {
        const ids = Array.from({ length: 100 }, (_, i) => (page - 1) * 100 + i + 1)
        const answer = await fetch(`${url}/video?id=${ids}&fields=id,tags&page_size=100`, { headers })
        const found = (await answer.json()) as { results: { id: number; tags: string[] }[] }
        for (const { id, tags } of found.results) {
          const kept = tags.filter((tag) => tag !== `turn ${turn - 1}`)
          jobs.push(toPatch(port, token, id, { language, tags: [...kept, `turn ${turn}`] }))
        }
      }
      return runJobs(port, jobs)
    },
    changeOther: () => send('PATCH', `video/${otherId}`, { whiteboard: `${++turn}` }),
  }
}

function toPatch(port: number, token: string, id: number, changes: object): Job {
  const body = JSON.stringify(changes)
  const headers = {
    Authorization: `Token ${token}`,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
  }
  const request = toHead(port, { method: 'PATCH', target: `/api/v2/video/${id}`, headers }) + body
  const judge: Job['judge'] = ({ status, body }) => (status === 200 ? null : `${id}: status ${status}: ${body}`)
  return { method: 'PATCH', request, isAnswer: () => false, judge }
}

/** Runs the jobs with this many clients; returns the total time. */
async function runJobs(port: number, jobs: readonly Job[]): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let [next, done] = [0, 0]
  const sendNext = (client: LoadClient) => {
    const job = jobs[next++]
    if (job !== undefined) client.send(job, 0)
  }
  const all = Array.from({ length: clients }, () => {
    return new LoadClient((client, _releasedMs, problem) => {
      if (problem !== null) reject(new Error(problem))
      else if (++done === jobs.length) resolve()
      else sendNext(client)
    })
  })
  for (const client of all) await client.connect(port)
  const startMs = performance.now()
  for (const client of all) sendNext(client)
  await promise
  const tookMs = performance.now() - startMs
  for (const client of all) client.end()
  return tookMs
}

const toMsText = (ms: number) => `${Math.round(ms)} ms`

async function compareWithPatches(context: Context, service: Service): Promise<readonly Row[]> {
  const sides = [
    { name: 'batch', run: () => service.changeAtOnce(compared) },
    { name: 'PATCHes', run: () => service.changeOneByOne(compared) },
  ]
  const [batches = [], patches = []] = await interleave(context, sides, toMsText)
  return [
    toRatioRow(`a batch of ${compared} to as many PATCHes by ${clients} clients`, batches, patches),
    { label: `a batch of ${compared}`, unit: 'ms', values: batches },
    { label: `${compared} PATCHes by ${clients} clients`, unit: 'ms', values: patches },
  ]
}

async function readBesideBatches(context: Context, service: Service): Promise<readonly Row[]> {
  const reads = await toSteadyReads(context, service.port)
  const times: number[] = []
  async function readBesideBatch() {
    let isOver = false
    const reading = readAlone(context, reads).finally(() => {
      isOver = true
    })
    while (!isOver) times.push(await service.changeAtOnce(readBeside))
    return reading
  }
  const sides = [
    { name: 'during batches', run: readBesideBatch },
    { name: 'alone', run: () => readAlone(context, reads) },
  ]
  const [beside = [], alone = []] = await interleave(context, sides, ({ p99Ms }) => `p99 ${p99Ms.toFixed(2)} ms`)
  return [
    toRatioRow(`GET during batches of ${readBeside} to alone, p99`, toP99s(beside), toP99s(alone)),
    { label: `GET during batches of ${readBeside}, p99`, unit: 'ms', values: toP99s(beside) },
    { label: 'GET alone, p99', unit: 'ms', values: toP99s(alone) },
    { label: `a batch of ${readBeside} during these reads`, unit: 'ms', values: times },
  ]
}

async function waitForBatches(context: Context, service: Service): Promise<Row> {
  const longest: number[] = []
  for (let round = 0; round <= context.rounds; round++) {
    let isOver = false
    const changing = service.changeAtOnce(waitedFor).finally(() => {
      isOver = true
    })
    const waits: number[] = []
    while (!isOver) waits.push(await service.changeOther())
    await changing
    if (round > 0) longest.push(Math.max(...waits))
  }
  return { label: `longest wait of another write during a batch of ${waitedFor}`, unit: 'ms', values: longest }
}
