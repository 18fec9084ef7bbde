import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from '../../src/record/command.ts'
import type { Changes } from '../../src/record/record.ts'
import { createImporter } from '../../src/store/import/importer.ts'
import { createBatchLines } from '../../src/store/read/batch-lines.ts'
import { createDatabase, openForWriting } from '../../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'
import { createWriter } from '../../src/store/sqlite/writer.ts'

const author = { name: 'ann', role: 'admin' } as const
const first = 'https://www.youtube.com/watch?v=aaaaaaaaaaa'
const second = 'https://www.youtube.com/watch?v=bbbbbbbbbbb'
const player = '<iframe src="https://example.org/player"></iframe>'

let folder: string
let db: ReturnType<typeof openForWriting>

/** A talk that one import made and another one changed. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rostrum-undo-'))
  await createDatabase(join(folder, 'store.db'))
  db = openForWriting(join(folder, 'store.db'), 0)
  await importTalk({ title: 'Once', summary: 'Old', source_url: first, recorded: null })
  await importTalk({ title: 'Twice', summary: 'New', source_url: second, recorded: '2014-04-09' })
})
afterEach(() => {
  db.close()
  rmSync(folder, { recursive: true })
})

async function importTalk(said: Changes): Promise<void> {
  const options = { source: 'test', author: 'import', reason: null, state: 1, isDryRun: false } as const
  const importer = createImporter(createSqliteDatabase(db), { ...options, hasPath: () => true, now: Date.now })
  const changes = { category: 'Event', ...said }
  await importer.run(
    [
      {
        path: 'a',
        id: null,
        slug: null,
        added: null,
        updated: null,
        isTakenDown: false,
        unfitNames: [],
        changes,
        toExtras: () => null,
      },
    ],
    [],
  )
}

async function run(command: Command) {
  const outcomes = await createWriter({ db, now: Date.now, onError: rethrow }).run([command], new Set())
  const outcome = outcomes === 'busy' ? undefined : outcomes[0]
  return outcome?.is === 'batch' ? outcome.batch : outcome?.is
}

const change = (changes: Changes) => run({ kind: 'merge', id: 1, author, precondition: {}, changes })
const undo = (batch: number) => run({ kind: 'undo', batch, author })

function read(): { readonly [field: string]: unknown } {
  const row = db.query<{ body: Uint8Array }, []>('SELECT body FROM record').get()
  return JSON.parse(Buffer.from(row?.body ?? []).toString())
}

function rethrow(error: unknown): never {
  throw error
}

test('an undo puts back every field that nobody has changed since, null too, with the player', async () => {
  const before = { title: 'Once', summary: 'Old', source_url: first, recorded: null }
  expect(await undo(2)).toMatchObject({ id: 3, changed: 1, left: [] })
  expect(read()).toMatchObject({ ...before, embed: expect.stringContaining('aaaaaaaaaaa'), state: 1 })
})

test('what somebody has changed since stays, a player of their own too, and is named', async () => {
  await change({ summary: 'Mine', embed: player })
  const left = [{ id: 1, fields: ['embed', 'summary'], why: 'changed_since' as const }]
  const undone = await undo(2)
  expect(undone).toMatchObject({ changed: 1, unchanged: 0, left_count: 1 })
  if (typeof undone !== 'object') return rethrow(undone)
  expect(undone?.left.map(({ fields, ...rest }) => ({ ...rest, fields: fields.toSorted() }))).toEqual(left)
  expect(read()).toMatchObject({ title: 'Once', summary: 'Mine', source_url: first, embed: player, recorded: null })
})

test('the batch that made a record makes it a draft, whatever was changed since, and takes nothing else', async () => {
  await change({ title: 'Mine' })
  expect(await undo(1)).toMatchObject({ changed: 1, left: [] })
  expect(read()).toMatchObject({ title: 'Mine', summary: 'New', state: 2 })
})

test('a record that somebody has made live again since is left live by the undo of the undo', async () => {
  expect(await undo(1)).toMatchObject({ id: 3, changed: 1 })
  await change({ state: 1 })
  const left = [{ id: 1, fields: ['state'], why: 'already_restored' }]
  expect(await undo(3)).toMatchObject({ id: null, changed: 0, left })
  expect(read()).toMatchObject({ state: 1 })
})

test('an undo builds on no version whose bytes have rotted', async () => {
  db.run(`UPDATE version SET body = CAST(replace(body, '"New"', '"Nev"') AS BLOB) WHERE number = 2`)
  await expect(undo(2)).rejects.toThrow('version 2 of record 1 does not match its checksum')
})

test('reasons that earlier builds stored as phrases are read as those of the API', async () => {
  await change({ summary: 'Mine', embed: player })
  await undo(2)
  const others = [{ kind: 'left', of: 'category', id: 'event', fields: ['title'], left: 'name taken', by: null }]
  db.query('UPDATE batch SET names = ? WHERE id = 3').run(JSON.stringify(others))
  const lines = createBatchLines(createSqliteDatabase(db))
  for (const [stored, why] of [
    ['changed since', 'changed_since'],
    ['already as before', 'already_restored'],
    ['already a draft', 'already_draft'],
    ['no longer known', 'changed_since'],
    ['erased', 'erased'],
  ] as const) {
    db.query('UPDATE batch_note SET why = ?').run(stored)
    expect(await lines.read(3)).toMatchObject({ left: [{ id: 1, why }], others: [{ left: 'name_taken' }] })
  }
})
