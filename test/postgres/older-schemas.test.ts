import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteMigrations } from '../../src/store/schema/migrations.ts'
import { createStore, runRostrum, spoil, toTalk } from '../cli/store-command.ts'
import { runStatement } from '../harness/fresh-store.ts'
import { useCluster } from './databases.ts'

const { createAddress } = useCluster()
const folder = mkdtempSync(join(tmpdir(), 'rostrum-older-schemas-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What schema 2 did not have, and rules that were others. */
const second = `
  UPDATE listing SET quality = 7;
  DROP TABLE accepted_finding;
  DROP TABLE hidden_finding;
  DROP TABLE distinct_pair;
  DROP TABLE merged_record;
  DROP TABLE token_category;
  DROP TABLE scheduled_publish;`

/** What schema 1 did not have either. */
const first = `${second}
  ALTER TABLE category DROP COLUMN end_date;
  ALTER TABLE category DROP COLUMN place;
  ALTER TABLE category DROP COLUMN series;
  DROP TABLE speaker_version;`

async function createFile(name: string): Promise<string> {
  const db = join(folder, name)
  await createStore(db, [{ ...toTalk('First'), duration: 50_000 }, toTalk('Second')])
  return db
}

const kinds = [
  {
    kind: 'as a file',
    async create(older: string, schema: number) {
      const db = await createFile(`${schema}.db`)
      spoil(db, `${older} PRAGMA user_version = ${schema}`)
      return db
    },
  },
  {
    kind: 'on PostgreSQL',
    async create(older: string, schema: number) {
      const address = await createAddress()
      const file = await createFile(`${schema}-moved.db`)
      expect(await runRostrum('migrate-store', file, address)).toMatchObject({ exitCode: 0 })
      await runStatement(address, `${older} UPDATE store SET schema_number = ${schema}`)
      return address
    },
  },
]

describe.each([first, second].map((older, i) => ({ older, schema: i + 1 })))(
  'a store of schema $schema',
  ({ older, schema }) => {
    test.each(kinds)(
      '$kind is upgraded, and in order',
      async ({ create }) => {
        const db = await create(older, schema)
        const upgraded = await runRostrum('upgrade', '--db', db)
        const said = `from schema ${schema} to ${sqliteMigrations.length}`
        expect(upgraded).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(said) })
        expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })
      },
      60_000,
    )
  },
)
