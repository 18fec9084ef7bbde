import { expect, test } from 'bun:test'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { checkFile } from '../faults/file-check.ts'
import { withFolder } from '../faults/scratch.ts'
import { createStore, runRostrum, spoil, toTalk } from './store-command.ts'

test('a backup is one file with a complete store and the same permissions, and the store is unchanged', () =>
  withFolder(async (folder) => {
    const db = `${folder}/records.db`
    await createStore(db, [toTalk('One'), toTalk('Two')])
    chmodSync(db, 0o600)
    const before = readFileSync(db)
    const { exitCode, stdout, stderr } = await runRostrum('backup', `${folder}/copy.db`, '--db', db)
    expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 0, stdout: '' })
    expect(stderr).toContain('2 records with 4 versions')
    expect(stderr).toContain(`${folder}/copy.db`)
    expect(readdirSync(folder).sort()).toEqual(['copy.db', 'records.db'])
    expect(statSync(`${folder}/copy.db`).mode & 0o777).toBe(0o600)
    expect(readFileSync(db).equals(before)).toBe(true)
    checkFile(`${folder}/copy.db`, [])
  }))

test('a file that exists is never overwritten', () =>
  withFolder(async (folder) => {
    await createStore(`${folder}/records.db`, [toTalk('One')])
    writeFileSync(`${folder}/copy.db`, 'precious')
    const { exitCode, stderr } = await runRostrum('backup', `${folder}/copy.db`, '--db', `${folder}/records.db`)
    expect(exitCode).toBe(73)
    expect(stderr).toMatch(/already exists.*another/)
    expect(readFileSync(`${folder}/copy.db`, 'utf8')).toBe('precious')
    expect(readdirSync(folder).sort()).toEqual(['copy.db', 'records.db'])
  }))

test('a store with a damaged version is not backed up', () =>
  withFolder(async (folder) => {
    const db = `${folder}/records.db`
    await createStore(db, [toTalk('One'), toTalk('Two')])
    spoil(db, `UPDATE version SET body = CAST(replace(body, 'Two', 'Too') AS BLOB) WHERE record_id = 2 AND number = 1`)
    const { exitCode, stderr } = await runRostrum('backup', `${folder}/copy.db`, '--db', db)
    expect(exitCode).toBe(65)
    expect(stderr).toContain('record 2: version 1')
    expect(stderr).toContain('rostrum doctor')
    expect(readdirSync(folder)).toEqual(['records.db'])
  }))

test.each([
  [['backup'], 64, /Name one file/],
  [['backup', 'a', 'b'], 64, /Name one file/],
  [['backup', 'a', '--force'], 64, /Unknown option --force\./],
  [['backup', 'copy.db', '--db', '/nowhere.db'], 66, /no database at \/nowhere\.db.*--db/],
])('rostrum %j ends with %d', async (args, code, advice) => {
  const { exitCode, stderr } = await runRostrum(...args)
  expect(exitCode).toBe(code)
  expect(stderr).toMatch(advice)
})

test('the help says what a backup promises', async () => {
  const { exitCode, stdout } = await runRostrum('backup', '--help')
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/rostrum backup FILE/)
})
