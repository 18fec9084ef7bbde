import type { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CategoryCommand, Command, UndoCommand } from '../../src/record/command.ts'
import type { Changes } from '../../src/record/record.ts'
import { sqliteBatchSettings } from '../../src/serve/writer/batch-runner.ts'
import { GroupCommit } from '../../src/serve/writer/group-commit.ts'
import { createCounters, createCountersBuffer } from '../../src/store/counters.ts'
import { createDatabase, openForWriting } from '../../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'
import { createWriter, type Writer } from '../../src/store/sqlite/writer.ts'
import type { Outcome } from '../../src/store/store.ts'
import { importTalks } from './talks.ts'

export const author = { name: 'ann', role: 'admin' } as const
/** More than change within a group of commands. */
export const count = 650
export const undo: UndoCommand = { kind: 'undo', batch: 1, author }
export const rename = (title: string): CategoryCommand => ({
  kind: 'category',
  slug: 'event',
  author,
  changes: { title },
})
export const change = (id: number, changes: Changes): Command => ({
  kind: 'merge',
  id,
  author,
  precondition: {},
  changes,
})

/** A writer with its queue, as the thread has them. */
export function openStore(
  path: string,
  answerAfterMs = 60_000,
  wrap = (writer: Writer) => writer,
  maxDryRunMs = 60_000,
) {
  const db = openForWriting(path, 0)
  const writer = wrap(createWriter({ db, now: Date.now, onError: fail }))
  const counters = createCounters(createCountersBuffer())
  const settings = { ...sqliteBatchSettings, pauseMs: 1, answerAfterMs, maxDryRunMs }
  const queue = new GroupCommit(writer, counters, () => performance.now(), settings)
  const ask = (command: Command) => new Promise<Outcome>((resolve) => queue.push(command, resolve))
  return { db, writer, counters, queue, ask }
}

/** The bytes of a store with `count` talks, which is filled once for all tests of a file. */
let filled: Promise<Uint8Array> | null = null

async function fillStore(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-batches-'))
  try {
    const path = join(folder, 'store.db')
    await createDatabase(path)
    const db = openForWriting(path, 0)
    await importTalks(createSqliteDatabase(db), count, 'Event')
    db.close()
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export async function withTalks(use: (path: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-batches-'))
  try {
    const path = join(folder, 'store.db')
    filled ??= fillStore()
    writeFileSync(path, await filled)
    await use(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Begins what a command asks for, by a writer that then dies. */
export async function beginAndDie(path: string, command: Command): Promise<void> {
  const db = openForWriting(path, 0)
  const writer = createWriter({ db, now: Date.now, onError: fail })
  const outcomes = await writer.run([command], new Set())
  expect(outcomes).toMatchObject([{ is: 'begun' }])
  db.close()
}

export const readBatch = (db: Database, id: number) =>
  db.query('SELECT state, done, records FROM batch WHERE id = ?').get(id)
export const readStates = (db: Database) =>
  db.query('SELECT state, count(*) FROM record GROUP BY state ORDER BY state').values()

/** Title, slug and number of records of each category; every record names the category that lists have it in. */
export function readCategories(db: Database): unknown[][] {
  const torn = db.query(
    `SELECT record.id FROM record JOIN listing ON listing.id = record.id JOIN category ON category.id = category_id
     WHERE CAST(record.body AS TEXT) ->> 'category' <> category.title`,
  )
  expect(torn.all()).toEqual([])
  const sql = `SELECT title, slug, (SELECT count(*) FROM listing WHERE category_id = category.id) FROM category ORDER BY id`
  return db.query(sql).values()
}

export function fail(what: unknown): never {
  throw what instanceof Error ? what : new Error(`unexpected: ${JSON.stringify(what)}`)
}

export async function waitFor(isSo: () => boolean): Promise<void> {
  const until = performance.now() + 20_000
  while (!isSo()) {
    if (performance.now() > until) fail('it did not happen in time')
    await Bun.sleep(2)
  }
}
