import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStore, runRostrum, spoil, toTalk } from '../cli/store-command.ts'
import { runStatement } from '../harness/fresh-store.ts'
import { useCluster } from './databases.ts'

const { createAddress } = useCluster()
const folder = mkdtempSync(join(tmpdir(), 'rostrum-first-schema-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What schema 1 did not have, and rules that were others. */
const older = `
  UPDATE listing SET quality = 7;
  ALTER TABLE category DROP COLUMN end_date;
  ALTER TABLE category DROP COLUMN place;
  ALTER TABLE category DROP COLUMN series;
  DROP TABLE speaker_version;`

async function createFile(name: string): Promise<string> {
  const db = join(folder, name)
  await createStore(db, [{ ...toTalk('First'), duration: 50_000 }, toTalk('Second')])
  return db
}

describe('a store of schema 1', () => {
  const kinds: readonly (readonly [kind: string, create: () => Promise<string>])[] = [
    [
      'as a file',
      async () => {
        const db = await createFile('one.db')
        spoil(db, `${older} PRAGMA user_version = 1`)
        return db
      },
    ],
    [
      'on PostgreSQL',
      async () => {
        const address = await createAddress()
        expect(await runRostrum('migrate-store', await createFile('two.db'), address)).toMatchObject({ exitCode: 0 })
        await runStatement(address, `${older} UPDATE store SET schema_number = 1`)
        return address
      },
    ],
  ]
  test.each(kinds)(
    '%s is upgraded, and in order',
    async (_, create) => {
      const db = await create()
      const upgraded = await runRostrum('upgrade', '--db', db)
      expect(upgraded).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('from schema 1 to 2') })
      expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })
    },
    60_000,
  )
})
