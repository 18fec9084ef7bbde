import { Database } from 'bun:sqlite'
import { afterEach, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runRostrum } from '../cli/store-command.ts'
import { createFolder, removeFolder, type Server, startServer } from '../harness/server.ts'

// Runner: slow

/** Half an hour; ROSTRUM_SOAK_MINUTES shortens it while you work on it. */
const soakMs = Number(process.env.ROSTRUM_SOAK_MINUTES ?? '30') * 60_000
const samplesCount = 90
const clientsCount = 8
/** Between two requests of a client: half of what the machine can do, so that other tests can run beside it. */
const pauseMs = 20
const streamsCount = 10
const hours = 24
const requestsPerHour = 150

const folders: string[] = []
const servers: Server[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) await server.kill9()
  for (const folder of folders.splice(0)) removeFolder(folder)
})

test(
  'memory, descriptors and threads stay flat under mixed load, and no request fails',
  async () => {
    const { server } = await start(['--cache-mb', '16', '--page-cache-mb', '8'])
    const streams = await Promise.all(Array.from({ length: streamsCount }, () => follow(server)))
    const load = startLoad(server, pauseMs)
    const samples: Sample[] = []
    for (let taken = 0; taken < samplesCount; taken++) {
      await Bun.sleep(soakMs / samplesCount)
      samples.push(readSample(server))
    }
    expect(await load.stop()).toEqual([])
    expect(streams.map((findEnding) => findEnding())).toEqual(streams.map(() => null))
    expectFlat(samples)
  },
  soakMs + 120_000,
)

/** The first third fills caches. */
function expectFlat(samples: readonly Sample[]): void {
  const third = samples.length / 3
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)]
  const most = (of: readonly Sample[], name: keyof Sample) => Math.max(...of.map((each) => each[name]))
  const typical = (of: readonly Sample[]) => of.map(({ megabytes }) => megabytes).sort((a, b) => a - b)[third / 2] ?? 0
  console.log(`Memory: ${typical(middle)} MB, then ${typical(last)} MB; at the end ${JSON.stringify(samples.at(-1))}`)
  expect(typical(last)).toBeLessThan(typical(middle) * 1.1 + 16)
  // Clients come and go.
  expect(most(last, 'descriptors')).toBeLessThanOrEqual(most(middle, 'descriptors') + clientsCount)
  expect(most(last, 'threads')).toBeLessThanOrEqual(most(middle, 'threads'))
}

test('on a busy day, the backup of each hour is the store of that moment', async () => {
  const { server, folder } = await start([])
  const load = startLoad(server, 0)
  const backups: { readonly file: string; readonly before: number }[] = []
  for (let hour = 0; hour < hours; hour++) {
    await load.waitFor(requestsPerHour)
    const file = join(folder, `hour-${hour}`)
    const before = readVersions(server.db).length
    const { exitCode, stderr } = await runRostrum('backup', file, '--db', server.db)
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('versions')])
    backups.push({ file, before })
  }
  expect(await load.stop()).toEqual([])
  const all = readVersions(server.db)
  for (const { file, before } of backups) await expectMoment(file, before, all)
}, 1_200_000)

/** Everything that was stored before the backup began is in it, and nothing that never was in the store. */
async function expectMoment(backup: string, before: number, all: readonly string[]): Promise<void> {
  const restored = `${backup}.restored`
  expect(await runRostrum('restore', backup, '--db', restored)).toMatchObject({ exitCode: 0 })
  expect(await runRostrum('doctor', '--db', restored)).toMatchObject({ exitCode: 0 })
  const found = readVersions(restored)
  expect(found.length).toBeGreaterThanOrEqual(before)
  expect(found).toEqual(all.slice(0, found.length))
}

/** The log of changes, oldest first; `doctor` checks that everything else follows from it. */
function readVersions(path: string): readonly string[] {
  const db = new Database(path, { readonly: true })
  try {
    const rows = db.query<{ line: string }, []>(
      `SELECT seq || ' ' || record_id || ' ' || number || ' ' || at || ' ' || hex(checksum) AS line FROM version ORDER BY seq`,
    )
    return rows.all().map(({ line }) => line)
  } finally {
    db.close()
  }
}

async function start(args: readonly string[]): Promise<{ readonly server: Server; readonly folder: string }> {
  const folder = createFolder()
  folders.push(folder)
  const server = await startServer({ db: join(folder, 'talks.db'), args: ['--threads', '2', '--sample', ...args] })
  servers.push(server)
  return { server, folder }
}

/** What curators, viewers and programs do, by how often they do it. */
const deeds: readonly (readonly [weight: number, (number: number) => Deed])[] = [
  [30, (number) => ({ path: `/api/v2/video/${toId(number)}` })],
  [10, (number) => ({ path: `/video/${1 + (number % 50)}`, status: 301 })],
  [10, (number) => ({ path: `/api/v2/video?page_size=10&page=${1 + (number % 5)}` })],
  [10, (number) => ({ path: `/search?q=${words[number % words.length]}` })],
  [5, (number) => ({ path: `/api/v2/video?match=best&q=${words[number % words.length]}` })],
  [5, () => ({ path: '/' })],
  [5, (number) => ({ path: `/api/v2/video/${toId(number)}/history` })],
  [20, (number) => ({ path: `/api/v2/video/${toId(number)}`, method: 'PATCH', fields: { whiteboard: `${number}` } })],
  [1, (number) => ({ path: '/api/v2/video', method: 'POST', fields: toTalk(number), status: 201 })],
  [1, (number) => ({ path: '/api/v2/batches', method: 'POST', fields: toBatch(number), status: 201 })],
]

type Deed = {
  readonly path: string
  readonly method?: string
  readonly fields?: object
  /** 200 unless told. */
  readonly status?: number
}

const words = ['tide', 'caching', 'light', 'queue', 'map', 'absent-word']
const toId = (number: number) => 1 + (number % 100)
const toTalk = (number: number) => ({ category: 'Busy day', title: `Talk ${number}`, state: 1 })
const toBatch = (number: number) => ({ select: { ids: [toId(number)] }, patch: { whiteboard: `batch ${number}` } })

/** Clients that each do one thing after the other, in an order that repeats. */
function startLoad({ url, adminKey }: Server, waitMs: number) {
  const order = deeds.flatMap(([weight, create], index) =>
    Array.from({ length: weight }, (_, at) => ({ create, key: (at + 1) / weight + index / 100 })),
  )
  order.sort((a, b) => a.key - b.key)
  const headers = { Authorization: `Token ${adminKey}`, 'Content-Type': 'application/json' }
  const failures: string[] = []
  let done = 0
  let isOver = false
  const run = async (client: number) => {
    for (let number = client * 1_000_003; !isOver; number++) {
      const {
        path,
        method = 'GET',
        fields,
        status = 200,
      } = order[number % order.length]?.create(number) ?? { path: '/' }
      const body = fields === undefined ? {} : { body: JSON.stringify(fields) }
      const answer = await fetch(`${url}${path}`, { method, headers, redirect: 'manual', ...body })
      const text = await answer.text()
      if (answer.status !== status) failures.push(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`)
      done += 1
      await Bun.sleep(waitMs)
    }
  }
  const clients = Array.from({ length: clientsCount }, (_, client) => run(client))
  return {
    async waitFor(more: number) {
      const wanted = done + more
      while (done < wanted) await Bun.sleep(5)
    },
    async stop() {
      isOver = true
      await Promise.all(clients)
      return failures
    },
  }
}

/** Reads the stream of changes and forgets it; null while it goes on, else why it ended. */
async function follow({ url }: Server): Promise<() => string | null> {
  const { body } = await fetch(`${url}/api/v2/changes/stream`, { headers: { Accept: 'text/event-stream' } })
  let ending: string | null = null
  const reader = body?.getReader()
  const read = async () => {
    for (;;) if ((await reader?.read())?.done ?? true) return 'it ended'
  }
  read().then(
    (why) => {
      ending = why
    },
    (error) => {
      ending = String(error)
    },
  )
  return () => ending
}

type Sample = { readonly megabytes: number; readonly descriptors: number; readonly threads: number }

function readSample({ process: { pid } }: Server): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024)
  return {
    megabytes,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: readdirSync(`/proc/${pid}/task`).length,
  }
}
