import { expect, spyOn, test } from 'bun:test'
import { createServer, type Socket } from 'node:net'
import { createPool } from '../../src/store/postgres/pool.ts'
import { useDatabases, withRows } from './databases.ts'

const { createAddress } = useDatabases()

/** More than the client sends before it has answers; the rest waits in it. */
const reads = 300

/** A place where connections are taken, and what is done with each. */
async function listen(take: (socket: Socket) => void) {
  let taken = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    taken++
    sockets.add(socket.on('error', () => undefined))
    take(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('nobody listens')
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { host: `127.0.0.1:${address.port}`, taken: () => taken, close }
}

/** In a process of its own, so that only the pool sets timers here. */
async function terminateSleepers(address: string): Promise<void> {
  const sql = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep%'`
  const script = `import postgres from 'postgres'; const sql = postgres(process.argv[1]); await sql.unsafe(process.argv[2]); await sql.end()`
  const child = Bun.spawn([process.execPath, '-e', script, address, sql], { stdio: ['ignore', 'inherit', 'inherit'] })
  expect(await child.exited).toBe(0)
}

test('a connection that is lost while many wait leaves neither a timer nor another connection behind', async () => {
  const address = await createAddress()
  const pool = createPool(address, 1)
  const timers = spyOn(globalThis, 'setTimeout')
  try {
    for (let round = 0; round < 5; round++) {
      const waiting = Array.from({ length: reads }, () => pool.find('SELECT pg_sleep(0.01)'))
      const settled = Promise.allSettled(waiting)
      await Bun.sleep(100)
      await terminateSleepers(address)
      expect((await settled).some(({ status }) => status === 'rejected')).toBe(true)
    }
    expect(await pool.find<{ n: number }>('SELECT 1 AS n')).toEqual({ n: 1 })
    expect(Math.max(...timers.mock.calls.map(([, ms]) => ms ?? 0))).toBeLessThanOrEqual(5_000)
  } finally {
    timers.mockRestore()
  }
  const count = `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database()`
  // The pool's, and the one that counts.
  expect(await withRows(address, (db) => db.query(count).all())).toEqual([{ n: 2 }])
  pool.close()
})

test('a server that hangs up at once is asked once, not again and again, and that is told', async () => {
  const closing = await listen((socket) => socket.end())
  const pool = createPool(`postgres://rostrum@${closing.host}/none`, 1)
  const read = () => pool.find('SELECT 1 AS n').then(String, ({ code }) => code)
  expect(await read()).toBe('POSTGRES_CONNECTION_CLOSED')
  expect(closing.taken()).toBe(1)
  pool.close()
  closing.close()
})

test('two hosts that say nothing do not keep readers from the third one', async () => {
  const silent = await Promise.all([listen(() => undefined), listen(() => undefined)])
  const address = new URL(await createAddress())
  const hosts = [...silent.map(({ host }) => host), address.host].join(',')
  const pool = createPool(`postgres://rostrum@${hosts}${address.pathname}`, 1)
  expect(await pool.find<{ n: number }>('SELECT 1 AS n')).toEqual({ n: 1 })
  pool.close()
  for (const { close } of silent) close()
})
