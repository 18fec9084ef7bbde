import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Database } from '../../src/store/database.ts'
import { openPostgres } from '../../src/store/postgres/connection.ts'
import { readRows, useCluster, withRows } from './databases.ts'

const { createAddress } = useCluster()
const answerTimeoutMs = 5_000
let address: string
let db: Database

beforeEach(async () => {
  address = await createAddress()
  db = openPostgres(address, answerTimeoutMs)
  db.run('CREATE TABLE note (id bigint PRIMARY KEY, said text)')
  insert(1, 'first')
  update('second', 1)
})
afterEach(() => db.close())

const insert = (id: number, said?: string) => db.query('INSERT INTO note VALUES (?, ?)').run(id, said as string)
const update = (said: string, id: number) => db.query('UPDATE note SET said = ? WHERE id = ?').run(said, id)
const readNotes = () => readRows(address, 'SELECT id, said FROM note ORDER BY id')

/** What another connection sees afterwards, which this one must agree with and be able to go on from. */
function expectNothingStored(): void {
  expect(db.inTransaction).toBe(false)
  expect(readNotes()).toEqual([{ id: 1, said: 'second' }])
  db.run('BEGIN')
  insert(9, '9')
  db.run('COMMIT')
  expect(readNotes().map(({ id }) => id)).toEqual([1, 9])
}

describe('A transaction with a statement that the server has forgotten', () => {
  const parts = {
    'in its middle': () => {
      insert(2, '')
      db.query('SELECT id FROM note').all()
    },
    'before its end': () => {
      db.query("INSERT INTO note VALUES (?, 'new')").run(2)
      db.query('SELECT 1 AS n').all()
      update('third', 1)
    },
    'and another one': () => {
      insert(2, '')
      update('third', 1)
    },
    'in a part that is undone': () => {
      db.run('SAVEPOINT command')
      insert(2, '')
      db.run('ROLLBACK TO command')
    },
  }
  test.each(Object.keys(parts))('%s fails, and leaves nothing behind', (name) => {
    db.run('DEALLOCATE ALL')
    db.run('BEGIN')
    const run = () => {
      parts[name as keyof typeof parts]()
      db.run('COMMIT')
    }
    expect(run).toThrow(expect.objectContaining({ isLost: true }))
    expectNothingStored()
  })

  test('since a column has another type now fails, and leaves nothing behind', () => {
    withRows(address, (other) => other.run('ALTER TABLE note ALTER COLUMN said TYPE bytea USING said::bytea'))
    db.run('BEGIN')
    insert(2, 'x')
    db.query('DELETE FROM note WHERE id = ?').run(1)
    expect(() => db.run('COMMIT')).toThrow(expect.objectContaining({ isLost: true }))
    withRows(address, (other) =>
      other.run(`ALTER TABLE note ALTER COLUMN said TYPE text USING convert_from(said, 'UTF8')`),
    )
    expectNothingStored()
  })
})

test('a value that is missing is refused before anything is sent', () => {
  db.run('BEGIN')
  insert(2, '')
  expect(() => insert(3)).toThrow(TypeError)
  expect(db.inTransaction).toBe(true)
  db.run('ROLLBACK')
  expectNothingStored()
})

test('what was aborted by an error that nobody heard of is never told as committed', () => {
  db.run('BEGIN')
  insert(2, '')
  expect(() => db.query('SELECT 1 / 0 FROM note').all()).toThrow('division')
  expect(() => db.run('COMMIT')).toThrow('not committed')
  expectNothingStored()
})

test('a connection that is lost in the middle of what goes along is not taken up again behind our back', async () => {
  const { pid } = db.query<{ pid: number }, []>('SELECT pg_backend_pid() AS pid').get() ?? { pid: 0 }
  db.run('BEGIN')
  // Those with values are new to the server: the client waits for its word on each before it sends the next.
  db.query(`DELETE FROM note WHERE said = (SELECT pg_terminate_backend(${pid})::text)`).run()
  for (const n of [1, 2, 3]) db.query(`DELETE FROM note WHERE id = ? AND ${n} = ${n}`).run(7)
  expect(() => db.run('COMMIT')).toThrow(expect.objectContaining({ isLost: true }))
  expectNothingStored()
  await Bun.sleep(1_500)
  const found = readRows(address, `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database()`)
  // This connection, and the one that counts.
  expect(found).toEqual([{ n: 2 }])
})
