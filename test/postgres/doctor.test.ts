import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { checkWhole } from '../../src/store/postgres/check.ts'
import { openPostgres } from '../../src/store/postgres/connection.ts'
import { createStore, runRostrum, toTalk } from '../cli/store-command.ts'
import { withFolder } from '../faults/scratch.ts'
import { runStatement } from '../harness/fresh-store.ts'
import { isLong } from '../harness/runs.ts'
import { readRows, useDatabases } from './databases.ts'

// Runner: slow

const { createAddress, copyDatabase } = useDatabases()

const wholeBasis = `convert_to('{"said":{},"absent":[]}', 'UTF8')`

/** As in test/cli/doctor.test.ts, where the words are explained. */
const cases: readonly { readonly sql: string; readonly says: string; readonly isMended: boolean }[] = [
  {
    sql: `UPDATE version SET body = convert_to(replace(convert_from(body, 'UTF8'), 'Two', 'Too'), 'UTF8') WHERE seq = 2`,
    says: 'record 2: version 1 does not match its checksum',
    isMended: false,
  },
  { sql: 'DELETE FROM version WHERE seq = 2', says: 'record 2: version 1 is missing', isMended: false },
  {
    sql: 'UPDATE version SET state = 2 WHERE seq = 2',
    says: 'record 2: the state of version 1 differs',
    isMended: false,
  },
  {
    sql: `UPDATE record SET body = '\\x00' WHERE id = 2`,
    says: 'record 2: its bytes are not a record',
    isMended: true,
  },
  { sql: `UPDATE record SET mark = '2-00000000' WHERE id = 2`, says: 'record 2: its ETag', isMended: true },
  { sql: 'UPDATE record SET version = 7 WHERE id = 2', says: 'record 2: its row has version 7', isMended: true },
  { sql: `UPDATE record SET slug = 'x' WHERE id = 2`, says: 'record 2: its row has a different slug', isMended: true },
  { sql: 'DELETE FROM record WHERE id = 2', says: 'record 2: version has rows of it', isMended: true },
  {
    sql: `UPDATE listing SET title_key = 'x', recorded = '2000-01-01' WHERE id = 2`,
    says: 'record 2: the lists have a different recorded, title_key',
    isMended: true,
  },
  { sql: 'DELETE FROM listing WHERE id = 2', says: 'record 2: it is missing from the lists', isMended: true },
  { sql: 'UPDATE listing SET id = 9 WHERE id = 1', says: 'record 9: listing has rows of it', isMended: true },
  { sql: 'DELETE FROM record_speaker WHERE record_id = 2', says: 'record 2: its speakers', isMended: true },
  { sql: 'UPDATE record_tag SET tag_id = 9 WHERE record_id = 2', says: 'record 2: its tags', isMended: true },
  { sql: 'DELETE FROM search WHERE rowid = 2', says: 'record 2: the search index', isMended: true },
  { sql: 'UPDATE search SET rowid = 9 WHERE rowid = 1', says: 'record 9: search has rows of it', isMended: true },
  { sql: `UPDATE search SET title = 'tow' WHERE rowid = 2`, says: 'record 2: the search index', isMended: true },
  { sql: `UPDATE speaker SET key = 'x'`, says: 'the speaker "Ada" cannot be found', isMended: true },
  { sql: 'DELETE FROM tag_piece', says: 'the tag "x" cannot be found', isMended: true },
  { sql: `UPDATE tag_piece SET key = 'y'`, says: 'the tag "x" cannot be found', isMended: true },
  { sql: 'UPDATE tag_piece SET rowid = 9', says: 'the index of names has a tag 9', isMended: true },
  { sql: `UPDATE category SET title = 'Other'`, says: 'record 1: there is no category', isMended: true },
  {
    sql: `INSERT INTO batch (kind, at, author, records) VALUES ('undo', '', '', 3)`,
    says: 'batch 1 says that it changed 3 records, but has versions of 0',
    isMended: true,
  },
  {
    sql: `INSERT INTO tombstone VALUES (2, '', 99, 3, 1)`,
    says: 'record 2: it was erased, but still exists',
    isMended: false,
  },
  {
    sql: `INSERT INTO extras VALUES (2, convert_to('{"alias":"/a"}', 'UTF8'), ${wholeBasis}, 'b')`,
    says: 'record 2: its alias differs from its extras',
    isMended: true,
  },
  {
    sql: `INSERT INTO origin (record_id, source, path, imported) VALUES (2, 's', 'a.json', '{"title":"Two","tags":"x"}')`,
    says: 'record 2: the values of its last import from "a.json" are damaged: "tags"',
    isMended: false,
  },
  {
    sql: `INSERT INTO extras VALUES (2, '\\x7b', ${wholeBasis}, NULL)`,
    says: 'record 2: its extras are damaged',
    isMended: false,
  },
  { sql: 'DROP INDEX listing_by_added', says: 'listing_by_added is missing', isMended: false },
  { sql: 'ALTER TABLE version DISABLE TRIGGER version_told', says: 'version_told is missing', isMended: false },
  {
    sql: 'CREATE TRIGGER rise BEFORE UPDATE ON record FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
    says: `the trigger "rise" is not Rostrum's`,
    isMended: false,
  },
  {
    sql: `CREATE RULE rise AS ON INSERT TO version DO ALSO UPDATE token SET role = 'admin'`,
    says: `the rule "rise" is not Rostrum's`,
    isMended: false,
  },
  { sql: 'CREATE VIEW peek AS SELECT * FROM token', says: `the view "peek" is not Rostrum's`, isMended: false },
  { sql: 'CREATE TABLE guest (id bigint PRIMARY KEY)', says: `the table "guest" is not Rostrum's`, isMended: false },
  { sql: 'CREATE INDEX extra ON record (mark)', says: `the index "extra" is not Rostrum's`, isMended: false },
  {
    sql: `UPDATE record SET body = convert_to(replace(convert_from(body, 'UTF8'), '"summary":""', '"summary":"<b>"'), 'UTF8') WHERE id = 2`,
    says: 'record 2: its bytes are not in canonical form',
    isMended: true,
  },
]

let whole: string
beforeAll(async () => {
  whole = await createAddress()
  await withFolder(async (folder) => {
    const file = join(folder, 'a.db')
    await createStore(file, [toTalk('One'), toTalk('Two'), toTalk('Three')])
    expect(await runRostrum('migrate-store', file, whole)).toMatchObject({ exitCode: 0 })
  })
}, 180_000)

async function createSpoilt(sql: string): Promise<string> {
  const address = await copyDatabase(whole)
  await runStatement(address, sql)
  return address
}

/** Others are found in the same ways; all of them are in `npm run test:long`. */
const some = cases.filter((_, i) => isLong || i % 3 === 0)

test.each(some)('the doctor finds what "$sql" does to a database', async ({ sql, says, isMended }) => {
  const db = await createSpoilt(sql)
  const found = await runRostrum('doctor', '--db', db)
  expect({ exitCode: found.exitCode, stderr: found.stderr }).toMatchObject({ exitCode: 65 })
  expect(found.stdout.split('\n').filter((line) => line.startsWith(says))).toHaveLength(1)
  const mended = await runRostrum('doctor', '--rebuild', '--db', db)
  expect({ exitCode: mended.exitCode, stdout: mended.stdout }).toMatchObject(
    isMended ? { exitCode: 0, stdout: '' } : { exitCode: 65 },
  )
  if (isMended)
    expect((await readRows(db, 'SELECT slug FROM record ORDER BY id')).map(({ slug }) => slug)).toEqual([
      'one',
      'two',
      'three',
    ])
})

test('an empty database is no store to examine, and stays empty', async () => {
  const db = await createAddress()
  expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 66, stdout: '' })
  expect(await readRows(db, 'SELECT * FROM information_schema.tables WHERE table_schema = current_schema()')).toEqual(
    [],
  )
})

test('the doctor reads no list once for each row, as PostgreSQL does for a long NOT IN', async () => {
  const db = openPostgres(whole)
  const query = db.query.bind(db)
  const asked: string[] = []
  db.query = (sql) => {
    asked.push(sql)
    return query(sql)
  }
  const found = await Array.fromAsync(checkWhole(db, { onStage: () => undefined, onStep: () => undefined }))
  await db.close()
  expect(found).toEqual([])
  const plans = asked.filter((sql) => !sql.includes('?')).map((sql) => readRows(whole, `EXPLAIN ${sql}`))
  expect(plans.length).toBeGreaterThan(30)
  const steps = (await Promise.all(plans)).flat().map((row) => String(row['QUERY PLAN']))
  expect(steps.filter((step) => /NOT \((?:ANY|hashed SubPlan|SubPlan)/.test(step))).toEqual([])
})
