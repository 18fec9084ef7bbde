import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { openPostgres, type PostgresDatabase } from '../../src/store/postgres/connection.ts'
import { readRows, useDatabases, withRows } from './databases.ts'

const { createAddress } = useDatabases()
const answerTimeoutMs = 5_000
let address: string
let db: PostgresDatabase

beforeEach(async () => {
  address = await createAddress()
  db = openPostgres(address, { answerTimeoutMs })
  await db.script('CREATE TABLE note (id bigint PRIMARY KEY, said text)')
  await insertNow(1, 'first')
  await db.query('UPDATE note SET said = ? WHERE id = ?').run('second', 1)
})
afterEach(() => db.close())

const insertNow = (id: number, said: string) => db.query('INSERT INTO note VALUES (?, ?)').run(id, said)
const insert = (id: number, said?: string) => db.query('INSERT INTO note VALUES (?, ?)').send(id, said as string)
const update = (said: string, id: number) => db.query('UPDATE note SET said = ? WHERE id = ?').send(said, id)
const readNotes = () => readRows(address, 'SELECT id, said FROM note ORDER BY id')

/** What another connection sees afterwards, which this one must agree with and be able to go on from. */
async function expectNothingStored(): Promise<void> {
  expect(db.isInTransaction).toBe(false)
  expect(await readNotes()).toEqual([{ id: 1, said: 'second' }])
  await db.begin('BEGIN')
  insert(9, '9')
  await db.commit()
  expect((await readNotes()).map(({ id }) => id)).toEqual([1, 9])
}

describe('A transaction with a statement that the server has forgotten', () => {
  const parts = {
    'in its middle': async () => {
      insert(2, '')
      await db.query('SELECT id FROM note').all()
    },
    'before its end': async () => {
      db.query("INSERT INTO note VALUES (?, 'new')").send(2)
      await db.query('SELECT 1 AS n').all()
      update('third', 1)
    },
    'and another one': async () => {
      insert(2, '')
      update('third', 1)
    },
    'in a part that is undone': async () => {
      const part = db.savepoint(async () => {
        insert(2, '')
        throw new Error('undone')
      })
      await part.catch((error: Error) => {
        if (error.message !== 'undone') throw error
      })
    },
  }
  test.each(Object.keys(parts))('%s fails, and leaves nothing behind', async (name) => {
    await db.script('DEALLOCATE ALL')
    await db.begin('BEGIN')
    const run = async () => {
      await parts[name as keyof typeof parts]()
      await db.commit()
    }
    await expect(run()).rejects.toThrow(expect.objectContaining({ isLost: true }))
    await expectNothingStored()
  })

  test('since a column has another type now fails, and leaves nothing behind', async () => {
    await withRows(address, (other) => other.script('ALTER TABLE note ALTER COLUMN said TYPE bytea USING said::bytea'))
    await db.begin('BEGIN')
    insert(2, 'x')
    db.query('DELETE FROM note WHERE id = ?').send(1)
    await expect(db.commit()).rejects.toThrow(expect.objectContaining({ isLost: true }))
    await withRows(address, (other) =>
      other.script(`ALTER TABLE note ALTER COLUMN said TYPE text USING convert_from(said, 'UTF8')`),
    )
    await expectNothingStored()
  })
})

test('a value that is missing is refused before anything is sent', async () => {
  await db.begin('BEGIN')
  insert(2, '')
  expect(() => insert(3)).toThrow(TypeError)
  expect(db.isInTransaction).toBe(true)
  await db.rollback()
  await expectNothingStored()
})

test('what was aborted by an error that nobody heard of is never told as committed', async () => {
  await db.begin('BEGIN')
  insert(2, '')
  await expect(db.query('SELECT 1 / 0 FROM note').all()).rejects.toThrow('division')
  await expect(db.commit()).rejects.toThrow('not committed')
  await expectNothingStored()
})

test('a connection that is lost in the middle of what goes along is not taken up again behind our back', async () => {
  const { pid } = (await db.query<{ pid: number }, []>('SELECT pg_backend_pid() AS pid').get()) ?? { pid: 0 }
  await db.begin('BEGIN')
  // Those with values are new to the server: the client waits for its word on each before it sends the next.
  db.query(`DELETE FROM note WHERE said = (SELECT pg_terminate_backend(${pid})::text)`).send()
  for (const n of [1, 2, 3]) db.query(`DELETE FROM note WHERE id = ? AND ${n} = ${n}`).send(7)
  await expect(db.commit()).rejects.toThrow(expect.objectContaining({ isLost: true }))
  await expectNothingStored()
  await Bun.sleep(1_500)
  const found = await readRows(address, `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database()`)
  // This connection, and the one that counts.
  expect(found).toEqual([{ n: 2 }])
})
