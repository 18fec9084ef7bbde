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

/** The statements that write this into a record of one talk. */
async function listWrites(changes: Changes): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-writes-'))
  try {
    const path = join(folder, 'store.db')
    await createDatabase(path)
    const db = new RecordingDatabase(path, { strict: true })
    const writer = createWriter({ db, now: Date.now, onError: rethrow })
    await writer.run([{ kind: 'create', author, changes: first }], new Set())
    db.takeRan()
    await writer.run([{ kind: 'merge', id: 1, author, precondition: {}, changes }], new Set())
    const writes = db.takeRan().filter((sql) => /^\s*(?:INSERT|UPDATE|DELETE)/.test(sql))
    db.close()
    return writes
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function rethrow(error: unknown): never {
  throw error
}

test('a change of a field that no list looks at takes at most three writes', async () => {
  const writes = await listWrites({ whiteboard: 'seen' })
  expect(writes).not.toEqual([])
  expect(writes.length).toBeLessThanOrEqual(3)
})

test('a change of the title takes at most six writes, none of them to speakers or tags', async () => {
  const writes = await listWrites({ title: 'Another' })
  expect(writes).not.toEqual([])
  expect(writes.length).toBeLessThanOrEqual(6)
  expect(writes.filter((sql) => /\b(?:INTO|UPDATE|FROM)\s+(?:record_)?(?:speaker|tag)\b/i.test(sql))).toEqual([])
})
