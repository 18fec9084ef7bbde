import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { openPostgres, type PostgresDatabase } from '../../src/store/postgres/connection.ts'
import { PostgresFailure } from '../../src/store/postgres/failure.ts'
import { type Cluster, createCluster } from '../harness/postgres.ts'

let cluster: Cluster
let killer: postgres.Sql
let db: PostgresDatabase

beforeAll(async () => {
  cluster = await createCluster({ fsync: false })
  await cluster.start()
  killer = postgres(cluster.toUrl('postgres'), { max: 1 })
  db = openPostgres(cluster.toUrl('postgres'))
  await db.script('CREATE TABLE note (id bigint)')
}, 180_000)

afterAll(async () => {
  await db.close()
  await killer.end({ timeout: 1 })
  await cluster.remove()
})

const cut = async () => {
  const own = await db.query<{ pid: number }, []>('SELECT pg_backend_pid() AS pid').get()
  await killer`SELECT pg_terminate_backend(${own?.pid ?? 0})`
  // Until the news of it has reached us.
  await Bun.sleep(100)
}
const insert = (id: number) => db.query('INSERT INTO note VALUES (?)').send(id)
const listNotes = () => db.query<{ id: number }, []>('SELECT id FROM note ORDER BY id').all()

test('what was cut in the middle of a transaction is undone, and the next one begins anew', async () => {
  await db.begin('BEGIN')
  insert(1)
  await cut()
  insert(2)
  await expect(listNotes()).rejects.toThrow(PostgresFailure)
  expect(db.isInTransaction).toBe(false)
  expect(await listNotes()).toEqual([])
  await db.begin('BEGIN')
  insert(3)
  await db.commit()
  expect(await listNotes()).toEqual([{ id: 3 }])
})

test('rows that are read in pieces end with the connection, and the reader gets the error', async () => {
  await db.begin('BEGIN')
  const rows = db
    .query<{ n: number }, []>('SELECT n FROM generate_series(1, 2000) AS n')
    .iterate()
    [Symbol.asyncIterator]()
  await rows.next()
  await cut()
  const readOn = async () => {
    while (!(await rows.next()).done);
  }
  await expect(readOn()).rejects.toThrow(expect.objectContaining({ isLost: true }))
  expect(db.isInTransaction).toBe(false)
  expect(await db.query<{ n: number }, []>('SELECT 1 AS n').all()).toEqual([{ n: 1 }])
})

test('a transaction that only reads is cut alike', async () => {
  const find = db.query<{ n: number }, []>('SELECT 1 AS n')
  await db.begin('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY')
  await find.all()
  await cut()
  await expect(find.all()).rejects.toThrow(expect.objectContaining({ isLost: true }))
  expect(await find.all()).toEqual([{ n: 1 }])
})

test('a transaction that cannot begin, since somebody else is writing, is none; the next one begins anew', async () => {
  await db.script('CREATE TABLE store (schema_number bigint); INSERT INTO store VALUES (1)')
  const write = () => db.transaction('write', async () => insert(4))
  const held = await killer.reserve()
  await held`BEGIN`
  await held`SELECT 1 FROM store FOR UPDATE`
  await expect(write()).rejects.toThrow(expect.objectContaining({ code: 'POSTGRES_55P03' }))
  expect(db.isInTransaction).toBe(false)
  await held`ROLLBACK`
  held.release()
  await write()
  expect(await listNotes()).toEqual([{ id: 3 }, { id: 4 }])
})
