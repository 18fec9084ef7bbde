import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import type { Command } from '../../src/record/command.ts'
import { openPostgres, type PostgresDatabase } from '../../src/store/postgres/connection.ts'
import { migratePostgres } from '../../src/store/postgres/migrate.ts'
import { createWriter } from '../../src/store/postgres/writer.ts'
import { useDatabases } from './databases.ts'

const { createAddress } = useDatabases()
let db: PostgresDatabase

beforeEach(async () => {
  db = openPostgres(await createAddress())
  await db.script('CREATE TABLE note (id bigint PRIMARY KEY, said text)')
})
afterEach(() => db.close())

const insert = (id: number, said = '') => db.query('INSERT INTO note VALUES (?, ?)').run(id, said)
const send = (id: number, said = '') => db.query('INSERT INTO note VALUES (?, ?)').send(id, said)
const listIds = async () =>
  (await db.query<{ id: number }, []>('SELECT id FROM note ORDER BY id').all()).map(({ id }) => id)
const taken = expect.objectContaining({ code: 'POSTGRES_23505', isLost: false })

/** How often the database was asked for something and waited for: each time has a time limit of its own. */
async function countTurns(action: () => Promise<unknown>): Promise<number> {
  const limited = spyOn(globalThis, 'setTimeout')
  try {
    await action()
    return limited.mock.calls.filter(([, ms]) => ms === answerTimeoutMs).length
  } finally {
    limited.mockRestore()
  }
}
/** The usual one; no other timer has it. */
const answerTimeoutMs = 30_000

describe('A statement that is queued', () => {
  test('is not waited for within a transaction', async () => {
    const turns = await countTurns(async () => {
      await db.begin('BEGIN')
      for (let id = 1; id <= 20; id++) send(id)
      await db.commit()
    })
    expect(turns).toBe(2)
    expect(await listIds()).toHaveLength(20)
  })

  test('is seen by whatever comes after it', async () => {
    await db.begin('BEGIN')
    send(1, 'first')
    db.query('UPDATE note SET said = ? WHERE id = ?').send('second', 1)
    expect(await db.query('SELECT id, said FROM note').all()).toEqual([{ id: 1, said: 'second' }])
    db.query('DELETE FROM note').send()
    await db.commit()
    expect(await listIds()).toEqual([])
  })

  test('and that fails, fails the next one that is waited for, with its own error', async () => {
    await insert(1)
    await db.begin('BEGIN')
    send(1)
    send(2)
    await expect(listIds()).rejects.toThrow(taken)
    expect(db.isInTransaction).toBe(true)
    await db.rollback()
    expect(await listIds()).toEqual([1])
  })

  test('and that fails, fails the commit at the latest, and nothing stays', async () => {
    await insert(1)
    await db.begin('BEGIN')
    send(2)
    send(1)
    await expect(db.commit()).rejects.toThrow(taken)
    expect(db.isInTransaction).toBe(false)
    expect(await listIds()).toEqual([1])
  })

  test('is undone with its savepoint or with its transaction, wherever it is by then', async () => {
    await db.begin('BEGIN')
    send(1)
    const part = db.savepoint(async () => {
      send(2)
      throw new Error('undone')
    })
    await expect(part).rejects.toThrow('undone')
    send(3)
    await db.commit()
    expect(await listIds()).toEqual([1, 3])
    await db.begin('BEGIN')
    send(4)
    await listIds()
    send(5)
    await db.rollback()
    await db.begin('BEGIN')
    send(6)
    await db.commit()
    expect(await listIds()).toEqual([1, 3, 6])
  })

  test('is refused where it is no part of a transaction; one that only reads writes nothing', async () => {
    expect(() => send(1)).toThrow('transaction')
    await insert(1)
    await expect(insert(1)).rejects.toThrow(taken)
    await expect(db.transaction('read', () => insert(2))).rejects.toThrow('read-only')
    expect(await listIds()).toEqual([1])
  })

  test('goes before a statement that says how many rows it changed', async () => {
    await db.begin('BEGIN')
    for (const id of [1, 2, 3]) send(id)
    const erase = db.query<null, [number]>('DELETE FROM note WHERE id > ?')
    expect((await erase.run(1)).changes).toBe(2)
    expect((await erase.run(1)).changes).toBe(0)
    erase.send(0)
    send(4)
    await db.commit()
    expect(await listIds()).toEqual([4])
  })

  test('waits with few others and with little in hand, however many there are', async () => {
    const said = 'x'.repeat(75_000)
    await db.begin('BEGIN')
    send(0)
    await listIds()
    const sendSome = (from: number, to: number, text: string) => async () => {
      for (let id = from; id <= to; id++) send(id, text)
      await listIds()
    }
    expect(await countTurns(sendSome(1, 200, ''))).toBe(4)
    expect(await countTurns(sendSome(201, 220, said))).toBe(6)
    await db.commit()
    expect(await listIds()).toHaveLength(221)
  })
})

test('two transactions never mix: the second one is refused while the first is open', async () => {
  await db.script('CREATE TABLE store (schema_number bigint); INSERT INTO store VALUES (1)')
  const first = db.transaction('write', async () => {
    await insert(1)
    await expect(db.transaction('write', () => insert(2))).rejects.toThrow('open already')
    await expect(db.transaction('read', listIds)).rejects.toThrow('open already')
  })
  await first
  expect(await listIds()).toEqual([1])
})

test('a statement without values is planned once; those that read in pieces leave nothing behind', async () => {
  const listKept = () => db.query<{ statement: string }, []>('SELECT statement FROM pg_prepared_statements').all()
  await insert(1)
  for (let n = 0; n < 10; n++) {
    await listIds()
    expect(await Array.fromAsync(db.query('SELECT id FROM note WHERE id > ?').iterate(0))).toEqual([{ id: 1 }])
  }
  const kept = (await listKept()).map(({ statement }) => statement)
  expect(kept.filter((text) => text.includes('ORDER BY id'))).toHaveLength(1)
  expect(kept.filter((text) => /DECLARE|FETCH/.test(text))).toEqual([])
})

describe('A group of writes', () => {
  const author = { name: 'test', role: 'admin' } as const
  let titles = 0
  const create = (): Command => ({
    kind: 'create',
    author,
    changes: { category: 'Event', title: `Title ${++titles}`, tags: ['one', 'two'], speakers: ['Ada'] },
  })
  const retitle = (id: number): Command => ({
    kind: 'merge',
    id,
    author,
    precondition: {},
    changes: { title: `Title ${++titles}`, summary: 'New' },
  })

  async function openWriter() {
    await db.script('DROP TABLE note')
    expect(await migratePostgres(db)).toBeNull()
    const errors: unknown[] = []
    const writer = createWriter({ db, now: Date.now, onError: (error) => errors.push(error) })
    const run = async (commands: readonly Command[]) => {
      const outcomes = await writer.run(commands, new Set())
      return outcomes === 'busy' ? outcomes : outcomes.map(({ is }) => is)
    }
    return { errors, run }
  }

  test('waits for what it has to know, and for the rest once', async () => {
    const { run } = await openWriter()
    const ten = Array.from({ length: 10 }, (_, index) => index + 1)
    await run([create()])
    // Is the slug free, what is the next id, and which ids have its category, its speaker and its tags?
    expect(await countTurns(() => run(ten.map(create)))).toBe(3 + 10 * 5)
    // What is the record now, and which id has its category?
    expect(await countTurns(() => run(ten.map(retitle)))).toBe(3 + 10 * 2)
  })

  test('keeps the rest where one command breaks', async () => {
    const { errors, run } = await openWriter()
    // Not what parsing lets through.
    const broken = { kind: 'create', author, changes: { category: 'Broken' } } as Command
    expect(await run([create(), broken, create()])).toEqual(['stored', 'failed', 'stored'])
    expect(errors).toHaveLength(1)
    expect(await db.query('SELECT id FROM record ORDER BY id').all()).toEqual([{ id: 1 }, { id: 2 }])
    expect(await db.query('SELECT title FROM category').all()).toEqual([{ title: 'Event' }])
  })

  test('fails whole where the database refuses one, whose write nobody waited for; the next one is stored', async () => {
    const { errors, run } = await openWriter()
    expect(await run([create()])).toEqual(['stored'])
    await db.script('ALTER TABLE version ADD CHECK (number < 2)')
    expect(await run([create(), retitle(1), create()])).toEqual(['failed', 'failed', 'failed'])
    expect(errors).toEqual([expect.objectContaining({ code: 'POSTGRES_23514' })])
    expect(await run([create()])).toEqual(['stored'])
    expect(await db.query('SELECT count(*) AS n FROM version').all()).toEqual([{ n: 2 }])
  })
})
