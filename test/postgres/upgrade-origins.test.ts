import { Database as File } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { closeWhenDone, type Database } from '../../src/store/database.ts'
import { openPostgres } from '../../src/store/postgres/connection.ts'
import { migratePostgres } from '../../src/store/postgres/migrate.ts'
import { postgresMigrations, sqliteMigrations } from '../../src/store/schema/migrations.ts'
import { origins as postgresOrigins } from '../../src/store/schema/postgres-0002-to-0005.ts'
import { origins as fileOrigins } from '../../src/store/schema/sqlite-0004-to-0010.ts'
import { upgradeDatabase } from '../../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'
import { applicationId } from '../../src/store/sqlite/inspect.ts'
import { exportFrom, importInto, runRostrum, toCounts } from '../archive/command.ts'
import { startOldServer, toOldRecords } from '../archive/old-server.ts'
import { withFolder } from '../faults/scratch.ts'
import { readRows, useCluster } from './databases.ts'

const { createAddress } = useCluster()

const secret = 'http://ann:s3cret@talks.example.org'
const clean = 'http://talks.example.org'

/** What a store of the schema before has. */
async function fillOld(db: Database): Promise<void> {
  await db.script(`INSERT INTO category (id, title, slug, added) VALUES (1, 'Event', 'event', '2020')`)
  const listing = `INSERT INTO listing (id, state, category_id, language, title_key, added, updated, source_url, media)`
  const urls = [
    'https://youtu.be/abc?t=90',
    'https://example.org/a?b=ann@c',
    'https://www.youtube.com/watch?v=abc',
    'https://WWW.YouTube.com/watch?v=UP1',
    'https://Player.VIMEO.com/video/12345',
  ]
  for (const [i, url] of urls.entries()) {
    await db.script(`${listing} VALUES (${i + 1}, 1, 1, '', '', '2020', '2020', '${url}', 0)`)
  }
  const origins = [
    [1, secret, 'id 1'],
    [2, secret, 'id 2'],
    [3, clean, 'id 2'],
    [4, 'http://bob@talks.example.org', 'id 1'],
    [5, 'ann@home', 'id 1'],
  ]
  for (const [id, source, path] of origins) {
    await db.script(
      `INSERT INTO origin (record_id, source, path, imported) VALUES (${id}, '${source}', '${path}', '{}')`,
    )
  }
  const add = db.query('INSERT INTO category_origin (source, path, category_id, body, basis) VALUES (?, ?, 1, ?, ?)')
  for (const [source, path] of [
    [secret, 'a'],
    [secret, 'b'],
    [clean, 'b'],
  ] as const) {
    await add.run(source, path, Buffer.from('{}'), Buffer.from('{}'))
  }
}

async function expectUpgraded(db: string): Promise<void> {
  expect(await readRows(db, 'SELECT record_id AS id, source, path, version FROM origin ORDER BY 1')).toEqual(
    [
      [1, clean, 'id 1'],
      [2, clean, 'id 2 (record 2)'],
      [3, clean, 'id 2'],
      [4, clean, 'id 1 (record 4)'],
      [5, 'ann@home', 'id 1'],
    ].map(([id, source, path]) => ({ id, source, path, version: null })),
  )
  expect(await readRows(db, 'SELECT source, path FROM category_origin ORDER BY 1, 2')).toEqual([
    { source: clean, path: 'a' },
    { source: clean, path: 'b' },
  ])
  expect(await readRows(db, 'SELECT source_url FROM listing ORDER BY id')).toEqual([
    { source_url: 'https://www.youtube.com/watch?v=abc&t=90' },
    { source_url: 'https://example.org/a?b=ann@c' },
    { source_url: 'https://www.youtube.com/watch?v=abc' },
    { source_url: 'https://www.youtube.com/watch?v=UP1' },
    { source_url: 'https://vimeo.com/12345' },
  ])
}

describe('An older store with passwords in the names of sources', () => {
  test('is cleaned when it is opened: a file, in which nothing is left of them', () =>
    withFolder(async (folder) => {
      const path = join(folder, 'old.db')
      const db = new File(path, { strict: true, create: true })
      db.run('PRAGMA journal_mode = WAL')
      const older = sqliteMigrations.slice(0, sqliteMigrations.indexOf(fileOrigins))
      for (const sql of older) db.run(sql)
      db.run(`PRAGMA application_id = ${applicationId}`)
      db.run(`PRAGMA user_version = ${older.length}`)
      await fillOld(createSqliteDatabase(db))
      db.close()
      expect(readFileSync(path, 'latin1').includes('s3cret')).toBe(true)
      await upgradeDatabase(path)
      await expectUpgraded(path)
      expect(readFileSync(path, 'latin1').includes('s3cret')).toBe(false)
    }))

  test('is cleaned when it is opened: a database', async () => {
    const address = await createAddress()
    await closeWhenDone(openPostgres(address), async (db) => {
      const older = postgresMigrations.slice(0, postgresMigrations.indexOf(postgresOrigins))
      for (const sql of older) await db.script(sql)
      await db.script(`INSERT INTO store (schema) VALUES (${older.length})`)
      await fillOld(db)
      expect(await migratePostgres(db)).toBeNull()
    })
    await expectUpgraded(address)
  })
})

test('a dump of an older version is cleaned as it comes in, and other places of records come with it', () =>
  withFolder(async (folder) => {
    const [db, dump, again, second] = ['a.db', 'a.dump', 'b.db', 'b.dump'].map((name) => join(folder, name))
    if (!db || !dump || !again || !second) throw new Error('four paths')
    const server = startOldServer(toOldRecords(3), 10)
    await importInto(db, server.url)
    await importInto(db, server.url, '--source', 'the second source')
    server.stop()
    await exportFrom(db, 'dump', dump)
    const text = readFileSync(dump, 'utf8').replaceAll(server.url, server.url.replace('://', '://ann:s3cret@'))
    expect(text).toContain('s3cret')
    await Bun.write(dump, text)
    expect(await runRostrum('import', dump, '--db', again)).toMatchObject({ exitCode: 0 })
    await exportFrom(again, 'dump', second)
    expect(readFileSync(second, 'utf8').includes('s3cret')).toBe(false)
    const aliases = 'SELECT source, path, record_id AS id, version FROM origin_alias ORDER BY 2'
    const wanted = [1, 2, 3].map((id) => ({ source: 'the second source', path: `id ${id}`, id, version: 1 }))
    expect([await readRows(db, aliases), await readRows(again, aliases)]).toEqual([wanted, wanted])
    const origins = 'SELECT source, path, version FROM origin ORDER BY 2'
    expect(await readRows(again, origins)).toEqual(await readRows(db, origins))
    const address = await createAddress()
    expect(await runRostrum('migrate-store', again, address)).toMatchObject({ exitCode: 0 })
    expect([await readRows(address, aliases), await readRows(address, origins)]).toEqual([
      wanted,
      await readRows(db, origins),
    ])
    for (const store of [again, address])
      expect(await runRostrum('doctor', '--db', store)).toMatchObject({ exitCode: 0 })
    expect(await runRostrum('purge', '2', '--yes', '--db', again)).toMatchObject({ exitCode: 0 })
    expect((await readRows(again, aliases)).length).toBe(2)
  }))

test('what was erased from a source with a password in its name stays away, and its digest is renewed', () =>
  withFolder(async (folder) => {
    const db = join(folder, 'a.db')
    const records = toOldRecords(2).map((record) => ({ ...record, source_url: '' }))
    const server = startOldServer(records, 10)
    const given = server.url.replace('://', '://ann:s3cret@')
    await importInto(db, given)
    await runRostrum('purge', '1', '--yes', '--db', db)
    const toDigest = (source: string) =>
      new Bun.CryptoHasher('sha256').update(JSON.stringify(['origin', source, 'id 1'])).digest()
    const file = new File(db, { strict: true })
    // As an older version left it.
    file.query('UPDATE erased_origin SET digest = ?').run(toDigest(given))
    file.close()
    for (const source of [given, server.url]) {
      const { exitCode, report } = await importInto(db, source)
      expect([exitCode, toCounts(report), report.erased.length]).toEqual([0, [0, 0, 1, 0], 1])
    }
    server.stop()
    const digests = await readRows(db, 'SELECT digest FROM erased_origin')
    expect(digests).toEqual([{ digest: toDigest(server.url).toString('base64') }])
  }))
