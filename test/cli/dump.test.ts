import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openForReading, openForWriting } from '../../src/store/sqlite/connection.ts'
import { createWriter } from '../../src/store/sqlite/writer.ts'
import { program } from '../harness/program.ts'
import { fail, fillStore } from './dumped-store.ts'

const author = { name: 'ann', role: 'admin' } as const
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rostrum-dump-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (name: string) => join(folder, name)

function rostrum(...args: string[]): { readonly code: number; readonly said: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync([program, ...args], {
    env: { PATH: process.env.PATH ?? '' },
  })
  return { code: exitCode, said: `${stdout}${stderr}` }
}

test('a dump restores the same store, whose dump is the same file', async () => {
  await fillStore(at('a.db'))
  expect(rostrum('export', '--format', 'dump', '--out', at('a.dump'), '--db', at('a.db')).code).toBe(0)
  expect(rostrum('import', at('a.dump'), '--db', at('b.db'))).toMatchObject({ code: 0 })
  expect(rostrum('export', '--format', 'dump', '--out', at('b.dump'), '--db', at('b.db')).code).toBe(0)
  expect(readFileSync(at('b.dump'), 'utf8')).toBe(readFileSync(at('a.dump'), 'utf8'))
  const read = (path: string, sql: string) => {
    const db = openForReading(path)
    const rows = db.query(sql).values()
    db.close()
    return rows
  }
  for (const sql of [
    'SELECT id, version, mark, state, slug, updated, body FROM record ORDER BY id',
    'SELECT id, state, category_id, title_key, recorded, media FROM listing ORDER BY id',
    'SELECT * FROM category ORDER BY id',
    'SELECT * FROM category_version ORDER BY category_id, number',
    `SELECT rowid FROM search WHERE search MATCH 'uno' ORDER BY 1`,
    'SELECT * FROM batch ORDER BY id',
    'SELECT * FROM batch_note ORDER BY record_id',
    'SELECT * FROM speaker ORDER BY id',
    'SELECT * FROM speaker_version ORDER BY speaker_id, number',
    'SELECT * FROM record_speaker ORDER BY record_id, place',
    `SELECT rowid FROM speaker_piece WHERE speaker_piece MATCH 'ann' ORDER BY 1`,
    'SELECT * FROM tag ORDER BY id',
    'SELECT * FROM retired_name ORDER BY kind, id',
    'SELECT * FROM dismissed_variant ORDER BY kind, ids',
    'SELECT * FROM accepted_finding',
    'SELECT * FROM hidden_finding',
    'SELECT * FROM distinct_pair',
    'SELECT * FROM merged_record',
    'SELECT * FROM scheduled_publish',
  ]) {
    expect(read(at('a.db'), sql)).not.toEqual([])
    expect(read(at('b.db'), sql)).toEqual(read(at('a.db'), sql))
  }
})

test('batches of an older dump, which has no progress, are done', async () => {
  await fillStore(at('a.db'))
  rostrum('export', '--format', 'dump', '--out', at('a.dump'), '--db', at('a.db'))
  const lines = readFileSync(at('a.dump'), 'utf8').split('\n')
  const older = lines.filter((line) => !line.startsWith('{"batch_note"')).map(toOlderBatch)
  writeFileSync(at('older.dump'), older.join('\n'))
  expect(rostrum('import', at('older.dump'), '--db', at('b.db'))).toMatchObject({ code: 0 })
  const db = openForReading(at('b.db'))
  expect(db.query('SELECT state, total, done, records FROM batch').values()).toEqual([
    ['done', 3, 3, 3],
    ['done', 2, 2, 2],
    ['done', 1, 1, 1],
    ['done', 1, 1, 1],
    ['done', 3, 3, 3],
    ['done', 0, 0, 0],
  ])
  db.close()
})

test('an older dump, which does not have names, gives each name of a record an id', async () => {
  await fillStore(at('a.db'))
  rostrum('export', '--format', 'dump', '--out', at('a.dump'), '--db', at('a.db'))
  const lines = readFileSync(at('a.dump'), 'utf8').split('\n')
  const isName = (line: string) => /^\{"(?:speaker|speaker_version|tag|retired_name|dismissed_variant)"/.test(line)
  expect(lines.some(isName)).toBe(true)
  writeFileSync(at('older.dump'), lines.filter((line) => !isName(line)).join('\n'))
  expect(rostrum('import', at('older.dump'), '--db', at('b.db'))).toMatchObject({ code: 0 })
  const db = openForReading(at('b.db'))
  expect(db.query('SELECT name, merged_into FROM speaker ORDER BY id').values()).toEqual([
    ['Anna', null],
    ['Bob', null],
    ['Anne', null],
  ])
  db.close()
})

function toOlderBatch(line: string): string {
  if (!line.startsWith('{"batch":')) return line
  const { state: _, total: __, done: ___, ...batch } = JSON.parse(line).batch
  return JSON.stringify({ batch })
}

test('an erased id stays erased', async () => {
  await fillStore(at('a.db'))
  rostrum('export', '--format', 'dump', '--out', at('a.dump'), '--db', at('a.db'))
  rostrum('import', at('a.dump'), '--db', at('b.db'))
  const db = openForWriting(at('b.db'), 0)
  const writer = createWriter({ db, now: Date.now, onError: fail })
  const outcomes = await writer.run([{ kind: 'create', author, changes: { category: 'New', title: 'New' } }], new Set())
  expect(outcomes).toMatchObject([{ is: 'stored', stored: { id: 10 } }])
  await writer.close()
})

test('a dump that is cut short or changed stores nothing, and says so', async () => {
  await fillStore(at('a.db'))
  rostrum('export', '--format', 'dump', '--out', at('a.dump'), '--db', at('a.db'))
  const text = readFileSync(at('a.dump'), 'utf8')
  const broken = {
    'without its end': text.split('\n').slice(0, -2).join('\n'),
    'cut in a line': text.slice(0, text.length / 2),
    'changed in a record': text.replace('"title":"Uno"', '"title":"Una"'),
    'with a record that is not in ASCII': text.replace(/^.*"title":"Uno".*$/m, toOtherLetters),
    'with a category that is not its newest version': text.replace('"description":"Größe <b>"', '"description":"x"'),
    'with a version of a category that has a field too many': text.replace('{\\"title\\":', '{\\"x\\":1,\\"title\\":'),
    'with a line of another kind': text.replace('{"end"', '{"other":{}}\n{"end"'),
  }
  for (const [name, content] of Object.entries(broken)) {
    writeFileSync(at('broken.dump'), content)
    const { code, said } = rostrum('import', at('broken.dump'), '--db', at('b.db'))
    expect([name, code]).toEqual([name, 65])
    expect(said).toContain('Nothing was stored')
    const db = openForReading(at('b.db'))
    expect(db.query('SELECT count(*) AS n FROM version').get()).toEqual({ n: 0 })
    db.close()
  }
})

test('an older dump without versions of categories gets a first one for each', async () => {
  await fillStore(at('a.db'))
  rostrum('export', '--format', 'dump', '--out', at('a.dump'), '--db', at('a.db'))
  const lines = readFileSync(at('a.dump'), 'utf8').split('\n')
  const older = lines.filter((line) => !line.startsWith('{"category_version"'))
  expect(older.length).toBeLessThan(lines.length)
  writeFileSync(at('old.dump'), older.map((line) => line.replace(',"listed":0', '')).join('\n'))
  expect(rostrum('import', at('old.dump'), '--db', at('b.db'))).toMatchObject({ code: 0 })
  expect(rostrum('doctor', '--db', at('b.db'))).toMatchObject({ code: 0 })
})

/** The same line for another title, with the checksum that fits. */
function toOtherLetters(line: string): string {
  const toSum = (each: string) => {
    const body = each.slice(each.indexOf(',"body":') + ',"body":'.length, -2)
    return new Bun.CryptoHasher('sha256').update(body).digest('hex')
  }
  const changed = line.replace('"Uno"', '"Üno"')
  expect(line).toContain(toSum(line))
  return changed.replace(toSum(line), toSum(changed))
}

test('a dump cannot be imported into a store with records', async () => {
  await fillStore(at('a.db'))
  rostrum('export', '--format', 'dump', '--out', at('a.dump'), '--db', at('a.db'))
  expect(rostrum('import', at('a.dump'), '--db', at('a.db'))).toMatchObject({ code: 65 })
})
