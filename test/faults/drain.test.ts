import { expect, test } from 'bun:test'
import { program } from '../harness/program.ts'
import { startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { ask, type Connection, connect } from './connection.ts'
import { checkFile } from './file-check.ts'
import { createRecordClient, toWritten, type Written } from './record-client.ts'
import { withFolder } from './scratch.ts'
import { spawnServer } from './spawn.ts'

const clientCount = 16
const maxRequests = 200_000

// The kernel resets what waits in the queue of a listening socket that closes: as good as refused. The threads close
// theirs one after the other, so a new connection may meet that only so long before nobody listens any more.
const closingMs = 250

type Tally = {
  answered: number
  readonly refusedAt: number[]
  readonly resetAt: number[]
  readonly lost: string[]
  readonly written: Written[]
}

// Some supervisors send SIGHUP after SIGTERM.
test.each(['SIGTERM', 'SIGINT'] as const)(
  'on %s every request that was sent is answered, and the exit code is 0',
  async (signal) => {
    await withFolder(async (folder) => {
      const db = `${folder}/records.db`
      const server = await startServer({ db, args: ['--threads', '2'] })
      const client = createRecordClient((...request) => ask(server.port, ...request), server.adminKey)
      const created = toWritten(await client.create({ title: 'Drained', whiteboard: '0' }))
      const tally: Tally = { answered: 0, refusedAt: [], resetAt: [], lost: [], written: [created] }
      const load = Array.from({ length: clientCount }, (_, index) =>
        askUntilRefused(server.port, server.adminKey, created.id, index, tally),
      )
      await until('all clients are busy', () => tally.answered > 100 * clientCount)
      const answeredBefore = tally.answered
      server.process.kill(signal)
      server.process.kill('SIGHUP')
      const exitCode = await server.process.exited
      await Promise.all(load)
      expect(tally.lost).toEqual([])
      expect(exitCode).toBe(0)
      expect(tally.refusedAt.length).toBe(clientCount)
      expect(tally.resetAt.filter((time) => time < Math.min(...tally.refusedAt) - closingMs)).toEqual([])
      expect(tally.answered).toBeGreaterThan(answeredBefore)
      checkFile(db, tally.written)
    })
  },
  180_000,
)

test('SIGHUP, as sent by a reload or a log rotation, SIGUSR1 and SIGUSR2 end nothing', async () => {
  const server = await startServer()
  for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) {
    server.process.kill(signal)
    for (let count = 0; count < 20; count++) expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  }
  expect(server.process.exitCode).toBeNull()
  expect(await server.stop()).toBe(0)
}, 180_000)

test('a server that was started with nohup outlives its terminal', async () => {
  await withFolder(async (folder) => {
    const command = ['nohup', program, 'serve', '--port', '0', '--db', `${folder}/records.db`]
    const server = await spawnServer(command)
    process.kill(server.pid, 'SIGHUP')
    for (let count = 0; count < 20; count++) expect((await ask(server.port, 'GET', '/healthz')).status).toBe(200)
    expect(await server.stop()).toBe(0)
  })
}, 180_000)

/** A well-behaved client: keeps its connection, opens a new one when told to close, stops when nobody listens. */
async function askUntilRefused(port: number, key: string, id: number, index: number, tally: Tally): Promise<void> {
  let connection: Connection | undefined
  for (let count = 0; count < maxRequests; count++) {
    let isKept = true
    try {
      if (connection === undefined || !connection.isUsable()) {
        connection?.close()
        isKept = false
        connection = await connect(port)
      }
      await askOnce(connection, key, id, `${index}-${count}`, count % 4 === 0, tally)
    } catch (error) {
      connection = undefined
      const code = error instanceof Error && 'code' in error ? error.code : ''
      if (code === 'ECONNREFUSED') return void tally.refusedAt.push(performance.now())
      if (isKept) tally.lost.push(String(error))
      else tally.resetAt.push(performance.now())
    }
  }
}

async function askOnce(
  connection: Connection,
  key: string,
  id: number,
  whiteboard: string,
  isWrite: boolean,
  tally: Tally,
): Promise<void> {
  const client = createRecordClient(connection.send, key)
  const answer = await (isWrite ? client.patch(id, { whiteboard }) : client.read(id))
  if (answer.status !== 200) tally.lost.push(`${answer.status} ${answer.body}`)
  else if (isWrite) tally.written.push(toWritten(answer))
  tally.answered++
}
