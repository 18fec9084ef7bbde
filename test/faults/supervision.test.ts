import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../harness/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'rostrum-supervision-'))
const db = join(folder, 'records.db')
const key = 'supervision-test-key-0123456789'
const headers = { Authorization: `Token ${key}`, 'Content-Type': 'application/json' }
let program: ReturnType<typeof start>
let item = ''
let said = ''
let logged = ''

function start(port: number) {
  const script = join(import.meta.dir, 'supervision-program.ts')
  const command = [process.execPath, '--max-http-header-size=131072', script, db, String(port), key]
  return Bun.spawn(command, { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' })
}

function end(thread: 'writer' | 'query' | 'http' | 'hang throw query' | 'stop'): void {
  program.stdin.write(`${thread}\n`)
  program.stdin.flush()
}

beforeAll(async () => {
  const probe = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const port = probe.port ?? 0
  await probe.stop(true)
  program = start(port)
  void collect(program.stdout, (text) => (said += text))
  void collect(program.stderr, (text) => (logged += text))
  await until('it is ready', () => said.includes('ready'))
  const list = `http://127.0.0.1:${port}/api/v2/video`
  const body = JSON.stringify({ category: 'Faults', title: 'Supervised', state: 1 })
  const made = await fetch(list, { method: 'POST', headers, body })
  expect(made.status).toBe(201)
  item = `${list}/1`
})

afterAll(async () => {
  program.kill(9)
  await program.exited
  rmSync(folder, { recursive: true, force: true })
})

async function collect(output: ReadableStream<Uint8Array>, add: (text: string) => void): Promise<void> {
  for await (const chunk of output) add(new TextDecoder().decode(chunk))
}

/** How many threads of this kind it has started. */
function countStarts(name: 'query' | 'http'): number {
  return said.split('\n').filter((line) => line.startsWith('starting') && line.includes(name)).length
}

/** Whether so many connections are answered that each thread has some of them. */
async function areAllAnswered(): Promise<boolean> {
  const ask = () =>
    fetch(item, options).then(
      ({ status }) => status,
      () => 0,
    )
  return (await Promise.all(Array.from({ length: 20 }, ask))).every((status) => status === 200)
}

/** A fresh connection each time, so that both threads are asked. */
const options = { keepalive: false } as const

async function patch(whiteboard: string): Promise<number> {
  const answer = await fetch(item, { ...options, method: 'PATCH', headers, body: JSON.stringify({ whiteboard }) })
  await answer.arrayBuffer()
  return answer.status
}

test('when the writer dies, writes are answered 200 or 503 and soon work again, and reads never stop', async () => {
  const acknowledged: string[] = []
  const statuses = new Set<number>()
  end('writer')
  const deadline = Date.now() + 8_000
  let count = 0
  while (Date.now() < deadline && !(count > 50 && acknowledged.length > 30)) {
    const text = `write ${count++}`
    const status = await patch(text)
    statuses.add(status)
    if (status === 200) acknowledged.push(text)
    expect((await fetch(item, options)).status).toBe(200)
  }
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect(acknowledged.length).toBeGreaterThan(30)
  const now = await fetch(item, options).then((answer) => answer.json())
  expect(now).toMatchObject({ whiteboard: acknowledged.at(-1) })
}, 180_000)

test('when the query thread dies, lists soon work again', async () => {
  const before = countStarts('query')
  end('query')
  await until('another query thread starts', () => countStarts('query') > before)
  // Pages with unknown parameters are not cached, so a query thread answers.
  const list = `${item.replace(/\/1$/, '')}?uncached`
  const isListed = async () => {
    const { status } = await fetch(list, options)
    expect([200, 503]).toContain(status)
    return status === 200
  }
  await until('lists work', isListed)
}, 180_000)

test('the log has the error that a thread threw', async () => {
  const before = countStarts('query')
  end('hang throw query')
  await until('another query thread starts', () => countStarts('query') > before)
  const line = logged.split('\n').find((each) => each.includes('"thread error"')) ?? '{}'
  expect(JSON.parse(line)).toMatchObject({
    thread: 'query 0',
    error: expect.stringMatching(/^SQLiteError: no such column: missing/),
  })
}, 180_000)

test('when an HTTP thread dies, another takes its place, and both read what was written', async () => {
  const before = countStarts('http')
  end('http')
  await until('another HTTP thread starts', () => countStarts('http') > before)
  await until('both answer', areAllAnswered)
  expect(await patch('after the death of a thread')).toBe(200)
  for (let i = 0; i < 40; i++) {
    expect(await fetch(item, options).then((answer) => answer.json())).toMatchObject({
      whiteboard: 'after the death of a thread',
    })
  }
}, 180_000)

test('it still shuts down cleanly, and every version is stored', async () => {
  end('stop')
  expect(await program.exited).toBe(0)
  const file = new Database(db, { readonly: true })
  const rows = file.query<{ number: number }, []>('SELECT number FROM version ORDER BY seq').all()
  expect(rows.map((row) => row.number)).toEqual(rows.map((_, i) => i + 1))
  expect(file.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  file.close()
}, 180_000)
