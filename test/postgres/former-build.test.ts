import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteMigrations } from '../../src/store/schema/migrations.ts'
import { exportFrom, fixtures, runRostrum } from '../archive/command.ts'
import { createStore, spoil, toTalk } from '../cli/store-command.ts'
import { withFolder } from '../faults/scratch.ts'
import { runStatement } from '../harness/fresh-store.ts'
import { startServer } from '../harness/server.ts'
import { readRows, useDatabases } from './databases.ts'

// Runner: long (a dump of a former build)

const { createAddress } = useDatabases()

/**
 * Written by the last build before the first release: imports of two sources, drafts, history, an undone rename of a
 * category, renamed and merged names, a merged category, a bulk change, related links, dismissed variants, an erasure.
 */
const dump = join(fixtures, 'schema-14.dump')

const engines = { 'a file': async (folder: string) => join(folder, 'new.db'), PostgreSQL: () => createAddress() }

type Line = { readonly [kind: string]: unknown }
const readLines = (path: string): readonly Line[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe.each(Object.entries(engines))('A dump of the last build before the first release: %s', (_, toAddress) => {
  test(
    'comes in whole, and is served',
    () =>
      withFolder(async (folder) => {
        const db = await toAddress(folder)
        const imported = await runRostrum('import', dump, '--db', db)
        expect(imported).toMatchObject({
          exitCode: 0,
          stdout: expect.stringContaining('12 records with their history'),
        })
        expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })
        const again = join(folder, 'again.dump')
        expect(await exportFrom(db, 'dump', again)).toMatchObject({ exitCode: 0 })
        const [header, ...lines] = readLines(again)
        expect(header).toEqual({ rostrum: 'dump', format: 2, schema: sqliteMigrations.length })
        const contents = lines.flatMap(({ companion }) => (companion === undefined ? [] : [companion]))
        expect(contents).toMatchObject([
          { record_id: 205, name: 'related', number: 1, alone: 0 },
          { record_id: 207, name: 'recordings', number: 1, alone: 0 },
          { record_id: 210, name: 'related', number: 9, alone: 1, body: expect.stringContaining('/paper"') },
        ])
        const others = lines.filter(({ companion }) => companion === undefined)
        expect(others.map(withoutNewFields)).toEqual(readLines(dump).slice(1).flatMap(withCompanions))
        expect(await runRostrum('token', 'create', '--name', 'ann', '--role', 'admin', '--db', db)).toMatchObject({
          exitCode: 0,
        })
        const server = await startServer({ db })
        const headers = { Authorization: `Token ${server.adminKey}` }
        const get = async (path: string) => (await fetch(`${server.url}/api/v2/${path}`, { headers })).json()
        expect(await get('video/210')).toMatchObject({ title: 'One', speakers: ['Anna', 'Zoë'], language: 'English' })
        expect(await get('video/210/history')).toMatchObject({ count: 9 })
        expect(await get('video?q=two')).toMatchObject({ count: 1, results: [{ id: 211, speakers: ['Anna'] }] })
        expect(await get('video?state=2&fields=id')).toMatchObject({ count: 1, results: [{ id: 212 }] })
        expect((await fetch(`${server.url}/api/v2/video/213`)).status).toBe(410)
        await server.stop()
      }),
    60_000,
  )

  test('is not taken for one of a newer Rostrum, unless it says so', () =>
    withFolder(async (folder) => {
      const newer = join(folder, 'newer.dump')
      await Bun.write(newer, readFileSync(dump, 'utf8').replace('"schema":14', '"schema":15'))
      const refused = await runRostrum('import', newer, '--db', await toAddress(folder))
      expect(refused).toMatchObject({ exitCode: 65, stderr: expect.stringContaining('newer Rostrum') })
    }))
})

/** Edits of links are versions of a companion, and the extras of a record that was not imported are gone. */
function withCompanions(line: Line): Line[] {
  const { version, origin } = line as { readonly [kind: string]: { readonly [column: string]: unknown } }
  if (origin?.source === null) return []
  const isOfLinks = JSON.stringify(version?.changed) === '[]'
  return isOfLinks ? [{ version: { ...version, changed: ['related'], reason: null } }] : [line]
}

const advice = 'With that build, run: rostrum export --format dump --out FILE. Then with this one: rostrum import FILE'

describe('A store of a build before the first release is refused, with how to bring it over', () => {
  test.each([1, 14])(
    'a file of schema %i',
    (schema) =>
      withFolder(async (folder) => {
        const db = join(folder, 'a.db')
        await createStore(db, [toTalk('First')])
        // "Rstr": the application id of those builds.
        spoil(db, `PRAGMA application_id = ${0x52737472}`)
        spoil(db, `PRAGMA user_version = ${schema}`)
        const before = readFileSync(db)
        for (const command of [
          ['serve'],
          ['upgrade'],
          ['doctor'],
          ['token', 'list'],
          ['backup', join(folder, 'b.db')],
        ]) {
          const { exitCode, stderr } = await runRostrum(...command, '--db', db)
          expect({ command, exitCode, stderr }).toMatchObject({ exitCode: 65, stderr: expect.stringContaining(advice) })
        }
        const restored = await runRostrum('restore', db, '--db', join(folder, 'c.db'))
        expect(restored).toMatchObject({ exitCode: 65, stderr: expect.stringContaining(advice) })
        expect(readFileSync(db).equals(before)).toBe(true)
        expect(existsSync(`${db}.schema-${schema}`)).toBe(false)
        expect(readdirSync(folder).filter((name) => /^[bc]/.test(name))).toEqual([])
      }),
    60_000,
  )

  test.each([1, 9])(
    'a database of schema %i',
    async (schema) => {
      const db = await createAddress()
      await runStatement(db, `CREATE TABLE version (seq bigint); CREATE TABLE store (schema bigint)`)
      await runStatement(db, `INSERT INTO store VALUES (${schema})`)
      for (const command of [['serve'], ['upgrade'], ['doctor'], ['token', 'list']]) {
        const { exitCode, stderr } = await runRostrum(...command, '--db', db)
        expect({ command, exitCode, stderr }).toMatchObject({ exitCode: 65, stderr: expect.stringContaining(advice) })
      }
      expect(await readRows(db, 'SELECT * FROM store')).toEqual([{ schema }])
    },
    60_000,
  )

  test('a database of another program is not taken for one', async () => {
    const db = await createAddress()
    await runStatement(db, 'CREATE TABLE store (name text)')
    const { exitCode, stderr } = await runRostrum('doctor', '--db', db)
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 65, stderr: expect.stringContaining('another program') })
  })
})

/** Fields of categories that the former build did not have, which are empty now. */
const newFields = { end_date: null, place: '', series: '' }

function withoutNewFields(line: unknown): unknown {
  const text = JSON.stringify(newFields).slice(1, -1)
  return JSON.parse(JSON.stringify(line).replaceAll(`,${text}`, '').replaceAll(`${text},`, ''))
}
