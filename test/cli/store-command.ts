import type { Changes } from '../../src/record/record.ts'
import { createDatabase, openForWriting } from '../../src/store/sqlite/connection.ts'
import { createWriter } from '../../src/store/sqlite/writer.ts'
import { runToEnd } from '../faults/spawn.ts'
import { program } from '../harness/program.ts'

const commandTimeoutMs = 20_000
const author = { name: 'test', role: 'admin' } as const

/** Runs a command as a person would, to its end. */
export function runRostrum(...args: readonly string[]) {
  return runToEnd([program, ...args], commandTimeoutMs)
}

/** A store with these records, each of which then gets a second version, made without a server. */
export async function createStore(path: string, records: readonly Changes[]): Promise<void> {
  await createDatabase(path)
  const db = openForWriting(path, 0)
  const writer = createWriter({ db, now: Date.now, onError: rethrow })
  const create = records.map((changes) => ({ kind: 'create', author, changes }) as const)
  const change = records.map((_, i) => {
    return { kind: 'merge', id: i + 1, author, precondition: {}, changes: { whiteboard: 'checked' } } as const
  })
  const outcomes = await writer.run([...create, ...change], new Set())
  if (outcomes === 'busy' || outcomes.some(({ is }) => is !== 'stored')) throw new Error('a record was not stored')
  await writer.close()
}

export const toTalk = (title: string): Changes => ({
  category: 'Event',
  title,
  state: 1,
  speakers: ['Ada'],
  tags: ['x'],
})

/** The titles in a store that nobody serves, in the order of ids. */
export function readTitles(path: string): string[] {
  const db = openForWriting(path, 0)
  const rows = db.query<{ title: string }, []>(`SELECT CAST(body AS TEXT) ->> 'title' AS title FROM record ORDER BY id`)
  const titles = rows.all().map(({ title }) => title)
  db.close()
  return titles
}

/** Changes the file behind the program's back. */
export function spoil(path: string, sql: string): void {
  const db = openForWriting(path, 0)
  db.run('PRAGMA foreign_keys = OFF')
  db.run(sql)
  db.close()
}

function rethrow(error: unknown): never {
  throw error
}
