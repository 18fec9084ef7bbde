import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Changes } from '../../src/record/record.ts'
import { createDatabase } from '../../src/store/sqlite/connection.ts'
import { createWriter } from '../../src/store/sqlite/writer.ts'
import { RecordingDatabase } from './recording-database.ts'

const author = { name: 'test', role: 'admin' } as const
const first: Changes = {
  category: 'Event',
  title: 'Title',
  speakers: ['Ada'],
  tags: ['one'],
  language: 'English',
  state: 1,
}

/** What writing this into a record of one talk touches: tables, indexes, words. */
function touch(changes: Changes): { readonly places: readonly string[]; readonly writes: number } {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-touch-'))
  try {
    const path = join(folder, 'store.db')
    createDatabase(path)
    const db = new RecordingDatabase(path, { strict: true })
    const writer = createWriter({ db, now: Date.now, onError: rethrow })
    writer.run([{ kind: 'create', author, changes: first }], new Set())
    db.takeRan()
    writer.run([{ kind: 'merge', id: 1, author, precondition: {}, changes }], new Set())
    const writes = db.takeRan().filter((sql) => /^\s*(?:INSERT|UPDATE|DELETE)/.test(sql))
    const places = new Set(writes.flatMap((sql) => toPlaces(db, sql)))
    db.close()
    return { places: [...places].sort(), writes: writes.length }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The b-trees that a statement opens for writing, and the virtual tables that it changes. */
function toPlaces(db: RecordingDatabase, sql: string): string[] {
  const names = new Map(
    db
      .query<{ name: string; rootpage: number }, []>('SELECT name, rootpage FROM sqlite_schema')
      .all()
      .map(({ name, rootpage }) => [rootpage, name]),
  )
  const steps = db.query<{ opcode: string; p2: number }, []>(`EXPLAIN ${sql}`).all()
  const trees = steps.filter(({ opcode }) => opcode === 'OpenWrite').map(({ p2 }) => names.get(p2) ?? `page ${p2}`)
  const words = steps.some(({ opcode }) => opcode === 'VUpdate') ? ['search'] : []
  return [...trees, ...words]
}

function rethrow(error: unknown): never {
  throw error
}

const log = ['sqlite_autoindex_version_1', 'sqlite_sequence', 'version', 'version_by_batch', 'version_public']
const always = ['listing', 'listing_by_updated', 'record', ...log]

test('a change of what no list looks at touches the record, its version and the time of its line', () => {
  expect(touch({ whiteboard: 'seen' })).toEqual({ places: always, writes: 3 })
})

test('a change of the title touches the line, its words, and neither speakers nor tags', () => {
  const { places, writes } = touch({ title: 'Another' })
  expect(writes).toBe(5)
  expect(places).toContain('listing_by_title')
  expect(places).toContain('search')
  expect(places.filter((place) => /speaker|tag/.test(place))).toEqual([])
})
