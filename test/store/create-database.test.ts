import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteMigrations } from '../../src/store/schema/migrations.ts'
import { createDatabase } from '../../src/store/sqlite/connection.ts'
import { inspectDatabase } from '../../src/store/sqlite/inspect.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rostrum-create-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a new store is whole and alone in its folder', async () => {
  const path = join(folder, 'store.db')
  await createDatabase(path)
  expect(readdirSync(folder)).toEqual(['store.db'])
  expect(inspectDatabase(path)).toEqual({ is: 'ours', schema: sqliteMigrations.length })
})

test('a file that has got the name meanwhile stays as it is', async () => {
  const path = join(folder, 'store.db')
  writeFileSync(path, 'somebody was faster')
  await createDatabase(path)
  expect(readFileSync(path, 'utf8')).toBe('somebody was faster')
  expect(readdirSync(folder)).toEqual(['store.db'])
})

test('of several that create at once all use the same store', async () => {
  const path = join(folder, 'store.db')
  const script = `import { createDatabase } from '${join(import.meta.dir, '../../src/store/sqlite/connection.ts')}'
    import { Database } from 'bun:sqlite'
    await createDatabase(process.argv[1])
    const db = new Database(process.argv[1])
    db.run('PRAGMA busy_timeout = 10000')
    db.run("INSERT INTO batch (kind, at, author, records) VALUES ('x', '', '', 0)")`
  const children = Array.from({ length: 6 }, () =>
    Bun.spawn([process.execPath, '-e', script, path], { stderr: 'inherit' }),
  )
  expect(await Promise.all(children.map((child) => child.exited))).toEqual([0, 0, 0, 0, 0, 0])
  const db = new Database(path, { readonly: true })
  expect(db.query('SELECT count(*) AS n FROM batch').get()).toEqual({ n: 6 })
  db.close()
})
