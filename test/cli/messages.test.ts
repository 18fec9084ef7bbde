import { expect, test } from 'bun:test'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { withFolder } from '../faults/scratch.ts'
import { runToEnd } from '../faults/spawn.ts'
import { program } from '../harness/program.ts'
import { createStore, readTitles, runRostrum, spoil, toTalk } from './store-command.ts'

/** Runs a command that a message shows, as a person would paste it into a shell. */
function paste(line: string) {
  const functions = `rostrum() { "${program}" "$@"; }`
  return runToEnd(['sh', '-c', `${functions}\n${line}`], 20_000)
}

const findHint = (text: string) => /rostrum [a-z-]+ [^\n]*/.exec(text)?.[0].replace(/\.$/, '') ?? ''

test('token create without a store creates none, and says so', () =>
  withFolder(async (folder) => {
    const { exitCode, stderr } = await runRostrum(
      ...['token', 'create', '--name', 'a', '--role', 'reader', '--db', `${folder}/typo.db`],
    )
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 66,
      stderr: expect.stringContaining('There is no database'),
    })
    expect(readdirSync(folder)).toEqual([])
  }))

test.each([
  ['backup', (db: string, missing: string) => ['backup', `${missing}/x.db`, '--db', db]],
  ['export', (db: string, missing: string) => ['export', '--format', 'ndjson', '--out', `${missing}/x`, '--db', db]],
  ['restore', (db: string, missing: string) => ['restore', db, '--db', `${missing}/further/x.db`]],
  [
    'report',
    (db: string, missing: string) => ['import', `${db}.ndjson`, '--report', `${missing}/x`, '--db', `${db}.new`],
  ],
])('a missing folder is called missing: %s', (_what, toWords) =>
  withFolder(async (folder) => {
    const db = `${folder}/records.db`
    await createStore(db, [toTalk('One')])
    writeFileSync(`${db}.ndjson`, '{"title":"a","category":"b"}\n')
    const { exitCode, stderr } = await runRostrum(...toWords(db, `${folder}/missing`))
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 73, stderr: expect.stringMatching(/does not exist/) })
    expect(stderr).toContain(`${folder}/missing`)
    expect(stderr).not.toContain('use the database')
    expect(existsSync(`${folder}/missing`)).toBe(false)
  }),
)

test.each([
  ['notes.json', '{}'],
  ['text.db', 'Dear diary. '.repeat(100)],
])('restore of what is no backup (%s) blames that file, and not --db', (name, content) =>
  withFolder(async (folder) => {
    writeFileSync(join(folder, name), content)
    const { exitCode, stderr } = await runRostrum('restore', join(folder, name), '--db', `${folder}/r.db`)
    expect(exitCode).toBe(65)
    expect(stderr).toContain(join(folder, name))
    expect(stderr).toMatch(/another backup/)
    expect(stderr).not.toContain('--db')
  }),
)

test('the commands in messages of backup and restore can be pasted, whatever files are called', () =>
  withFolder(async (folder) => {
    const db = `${folder}/it's a store.db`
    await createStore(db, [toTalk('One')])
    const backedUp = await runRostrum('backup', `${folder}/a backup.db`, '--db', db)
    spoil(db, 'DELETE FROM record')
    const pasted = await paste(findHint(backedUp.stderr))
    expect(pasted).toMatchObject({ exitCode: 0 })
    expect(readTitles(db)).toEqual(['One'])
    const serve = findHint(pasted.stderr)
    expect(serve).toBe(`rostrum serve --db '${db.replace("'", `'\\''`)}'`)
  }))

test('the command in the message of the doctor can be pasted', () =>
  withFolder(async (folder) => {
    const db = `${folder}/a store.db`
    await createStore(db, [toTalk('One')])
    spoil(db, 'DELETE FROM listing')
    const { stderr } = await runRostrum('doctor', '--db', db)
    const hint = /rostrum doctor [^\n]*?'(?=\.)/.exec(stderr)?.[0] ?? ''
    expect(hint).toContain('--rebuild')
    expect(await paste(hint)).toMatchObject({ exitCode: 0 })
  }))

test.each([
  [['token', 'revoke', '--name', 'nobody'], /rostrum token list --db \S+records\.db/],
  [['backup', '/proc/x.db'], /cannot be written|does not exist/],
])('rostrum %j names the store in its hint', (words, says) =>
  withFolder(async (folder) => {
    await createStore(`${folder}/records.db`, [toTalk('One')])
    const { exitCode, stderr } = await runRostrum(...words, '--db', `${folder}/records.db`)
    expect(exitCode).not.toBe(0)
    expect(stderr).toMatch(says)
  }),
)

test('commands in messages have the name by which the program was called, so that they work when pasted', () =>
  withFolder(async (folder) => {
    const root = resolve(import.meta.dir, '../..')
    await createStore(`${folder}/a store.db`, [toTalk('One')])
    const run = (command: string) =>
      Bun.spawnSync(['sh', '-c', command], { cwd: root, env: { PATH: process.env.PATH ?? '' } })
    const made = run(`bin/rostrum backup '${folder}/copy' --db '${folder}/a store.db'`)
    const hint = /bin\/rostrum restore [^\n]*/.exec(String(made.stderr))?.[0] ?? ''
    expect(hint).toContain(`'${folder}/a store.db'`)
    expect(run(hint)).toMatchObject({ exitCode: 0 })
    expect(readTitles(`${folder}/a store.db`)).toEqual(['One'])
  }))

test.each([
  ['token', ['token', 'list'], 0],
  ['backup', ['backup', 'FOLDER/copy'], 0],
  ['serve, which does not start', ['serve', '--about', 'FOLDER/missing'], 78],
])('a misspelled variable is named once, and changes nothing else: %s', (_what, words, expected) =>
  withFolder(async (folder) => {
    const db = `${folder}/records.db`
    await createStore(db, [toTalk('One')])
    const args = words.map((word) => word.replace('FOLDER', folder))
    const { exitCode, stderr } = await runToEnd(['env', 'ROSTRUM_PROT=1', program, ...args, '--db', db], 20_000)
    expect(stderr.match(/Unknown variable ROSTRUM_PROT\. Did you mean ROSTRUM_PORT\?/g)?.length).toBe(1)
    expect({ exitCode, stderr }).toMatchObject({ exitCode: expected })
  }),
)
