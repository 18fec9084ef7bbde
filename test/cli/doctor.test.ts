import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withFolder } from '../faults/scratch.ts'
import { createStore, readTitles, runRostrum, spoil, toTalk } from './store-command.ts'

// Runner: slow

const spoilt = `CAST(replace(body, 'Two', 'Too') AS BLOB)`

const wholeBasis = `CAST('{"said":{},"absent":[]}' AS BLOB)`

interface Case {
  readonly sql: string
  /** What the doctor must say. */
  readonly says: string
  /** Whether it can be made anew from the versions' bytes. */
  readonly isMended: boolean
}

const cases: readonly Case[] = [
  {
    sql: `UPDATE version SET body = ${spoilt} WHERE seq = 2`,
    says: 'record 2: version 1 does not match its checksum',
    isMended: false,
  },
  { sql: 'DELETE FROM version WHERE seq = 2', says: 'record 2: version 1 is missing', isMended: false },
  {
    sql: 'UPDATE version SET state = 2 WHERE seq = 2',
    says: 'record 2: the state of version 1 differs',
    isMended: false,
  },
  { sql: `UPDATE record SET body = ${spoilt} WHERE id = 2`, says: 'record 2: its bytes are not', isMended: true },
  { sql: `UPDATE record SET mark = '2-00000000' WHERE id = 2`, says: 'record 2: its ETag', isMended: true },
  { sql: 'UPDATE record SET version = 7 WHERE id = 2', says: 'record 2: its row has version 7', isMended: true },
  { sql: 'UPDATE record SET state = 2 WHERE id = 2', says: 'record 2: its row has a different state', isMended: true },
  { sql: `UPDATE record SET slug = 'x' WHERE id = 2`, says: 'record 2: its row has a different slug', isMended: true },
  {
    sql: `UPDATE record SET updated = 'x' WHERE id = 2`,
    says: 'record 2: its row has a different updated',
    isMended: true,
  },
  { sql: 'DELETE FROM record WHERE id = 2', says: 'record 2: version has rows of it', isMended: true },
  {
    sql: `UPDATE listing SET title_key = 'x' WHERE id = 2`,
    says: 'record 2: the lists have a different title_key',
    isMended: true,
  },
  {
    sql: 'UPDATE listing SET category_id = 9 WHERE id = 2',
    says: 'record 2: the lists have a different category_id',
    isMended: true,
  },
  { sql: 'DELETE FROM listing WHERE id = 2', says: 'record 2: it is missing from the lists', isMended: true },
  {
    sql: 'INSERT INTO listing SELECT 9, state, category_id, language, recorded, title_key, added, updated, duration, source_url, media, quality, host, author FROM listing WHERE id = 1',
    says: 'record 9: listing has rows of it',
    isMended: true,
  },
  { sql: 'DELETE FROM record_speaker WHERE record_id = 2', says: 'record 2: its speakers', isMended: true },
  { sql: 'UPDATE record_tag SET tag_id = 9 WHERE record_id = 2', says: 'record 2: its tags', isMended: true },
  { sql: 'DELETE FROM search WHERE rowid = 2', says: 'record 2: the search index', isMended: true },
  { sql: `INSERT INTO search (rowid, title) VALUES (9, 'a word')`, says: 'record 9: the search index', isMended: true },
  {
    sql: `INSERT OR REPLACE INTO search (rowid, title, speakers, tags, category) VALUES (2, 'tow', 'ada', 'x', 'event')`,
    says: 'record 2: the search index',
    isMended: true,
  },
  { sql: `UPDATE speaker SET key = 'x'`, says: 'the speaker "Ada" cannot be found', isMended: true },
  { sql: 'DELETE FROM tag_piece WHERE rowid = 1', says: 'the tag "x" cannot be found', isMended: true },
  {
    sql: `INSERT OR REPLACE INTO speaker_piece (rowid, key) VALUES (1, 'eda')`,
    says: 'the speaker "Ada" cannot be found',
    isMended: true,
  },
  {
    sql: `INSERT OR REPLACE INTO speaker_piece (rowid, key) VALUES (1, 'ada lovelace')`,
    says: 'the speaker "Ada" cannot be found',
    isMended: true,
  },
  { sql: `UPDATE category SET title = 'Other'`, says: 'record 1: there is no category', isMended: true },
  {
    sql: `UPDATE category SET description = 'Other'`,
    says: 'category event: its fields are not those of version 1',
    isMended: true,
  },
  {
    sql: `INSERT INTO speaker_version VALUES (1, 2, '2026-01-01T00:00:00.000', 'ann', NULL, '["note"]', '{"note":"x","links":[]}')`,
    says: 'speaker 1: version 1 is missing',
    isMended: false,
  },
  {
    sql: `INSERT INTO speaker_version VALUES (1, 1, '2026-01-01T00:00:00.000', 'ann', NULL, '["note"]', '{"note":"x"}')`,
    says: 'speaker 1: version 1 is not',
    isMended: false,
  },
  { sql: 'DELETE FROM category_version', says: 'category event: version 1 is missing', isMended: true },
  { sql: `UPDATE category_version SET number = 2`, says: 'category event: version 1 is missing', isMended: false },
  { sql: `UPDATE category_version SET body = '{}'`, says: 'category event: version 1 is not', isMended: false },
  { sql: `UPDATE category_version SET at = 'x'`, says: 'category event: version 1 has no time', isMended: false },
  {
    sql: `INSERT INTO batch (kind, at, author, records) VALUES ('undo', '', '', 3)`,
    says: 'batch 1 says that it changed 3 records, but has versions of 0',
    isMended: true,
  },
  {
    sql: `INSERT INTO batch (kind, at, author, records, names) VALUES ('undo', '', '', 0, '[{"kind":"tag"')`,
    says: 'the changed names of batch 1 are damaged',
    isMended: false,
  },
  {
    sql: `UPDATE version SET changed = '["title","x"]' WHERE seq = 1`,
    says: 'record 1: the changed fields of version 1 are damaged',
    isMended: false,
  },
  {
    sql: 'UPDATE version SET batch = 9 WHERE seq = 1',
    says: 'row 1 of version names a batch that is missing',
    isMended: false,
  },
  {
    sql: `INSERT INTO tombstone VALUES (2, '', 99, 3, 1)`,
    says: 'record 2: it was erased, but still exists',
    isMended: false,
  },
  { sql: 'DELETE FROM store', says: 'it has no id', isMended: false },
  {
    sql: `INSERT INTO extras VALUES (2, CAST('{"alias":"/a"}' AS BLOB), ${wholeBasis}, 'b')`,
    says: 'record 2: its alias differs from its extras',
    isMended: true,
  },
  {
    sql: `INSERT INTO origin VALUES (2, 's', 'a.json', '{"title":"Two","sum###y":"x"}', 1)`,
    says: 'record 2: the values of its last import from "a.json" are damaged: "sum###y"',
    isMended: false,
  },
  {
    sql: `INSERT INTO origin VALUES (2, 's', 'a.json', '{"title":"Two","tags":"x"}', 1)`,
    says: 'record 2: the values of its last import from "a.json" are damaged: "tags"',
    isMended: false,
  },
  {
    sql: `INSERT INTO origin_alias VALUES ('s', 'a.json', 2, '{"title":"Two#', 1)`,
    says: 'record 2: the values of its last import from "a.json" are damaged',
    isMended: false,
  },
  {
    sql: `INSERT INTO extras VALUES (2, x'7b', ${wholeBasis}, NULL)`,
    says: 'record 2: its extras are',
    isMended: false,
  },
  { sql: `INSERT INTO extras VALUES (2, x'7b7d', x'7b7d', NULL)`, says: 'record 2: its extras are', isMended: false },
  {
    sql: `INSERT INTO category_origin VALUES ('s', 'c.json', 1, x'00', ${wholeBasis})`,
    says: 'the extras of the category "c.json" are damaged',
    isMended: false,
  },
  { sql: 'DROP INDEX listing_by_added', says: 'listing_by_added is missing', isMended: false },
  {
    sql: `CREATE TRIGGER rise AFTER INSERT ON version BEGIN UPDATE token SET role = 'admin'; END`,
    says: `the trigger "rise" is not Rostrum's`,
    isMended: false,
  },
  { sql: 'CREATE VIEW peek AS SELECT * FROM token', says: `the view "peek" is not Rostrum's`, isMended: false },
  { sql: 'CREATE TABLE guest (id INTEGER)', says: `the table "guest" is not Rostrum's`, isMended: false },
  { sql: 'CREATE INDEX extra ON record (mark)', says: `the index "extra" is not Rostrum's`, isMended: false },
  {
    sql: toForged(`'"summary":""', '"summary":"<script>"'`),
    says: 'record 2: its bytes are not in canonical form',
    isMended: false,
  },
  { sql: toForged(`'"summary":""', '"summary":5'`), says: 'record 2: its field summary is invalid', isMended: false },
  { sql: toForged(`'"summary":"",', ''`), says: 'record 2: its field summary is missing', isMended: false },
  { sql: toForged(`'"slug":"two"', '"slug":"../two"'`), says: 'record 2: its field slug is invalid', isMended: false },
  { sql: toForged(`'{"cat', '{"extra":1,"cat'`), says: 'record 2: it has an unknown field "extra"', isMended: false },
  {
    sql: `UPDATE version SET body = CAST(replace(body, '"tags":["x"]', '"tags":"x"') AS BLOB) WHERE seq = 2`,
    says: 'record 2: of version 1 its field tags is invalid',
    isMended: false,
  },
]

/** Changes a record and its version alike. */
function toForged(replacement: string): string {
  const set = `SET body = CAST(replace(body, ${replacement}) AS BLOB)`
  return `UPDATE record ${set} WHERE id = 2; UPDATE version ${set} WHERE record_id = 2`
}

test.each(cases)('the doctor finds the damage of "$sql"', ({ sql, says, isMended }) =>
  withFolder(async (folder) => {
    const db = `${folder}/records.db`
    await createStore(db, [toTalk('One'), toTalk('Two'), toTalk('Three')])
    spoil(db, sql)
    const found = await runRostrum('doctor', '--db', db)
    expect({ exitCode: found.exitCode, stderr: found.stderr }).toMatchObject({ exitCode: 65 })
    expect(found.stdout.split('\n').some((line) => line.startsWith(says))).toBe(true)
    expect(found.stderr).toMatch(/rostrum (doctor --rebuild|restore)/)
    const mended = await runRostrum('doctor', '--rebuild', '--db', db)
    expect(mended).toMatchObject(isMended ? { exitCode: 0, stdout: '' } : { exitCode: 65 })
    if (isMended) expect(readTitles(db)).toEqual(['One', 'Two', 'Three'])
  }),
)

test('a store without problems is reported as such, and is unchanged', () =>
  withFolder(async (folder) => {
    const db = `${folder}/records.db`
    const strange = { title: 'Zoë — “東京都” <b>&amp;</b>', description: `${'x'.repeat(90_000)} ${'京'.repeat(5_000)}` }
    await createStore(db, [
      toTalk('One'),
      { category: 'みかん', ...strange, speakers: ['Łukasz', '山田 太郎'], tags: ['C++', 'ß'] },
    ])
    const before = readFileSync(db)
    expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })
    expect(readFileSync(db).equals(before)).toBe(true)
    expect(await runRostrum('doctor', '--rebuild', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })
  }))

test.each([
  [['doctor', 'x'], 64],
  [['doctor', '--db', '/nowhere.db'], 66],
])('rostrum %j ends with %d', async (args, code) => {
  expect((await runRostrum(...args)).exitCode).toBe(code)
})

test('a name without a letter or digit is not a problem', () =>
  withFolder(async (folder) => {
    const source = join(folder, 'talks.ndjson')
    const db = join(folder, 'talks.db')
    writeFileSync(
      source,
      JSON.stringify({ title: 'A', category: 'E', tags: ['x', '!!!', 'y'], speakers: ['😀', 'Zoë'] }),
    )
    expect((await runRostrum('import', source, '--db', db)).exitCode).toBe(0)
    expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })
  }))
