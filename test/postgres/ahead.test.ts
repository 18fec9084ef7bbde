import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { MessagePort } from 'node:worker_threads'
import type { Command } from '../../src/record/command.ts'
import type { Database } from '../../src/store/database.ts'
import { openPostgres } from '../../src/store/postgres/connection.ts'
import { migratePostgres } from '../../src/store/postgres/migrate.ts'
import { createWriter } from '../../src/store/postgres/writer.ts'
import { useCluster } from './databases.ts'

const { createAddress } = useCluster()
let db: Database

beforeEach(async () => {
  db = openPostgres(await createAddress())
  db.run('CREATE TABLE note (id bigint PRIMARY KEY, said text)')
})
afterEach(() => db.close())

const insert = (id: number, said = '') => db.query('INSERT INTO note VALUES (?, ?)').run(id, said)
const listIds = () =>
  db
    .query<{ id: number }, []>('SELECT id FROM note ORDER BY id')
    .all()
    .map(({ id }) => id)
const taken = expect.objectContaining({ code: 'POSTGRES_23505', isLost: false })

/** How often the thread that talks to the database was asked for something, and waited for. */
function countTurns(action: () => void): number {
  const asked = spyOn(MessagePort.prototype, 'postMessage')
  try {
    action()
    return asked.mock.calls.length
  } finally {
    asked.mockRestore()
  }
}

describe('A statement whose answer nobody needs', () => {
  test('is not waited for within a transaction', () => {
    const turns = countTurns(() => {
      db.run('BEGIN')
      for (let id = 1; id <= 20; id++) insert(id)
      db.run('COMMIT')
    })
    expect(turns).toBe(2)
    expect(listIds()).toHaveLength(20)
  })

  test('is seen by whatever comes after it', () => {
    db.run('BEGIN')
    insert(1, 'first')
    db.query('UPDATE note SET said = ? WHERE id = ?').run('second', 1)
    expect(db.query('SELECT id, said FROM note').all()).toEqual([{ id: 1, said: 'second' }])
    db.query('DELETE FROM note').run()
    db.run('COMMIT')
    expect(listIds()).toEqual([])
  })

  test('and that fails, fails the next one that is waited for, with its own error', () => {
    insert(1)
    db.run('BEGIN')
    insert(1)
    insert(2)
    expect(listIds).toThrow(taken)
    expect(db.inTransaction).toBe(true)
    db.run('ROLLBACK')
    expect(listIds()).toEqual([1])
  })

  test('and that fails, fails the commit at the latest, and nothing stays', () => {
    insert(1)
    db.run('BEGIN')
    insert(2)
    insert(1)
    expect(() => db.run('COMMIT')).toThrow(taken)
    expect(db.inTransaction).toBe(false)
    expect(listIds()).toEqual([1])
  })

  test('is undone with its savepoint or with its transaction, wherever it is by then', () => {
    db.run('BEGIN')
    insert(1)
    db.run('SAVEPOINT command')
    insert(2)
    db.run('ROLLBACK TO command')
    db.run('RELEASE command')
    insert(3)
    db.run('COMMIT')
    expect(listIds()).toEqual([1, 3])
    db.run('BEGIN')
    insert(4)
    listIds()
    insert(5)
    db.run('ROLLBACK')
    db.run('BEGIN')
    insert(6)
    db.run('COMMIT')
    expect(listIds()).toEqual([1, 3, 6])
  })

  test('is sent at once where it is no part of a transaction, or of one that only reads', () => {
    insert(1)
    expect(() => insert(1)).toThrow(taken)
    const write = db.transaction(() => insert(2))
    expect(() => write()).toThrow('read-only')
    expect(listIds()).toEqual([1])
  })

  test('says how many rows it changed to whoever asks at once, and to nobody later', () => {
    db.run('BEGIN')
    for (const id of [1, 2, 3]) insert(id)
    const erase = db.query<null, [number]>('DELETE FROM note WHERE id > ?')
    expect(erase.run(1).changes).toBe(2)
    expect(erase.run(1).changes).toBe(0)
    const first = erase.run(0)
    insert(4)
    expect(() => first.changes).toThrow('at once')
    db.run('COMMIT')
    expect(listIds()).toEqual([4])
  })

  test('waits with few others and with little in hand, however many there are', () => {
    const said = 'x'.repeat(75_000)
    db.run('BEGIN')
    insert(0)
    listIds()
    const insertSome = (from: number, to: number, text: string) => () => {
      for (let id = from; id <= to; id++) insert(id, text)
    }
    expect(countTurns(insertSome(1, 200, ''))).toBe(3)
    expect(countTurns(insertSome(201, 220, said))).toBe(5)
    db.run('COMMIT')
    expect(listIds()).toHaveLength(221)
  })
})

test('a statement without values is planned once; those that read in pieces leave nothing behind', () => {
  const listKept = () => db.query<{ statement: string }, []>('SELECT statement FROM pg_prepared_statements').all()
  insert(1)
  for (let n = 0; n < 10; n++) {
    listIds()
    expect([...db.query('SELECT id FROM note WHERE id > ?').iterate(0)]).toEqual([{ id: 1 }])
  }
  const kept = listKept().map(({ statement }) => statement)
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

  function openWriter() {
    db.run('DROP TABLE note')
    expect(migratePostgres(db)).toBeNull()
    const errors: unknown[] = []
    const writer = createWriter({ db, now: Date.now, onError: (error) => errors.push(error) })
    const run = (commands: readonly Command[]) => {
      const outcomes = writer.run(commands, new Set())
      return outcomes === 'busy' ? outcomes : outcomes.map(({ is }) => is)
    }
    return { errors, run }
  }

  test('waits for what it has to know, and for the rest once', () => {
    const { run } = openWriter()
    const ten = Array.from({ length: 10 }, (_, index) => index + 1)
    run([create()])
    // Is the slug free, what is the next id, and which ids have its category, its speaker and its two tags?
    expect(countTurns(() => run(ten.map(create)))).toBe(3 + 10 * 6)
    // What is the record now, and which id has its category?
    expect(countTurns(() => run(ten.map(retitle)))).toBe(3 + 10 * 2)
  })

  test('keeps the rest where one command breaks', () => {
    const { errors, run } = openWriter()
    // Not what parsing lets through.
    const broken = { kind: 'create', author, changes: { category: 'Broken' } } as Command
    expect(run([create(), broken, create()])).toEqual(['stored', 'failed', 'stored'])
    expect(errors).toHaveLength(1)
    expect(db.query('SELECT id FROM record ORDER BY id').all()).toEqual([{ id: 1 }, { id: 2 }])
    expect(db.query('SELECT title FROM category').all()).toEqual([{ title: 'Event' }])
  })

  test('fails whole where the database refuses one, whose write nobody waited for; the next one is stored', () => {
    const { errors, run } = openWriter()
    expect(run([create()])).toEqual(['stored'])
    db.run('ALTER TABLE version ADD CHECK (number < 2)')
    expect(run([create(), retitle(1), create()])).toEqual(['failed', 'failed', 'failed'])
    expect(errors).toEqual([expect.objectContaining({ code: 'POSTGRES_23514' })])
    expect(run([create()])).toEqual(['stored'])
    expect(db.query('SELECT count(*) AS n FROM version').all()).toEqual([{ n: 2 }])
  })
})
