import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { longTest } from '../harness/runs.ts'
import { until } from '../harness/until.ts'

// Runner: long (threads that hang for seconds)

const folder = mkdtempSync(join(tmpdir(), 'rostrum-hung-'))
const key = 'hung-threads-test-key-0123456789'
const headers = { Authorization: `Token ${key}`, 'Content-Type': 'application/json' }

type Program = Awaited<ReturnType<typeof start>>
let program: Program

async function start() {
  const probe = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const port = probe.port ?? 0
  await probe.stop(true)
  const script = join(import.meta.dir, 'supervision-program.ts')
  const db = join(folder, `${crypto.randomUUID()}.db`)
  const command = [process.execPath, '--max-http-header-size=131072', script, db, String(port), key]
  const child = Bun.spawn(command, { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' })
  let said = ''
  const read = async () => {
    for await (const chunk of child.stderr) said += new TextDecoder().decode(chunk)
  }
  void read()
  let told = ''
  const listen = async () => {
    for await (const chunk of child.stdout) told += new TextDecoder().decode(chunk)
  }
  void listen()
  await until('it is ready', () => told.includes('ready'))
  const list = `http://127.0.0.1:${port}/api/v2/video`
  const body = JSON.stringify({ category: 'Faults', title: 'Hung', state: 1 })
  expect((await fetch(list, { method: 'POST', headers, body })).status).toBe(201)
  const say = (line: string) => {
    child.stdin.write(`${line}\n`)
    child.stdin.flush()
  }
  return { child, list, say, said: () => said }
}

beforeAll(async () => {
  program = await start()
})

afterAll(async () => {
  program.child.kill(9)
  await program.child.exited
  rmSync(folder, { recursive: true, force: true })
})

/** Pages with unknown parameters are not cached, so a query thread answers. */
const uncachedList = () => `${program.list}?uncached`

/** On a connection of its own, so that all threads are asked in the course of time. */
async function getStatus(url: string): Promise<number | null> {
  const options = { keepalive: false, signal: AbortSignal.timeout(1_000) } as const
  return await fetch(url, options).then(
    async (answer) => {
      await answer.arrayBuffer()
      return answer.status
    },
    () => null,
  )
}

/** Until so many in a row are 200. */
async function waitUntilGood(url: string, inRow: number, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs
  for (let good = 0; performance.now() < deadline; ) {
    good = (await getStatus(url)) === 200 ? good + 1 : 0
    if (good >= inRow) return true
  }
  return false
}

async function waitUntilSaid(pattern: RegExp, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs
  while (performance.now() < deadline) {
    if (pattern.test(program.said())) return true
    await Bun.sleep(50)
  }
  return false
}

test('an HTTP thread that hangs is logged and replaced, and its share of connections is served again', async () => {
  program.say('hang code http')
  expect(await waitUntilSaid(/thread hung","thread":"http \d/, 30_000)).toBe(true)
  expect(await waitUntilGood(`${program.list}/1`, 40, 10_000)).toBe(true)
}, 180_000)

test('a query thread that hangs within SQLite is replaced although it cannot be ended, and nothing else is held up', async () => {
  program.say('hang sqlite query')
  expect(await getStatus(`${program.list}/1`)).toBe(200)
  expect(await waitUntilSaid(/thread hung","thread":"query/, 30_000)).toBe(true)
  expect(await waitUntilGood(uncachedList(), 5, 10_000)).toBe(true)
  const patch = { method: 'PATCH', headers, body: JSON.stringify({ whiteboard: 'after a hang' }) }
  expect((await fetch(`${program.list}/1`, patch)).status).toBe(200)
}, 180_000)

longTest(
  'threads that hang one after the other, as often as threads may die, do not end the service',
  async () => {
    for (let time = 0; time < 3; time++) {
      const before = program.said().length
      for (const thread of ['http', 'query']) program.say(`hang code ${thread}`)
      const isTold = () =>
        (program
          .said()
          .slice(before)
          .match(/thread hung/g)?.length ?? 0) >= 2
      const deadline = performance.now() + 30_000
      while (!isTold() && performance.now() < deadline) await Bun.sleep(50)
      expect(isTold()).toBe(true)
      expect(await waitUntilGood(uncachedList(), 3, 10_000)).toBe(true)
    }
    expect(program.child.exitCode).toBe(null)
  },
  200_000,
)

test('a shutdown ends the process although a thread does not stop, and names that thread', async () => {
  program.say('hang sqlite http')
  await Bun.sleep(200)
  const startedMs = performance.now()
  program.say('stop')
  expect(await program.child.exited).toBe(1)
  expect(performance.now() - startedMs).toBeLessThan(25_000)
  expect(program.said()).toMatch(/"thread did not stop","thread":"http \d"/)
}, 180_000)
