import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, openForReading, openForWriting } from '../../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'
import { createList } from '../../src/store/sqlite/list.ts'
import { createWriter } from '../../src/store/sqlite/writer.ts'
import { type OpenEngine, openEngine, type Places } from './sql-engine.ts'

/** New files, each in a folder of its own; they are copies of one, since making one takes long. */
export async function createSqliteFiles(): Promise<Places> {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-model-'))
  const empty = join(folder, 'empty.db')
  await createDatabase(empty)
  return {
    async create() {
      const own = mkdtempSync(join(folder, 'store-'))
      const path = join(own, 'store.db')
      copyFileSync(empty, path)
      return { open: () => openFile(path), remove: async () => rmSync(own, { recursive: true }) }
    },
    remove: async () => rmSync(folder, { recursive: true }),
  }
}

function openFile(path: string): OpenEngine {
  const db = openForReading(path)
  const writing = openForWriting(path, 0)
  return openEngine({
    db: createSqliteDatabase(db),
    createList,
    createWriter: (deps) => createWriter({ db: writing, ...deps }),
    close() {
      db.close()
      writing.close()
    },
  })
}
