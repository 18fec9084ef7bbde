import { expect, test } from 'bun:test'
import { closeWhenDone } from '../../src/store/database.ts'
import { eraseRecord } from '../../src/store/maintain/erase.ts'
import { openForWriting } from '../../src/store/sqlite/connection.ts'
import { compareCounts, copyStore } from '../../src/store/sqlite/copy.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'
import { createStore, spoil, toTalk } from '../cli/store-command.ts'
import { withFolder } from '../faults/scratch.ts'

/** A store of two records with two versions each, and a copy of it. */
function withCopy(use: (db: string, copy: string) => void | Promise<void>): Promise<void> {
  return withFolder(async (folder) => {
    const [db, copy] = [`${folder}/records.db`, `${folder}/copy.db`]
    await createStore(db, [toTalk('One'), toTalk('Two')])
    copyStore(db, copy)
    await use(db, copy)
  })
}

const change = `INSERT INTO version SELECT NULL, record_id, 3, at, kind, state, author, batch, reason, changed, checksum, body
  FROM version WHERE seq = 4`

test('a copy is judged by what there was when it was made', () =>
  withCopy((db, copy) => {
    spoil(db, change)
    expect(compareCounts(db, copy)).toEqual({ records: 2, versions: 4 })
  }))

test('what was erased meanwhile is not missed', () =>
  withCopy(async (db, copy) => {
    await closeWhenDone(openForWriting(db, 0), (file) =>
      eraseRecord(createSqliteDatabase(file), 1, '2026-01-01T00:00:00.000'),
    )
    expect(compareCounts(db, copy)).toEqual({ records: 2, versions: 4 })
  }))

test.each(['DELETE FROM version WHERE seq = 3', 'DELETE FROM record WHERE id = 2'])(
  'after "%s" a copy is no copy',
  (sql) =>
    withCopy((db, copy) => {
      spoil(copy, sql)
      expect(compareCounts(db, copy)).toBeNull()
    }),
)
