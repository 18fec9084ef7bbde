import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from '../../src/record/command.ts'
import { fromBody, toBody } from '../../src/record/json/body-bytes.ts'
import { type Changes, toChanges, toDefaults, type VideoRecord } from '../../src/record/record.ts'
import type { StoredVersion } from '../../src/store/change-log.ts'
import { closeWhenDone } from '../../src/store/database.ts'
import { createChangeLog } from '../../src/store/read/change-log.ts'
import { createRecordReader } from '../../src/store/read/item.ts'
import { sqliteMigrations } from '../../src/store/schema/migrations.ts'
import { openForReading, openForWriting, upgradeDatabase } from '../../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'
import { applicationId, inspectDatabase } from '../../src/store/sqlite/inspect.ts'
import { createWriter } from '../../src/store/sqlite/writer.ts'

let folder = ''
let path = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rostrum-migrate-'))
  path = join(folder, 'store.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A version as the second schema knew it: who, when and what, but not what it was for its readers. */
interface OldVersion {
  readonly seq: number
  readonly id: number
  readonly number: number
  readonly changes: Partial<VideoRecord>
  readonly batch?: number
}

// In the order of commits. The texts would mislead who looks for the state in them, and numbers need not be without gaps.
const oldVersions: readonly OldVersion[] = [
  { seq: 1, id: 1, number: 1, changes: { title: 'Zwölf', category: 'PyCon', description: '{"state":1}' } },
  { seq: 2, id: 2, number: 1, changes: { title: 'Live at once', category: 'PyCon', state: 1 } },
  { seq: 3, id: 1, number: 2, changes: { state: 1 } },
  { seq: 4, id: 3, number: 1, changes: { title: 'Never live', category: 'EuroPython', summary: '"state":1' } },
  { seq: 7, id: 1, number: 3, changes: { description: '"state":2, 💡' } },
  { seq: 8, id: 1, number: 4, changes: { state: 2 } },
  { seq: 9, id: 3, number: 2, changes: { duration: 60 } },
  { seq: 10, id: 1, number: 5, changes: { state: 1 } },
  { seq: 11, id: 1, number: 6, changes: { category: 'PyCon DE' }, batch: 1 },
  { seq: 12, id: 2, number: 2, changes: { category: 'PyCon DE' }, batch: 1 },
]
const kinds = {
  1: ['created', 'created', 'updated', 'withdrawn', 'created', 'updated'],
  2: ['created', 'updated'],
  3: ['created', 'updated'],
}
const states = { 1: [2, 1, 1, 2, 1, 1], 2: [1, 1], 3: [2, 2] }

test('an older log keeps its numbers, bytes and checksums, and learns what each version was', async () => {
  fillOldStore()
  const before = await readLog()
  await upgradeDatabase(path)
  expect(await readLog()).toEqual(before)
  expect(before).toHaveLength(oldVersions.length)
  expect(await readColumn('kind')).toEqual(kinds)
  expect(await readColumn('state')).toEqual(states)
  expect(inspectDatabase(path)).toEqual({ is: 'ours', schema: sqliteMigrations.length })
  await withReading((db) => {
    expect(db.query('PRAGMA user_version').get()).toEqual({ user_version: sqliteMigrations.length })
    expect(db.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    expect(db.query('PRAGMA foreign_key_check').all()).toEqual([])
  })
  await upgradeDatabase(path)
  expect(await readLog()).toEqual(before)
})

test('an older batch is listed, and knows the titles that it changed', async () => {
  fillOldStore()
  await upgradeDatabase(path)
  const counts = { total: 2, done: 2, changed: 2, records: 2 }
  await withReading(async (db) => {
    const log = createChangeLog(createSqliteDatabase(db), { readStoreId: async () => 'store' })
    const { lines } = await log.readBatches({ page: 1, pageSize: 10, by: null, id: null })
    expect(lines).toMatchObject([{ id: 1, at: toTime(11), by: 'old', state: 'done', reason: null, ...counts }])
    const columns = 'reason, undoes, category_id, old_title, new_title'
    expect(db.query(`SELECT ${columns} FROM batch`).values()).toEqual([[null, null, 1, 'PyCon', 'PyCon DE']])
  })
})

test('the feed tells of older versions too, to the public only of what was live', async () => {
  fillOldStore()
  await upgradeDatabase(path)
  await withReading(async (db) => {
    const read = (drafts: boolean) =>
      createChangeLog(createSqliteDatabase(db), { readStoreId: async () => 'store' }).readChanges({
        since: 0,
        limit: 100,
        visibility: drafts ? 'all' : 'live',
        by: null,
      })
    expect((await read(true)).changes.map(({ seq, id, version }) => [seq, id, version])).toEqual(
      oldVersions.map(({ seq, id, number }) => [seq, id, number]),
    )
    expect((await read(false)).changes.map(({ seq }) => seq)).toEqual([2, 3, 7, 8, 10, 11, 12])
    expect((await read(false)).last).toBe(12)
  })
})

test('the writer goes on after the last number: merges, restores and undoes what an older one wrote', async () => {
  fillOldStore()
  await upgradeDatabase(path)
  const author = { name: 'new', role: 'admin' } as const
  const precondition = { mergeBase: (await readVersion(3, 1)).versionTag }
  const merge = (changes: Changes): Command => ({ kind: 'merge', id: 3, author, precondition, changes })
  const outcomes = await run([
    { kind: 'undo', batch: 1, author, reason: 'not in Germany' },
    merge({ title: 'Merged' }),
    merge({ duration: 61 }),
    { kind: 'restore', id: 1, number: 4, author, precondition: {} },
    { kind: 'create', author, changes: { title: 'New', category: 'EuroPython' } },
  ])
  expect(outcomes.slice(0, 3)).toMatchObject([
    { is: 'batch', batch: { id: 2, left: [] }, ids: [1, 2] },
    { is: 'stored', stored: { version: 3 }, changed: ['title'] },
    { is: 'refused', refusal: { code: 'stale' } },
  ])
  expect(outcomes.slice(3)).toMatchObject([
    { is: 'stored', stored: { id: 1, version: 8 }, changed: ['state'] },
    { is: 'stored', stored: { id: 4, version: 1 } },
  ])
  expect((await readLog()).slice(oldVersions.length)).toMatchObject([
    { seq: 13, record_id: 1, number: 7, batch: 2, reason: 'not in Germany' },
    { seq: 14, record_id: 2, number: 3, batch: 2, reason: 'not in Germany' },
    { seq: 15, record_id: 3, number: 3, batch: null, reason: null },
    { seq: 16, record_id: 1, number: 8, batch: null, reason: null },
    { seq: 17, record_id: 4, number: 1, batch: null, reason: null },
  ])
  await expectWritableSame(1, 7, 5)
  await expectWritableSame(1, 8, 4)
  await expectWritableSame(2, 3, 1)
})

test('an older store without a single record is upgraded too', async () => {
  createOldStore(() => {})
  await upgradeDatabase(path)
  const author = { name: 'new', role: 'editor' } as const
  const [outcome] = await run([{ kind: 'create', author, changes: { title: 'First', category: 'New' } }])
  expect(outcome).toMatchObject({ is: 'stored', stored: { id: 1, version: 1 } })
  expect(await readLog()).toMatchObject([{ seq: 1, record_id: 1, number: 1 }])
})

/** As src/store/sqlite/connection.ts made one when there were two sqliteMigrations. */
function createOldStore(fill: (db: Database) => void): void {
  const db = new Database(path, { strict: true, create: true })
  db.run('PRAGMA journal_mode = WAL')
  db.transaction(() => {
    for (const sql of sqliteMigrations.slice(0, 2)) db.run(sql)
    db.run(`PRAGMA application_id = ${applicationId}`)
    db.run('PRAGMA user_version = 2')
    fill(db)
  }).immediate()
  db.close()
}

const toTime = (seq: number) => `2024-05-01T00:00:${String(seq).padStart(2, '0')}.000`

/** The rows that the older writer left: records, their versions and lines, and a category renamed from PyCon. */
function fillOldStore(): void {
  createOldStore((db) => {
    db.run(`INSERT INTO category (id, title, slug, added) VALUES
      (1, 'PyCon DE', 'pycon', '${toTime(1)}'), (2, 'EuroPython', 'europython', '${toTime(4)}')`)
    db.run(`INSERT INTO batch (kind, at, author, records) VALUES ('rename category', '${toTime(11)}', 'old', 2)`)
    const records = new Map<number, VideoRecord>()
    for (const version of oldVersions) {
      const { id, seq } = version
      const blank = { ...toDefaults(), state: 2, embed: '', id, slug: `talk-${id}`, added: toTime(seq) }
      // The first version of each has the required fields, and the others begin with it.
      const record = { ...(records.get(id) ?? blank), ...version.changes, updated: toTime(seq) } as VideoRecord
      records.set(id, record)
      addOldVersion(db, version, record)
    }
    for (const record of records.values()) addOldListing(db, record, record.category === 'EuroPython' ? 2 : 1)
  })
}

function addOldVersion(db: Database, { seq, number, changes, batch }: OldVersion, record: VideoRecord): void {
  const { id, state, slug, updated } = record
  const body = toBody(record)
  const checksum = new Bun.CryptoHasher('sha256').update(body).digest()
  const mark = `${number}-${checksum.toString('hex', 0, 4)}`
  db.query(
    `INSERT INTO record (id, version, mark, state, slug, updated, body)
     VALUES ($id, $number, $mark, $state, $slug, $updated, $body)
     ON CONFLICT (id) DO UPDATE SET version = $number, mark = $mark, state = $state, updated = $updated, body = $body`,
  ).run({ id, number, mark, state, slug, updated, body })
  const changed = JSON.stringify(Object.keys(number === 1 ? toChanges(record) : changes))
  db.query(
    `INSERT INTO version (seq, record_id, number, at, author, batch, changed, checksum, body)
     VALUES ($seq, $id, $number, $updated, 'old', $batch, $changed, $checksum, $body)`,
  ).run({ seq, id, number, updated, batch: batch ?? null, changed, checksum, body })
}

function addOldListing(db: Database, record: VideoRecord, categoryId: number): void {
  const { id, state, title, added, updated, duration } = record
  db.query(
    `INSERT INTO listing (id, state, category_id, language, recorded, title_key, added, updated, duration, source_url, media)
     VALUES ($id, $state, $categoryId, '', NULL, $titleKey, $added, $updated, $duration, '', 0)`,
  ).run({ id, state, categoryId, titleKey: title.toLowerCase(), added, updated, duration })
  db.query(
    `INSERT INTO search (rowid, title, speakers, tags, category, summary, description) VALUES (?, ?, '', '', '', '', '')`,
  ).run(id, title.toLowerCase())
}

async function run(commands: readonly Command[]) {
  const errors: unknown[] = []
  const db = openForWriting(path, 0)
  const writer = createWriter({ db, now: Date.now, onError: (error) => errors.push(error) })
  const outcomes = await writer.run(commands, new Set())
  await writer.close()
  expect(errors).toEqual([])
  if (outcomes === 'busy') throw new Error('busy')
  return outcomes
}

const withReading = <T>(use: (db: Database) => T) => closeWhenDone(openForReading(path), async (db) => await use(db))

/** All that the older log had, in its order. */
function readLog() {
  const columns = 'seq, record_id, number, at, author, batch, reason, changed, hex(checksum) AS sum, hex(body) AS bytes'
  return withReading((db) => db.query(`SELECT ${columns} FROM version ORDER BY seq`).all())
}

/** By record, in the order of their versions. */
async function readColumn(column: 'kind' | 'state'): Promise<Record<number, unknown[]>> {
  const values: Record<number, unknown[]> = {}
  const sql = `SELECT record_id AS id, ${column} AS value FROM version ORDER BY record_id, number`
  for (const { id, value } of await withReading((db) => db.query<{ id: number; value: unknown }, []>(sql).all())) {
    values[id] = [...(values[id] ?? []), value]
  }
  return values
}

async function expectWritableSame(id: number, one: number, other: number): Promise<void> {
  const read = async (number: number) => toChanges(fromBody((await readVersion(id, number)).body))
  expect(await read(one)).toEqual(await read(other))
}

async function readVersion(id: number, number: number): Promise<StoredVersion> {
  const version = await withReading((db) => createRecordReader(createSqliteDatabase(db)).readVersion(id, number))
  if (version === null) throw new Error(`record ${id} has no version ${number}`)
  return version
}
