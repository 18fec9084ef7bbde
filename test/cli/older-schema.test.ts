import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { toBody } from '../../src/record/json/body-bytes.ts'
import { toDefaults, type VideoRecord } from '../../src/record/record.ts'
import { toSearchTokens } from '../../src/record/text/search-text.ts'
import { listingColumns, toListingRow } from '../../src/store/derive/listing.ts'
import { sqliteMigrations } from '../../src/store/schema/migrations.ts'
import { applicationId } from '../../src/store/sqlite/inspect.ts'
import { toVersionTag } from '../../src/store/write/version-rows.ts'
import { withFolder } from '../faults/scratch.ts'
import { startServer } from '../harness/server.ts'
import { createStore, readTitles, runRostrum, toTalk } from './store-command.ts'

const at = '2024-05-01T00:00:00.000'

/** What the required and derived fields are; the others have their defaults. */
const own = { category: 'Event', title: 'Old', speakers: ['Ada'], tags: ['x'], embed: '', state: 1 } as const

function toRecord(id: number): VideoRecord {
  // All fields are there: the defaults have those that are not required or derived.
  return { ...toDefaults(), ...own, id, slug: `old-${id}`, added: at, updated: at } as VideoRecord
}

/** A store as Rostrum made it when there were so many migrations, with two records. */
async function createOldStore(path: string, schema: number): Promise<void> {
  const db = new Database(path, { strict: true, create: true })
  db.run('PRAGMA journal_mode = WAL')
  for (const sql of sqliteMigrations.slice(0, schema)) db.run(sql)
  db.run(`PRAGMA application_id = ${applicationId}`)
  db.run(`PRAGMA user_version = ${schema}`)
  db.run(`INSERT INTO category (id, title, slug, added) VALUES (1, 'Event', 'event', '${at}')`)
  for (const id of [1, 2]) await insert(db, toRecord(id), schema)
  db.close()
}

async function insert(db: Database, record: VideoRecord, schema: number): Promise<void> {
  const { id, slug } = record
  const body = toBody(record)
  const checksum = new Bun.CryptoHasher('sha256').update(body).digest()
  db.query('INSERT INTO record VALUES ($id, 1, $mark, 1, $slug, $at, $body)').run({
    ...{ id, slug, body, at },
    mark: toVersionTag(1, checksum),
  })
  const kind = schema < 3 ? '' : `'created', 1,`

  db.query(
    `INSERT INTO version VALUES (NULL, $id, 1, $at, ${kind} 'old', NULL, NULL, '["title"]', $checksum, $body)`,
  ).run({
    ...{ id, at, checksum, body },
  })
  insertDerived(db, record)
}

/** What is derived from a record, as it was before work lists. */
function insertDerived(db: Database, record: VideoRecord): void {
  const row = toListingRow({ record, categoryId: 1, author: 'old' })
  const kept = listingColumns.flatMap((name, i) =>
    ['quality', 'host', 'author'].includes(name) ? [] : [[name, row[i] ?? null] as const],
  )
  insertRow(db, 'listing', Object.fromEntries(kept))
  for (const table of ['speaker', 'tag'] as const) {
    const [name = ''] = record[`${table}s`]
    if (record.id === 1) {
      insertRow(db, table, { id: 1, name, slug: name.toLowerCase(), key: name.toLowerCase() })
      insertRow(db, `${table}_piece`, { rowid: 1, key: name.toLowerCase() })
    }
    insertRow(db, `record_${table}`, { record_id: record.id, place: 0, [`${table}_id`]: 1 })
  }
  insertRow(db, 'search', { rowid: record.id, ...toSearchTokens(record) })
}

function insertRow(db: Database, table: string, row: { readonly [column: string]: string | number | null }): void {
  const columns = Object.keys(row)
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
  db.query(sql).run(...Object.values(row))
}

test.each([2, 3, 4, 5, 6])(
  'a backup of schema %i can be made, put back, served and looked at',
  (schema) =>
    withFolder(async (folder) => {
      const [db, copy, again] = ['a.db', 'copy.db', 'again.db'].map((name) => join(folder, name)) as [
        string,
        string,
        string,
      ]
      await createOldStore(db, schema)
      expect(await runRostrum('backup', copy, '--db', db)).toMatchObject({ exitCode: 0 })
      expect(await runRostrum('restore', copy, '--db', again)).toMatchObject({ exitCode: 0 })
      const old = await runRostrum('doctor', '--db', again)
      expect(old).toMatchObject({ exitCode: 75, stdout: '', stderr: expect.stringContaining(`has schema ${schema}`) })
      const server = await startServer({ db: again })
      const answer = await fetch(`${server.url}/api/v2/video/2`)
      expect([answer.status, await answer.json()]).toMatchObject([200, { id: 2, title: 'Old', slug: 'old-2' }])
      const headers = { Authorization: `Token ${server.adminKey}` }
      const lacking = `${server.url}/api/v2/video?missing=language,source&by=old&fields=id`
      expect(await (await fetch(lacking, { headers })).json()).toMatchObject({ count: 2 })
      const history = await fetch(`${server.url}/api/v2/category/event/history/1`, { headers })
      const category = { title: 'Event', slug: 'event', description: '', start_date: null }
      expect(await history.json()).toMatchObject({ version: 1, at, by: 'upgrade', reason: null, category })
      await server.stop()
      expect(await runRostrum('doctor', '--db', again)).toMatchObject({ exitCode: 0, stdout: '' })
    }),
  60_000,
)

test.each([2, 3, 4, 5, 6])(
  'a backup takes the place of a store of schema %i, and the other way round',
  (schema) =>
    withFolder(async (folder) => {
      const [db, copy] = [join(folder, 'a.db'), join(folder, 'copy.db')]
      await createOldStore(db, schema)
      await createStore(join(folder, 'new.db'), [toTalk('New'), toTalk('Newer')])
      expect(await runRostrum('purge', '1', '--yes', '--db', join(folder, 'new.db'))).toMatchObject({ exitCode: 0 })
      expect(await runRostrum('backup', copy, '--db', join(folder, 'new.db'))).toMatchObject({ exitCode: 0 })
      const replaced = await runRostrum('restore', copy, '--replace', '--db', db)
      expect(replaced).toMatchObject({ exitCode: 0 })
      expect(replaced.stderr).not.toContain('cannot be read')
      expect(readTitles(db)).toEqual(['Newer'])
      const old = join(folder, 'old.db')
      await createOldStore(old, schema)
      expect(await runRostrum('restore', old, '--replace', '--db', db)).toMatchObject({ exitCode: 75 })
      expect(readTitles(db)).toEqual(['Newer'])
      expect(await runRostrum('upgrade', '--db', old)).toMatchObject({ exitCode: 0 })
      // The first was erased in the store that is there, so it is in what comes back.
      expect(await runRostrum('restore', old, '--replace', '--db', db)).toMatchObject({ exitCode: 0 })
      expect(readTitles(db)).toEqual(['Old'])
      expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })
    }),
  60_000,
)
