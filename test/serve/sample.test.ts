import { expect, spyOn, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import records from '../../src/serve/sample/records.json'
import { addSample } from '../../src/serve/sample/sample.ts'
import { createDatabase, openForWriting } from '../../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'

test('however slow the machine, the sample comes whole', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-sample-'))
  let elapsed = 0
  const clock = spyOn(performance, 'now').mockImplementation(() => (elapsed += 1_000))
  try {
    const path = join(folder, 'store.db')
    await createDatabase(path)
    const db = openForWriting(path, 0)
    await addSample(createSqliteDatabase(db))
    expect(db.query('SELECT count(*) AS n, max(id) AS last FROM record').get()).toEqual({
      n: records.length,
      last: records.length,
    })
    db.close()
  } finally {
    clock.mockRestore()
    rmSync(folder, { recursive: true })
  }
})
