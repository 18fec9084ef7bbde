import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import type { Database } from '../../src/store/database.ts'
import { openPostgres } from '../../src/store/postgres/connection.ts'
import { PostgresFailure } from '../../src/store/postgres/failure.ts'
import { type Cluster, createCluster } from '../harness/postgres.ts'

let cluster: Cluster
let killer: postgres.Sql
let db: Database

beforeAll(async () => {
  cluster = await createCluster({ fsync: false })
  await cluster.start()
  killer = postgres(cluster.toUrl('postgres'), { max: 1 })
  db = openPostgres(cluster.toUrl('postgres'))
  db.run('CREATE TABLE note (id bigint)')
}, 60_000)

afterAll(async () => {
  db.close()
  await killer.end({ timeout: 1 })
  await cluster.remove()
})

const cut = async () => {
  const own = db.query<{ pid: number }, []>('SELECT pg_backend_pid() AS pid').get()
  await killer`SELECT pg_terminate_backend(${own?.pid ?? 0})`
  // Until the news of it has reached us.
  await Bun.sleep(100)
}
const insert = (id: number) => db.query('INSERT INTO note VALUES (?)').run(id)
const listNotes = () => db.query<{ id: number }, []>('SELECT id FROM note ORDER BY id').all()

test('what was cut in the middle of a transaction is undone, and the next one begins anew', async () => {
  db.run('BEGIN')
  insert(1)
  await cut()
  insert(2)
  expect(listNotes).toThrow(PostgresFailure)
  expect(db.inTransaction).toBe(false)
  expect(listNotes()).toEqual([])
  db.run('BEGIN')
  insert(3)
  db.run('COMMIT')
  expect(listNotes()).toEqual([{ id: 3 }])
})

test('rows that are read in pieces end with the connection, and whoever reads them hears why', async () => {
  db.run('BEGIN')
  const rows = db.query<{ n: number }, []>('SELECT n FROM generate_series(1, 2000) AS n').iterate()
  const read = [rows.next().value]
  await cut()
  expect(() => read.push(...rows)).toThrow(expect.objectContaining({ isLost: true }))
  expect(db.inTransaction).toBe(false)
  expect(db.query<{ n: number }, []>('SELECT 1 AS n').all()).toEqual([{ n: 1 }])
})

test('a transaction that only reads is cut alike', async () => {
  const find = db.query<{ n: number }, []>('SELECT 1 AS n')
  db.run('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY')
  find.all()
  await cut()
  expect(() => find.all()).toThrow(expect.objectContaining({ isLost: true }))
  expect(find.all()).toEqual([{ n: 1 }])
})

test('a transaction that cannot begin, since somebody else is writing, is none; the next one begins anew', async () => {
  db.run('CREATE TABLE store (schema bigint); INSERT INTO store VALUES (1)')
  const write = db.transaction(() => insert(4))
  const held = await killer.reserve()
  await held`BEGIN`
  await held`SELECT 1 FROM store FOR UPDATE`
  expect(() => write.immediate()).toThrow(expect.objectContaining({ code: 'POSTGRES_55P03' }))
  expect(db.inTransaction).toBe(false)
  await held`ROLLBACK`
  held.release()
  write.immediate()
  expect(listNotes()).toEqual([{ id: 3 }, { id: 4 }])
})
