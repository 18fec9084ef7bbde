import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { openForWriting } from '../../src/store/sqlite/connection.ts'
import { createWriter } from '../../src/store/sqlite/writer.ts'
import { withFolder } from '../faults/scratch.ts'
import { createStore, readTitles, runRostrum, spoil, toTalk } from './store-command.ts'

const author = { name: 'test', role: 'admin' } as const

/** What no file may hold any more: words of each version, long and short ones, and names. */
const secrets = [
  'zxqvfirst',
  'zxqvsecond',
  'zxqvthird',
  'zxqvperson',
  'zxqvformer',
  'zxqvtag',
  'zxqvwhy',
  'zxqvmade',
  'zxqvkey',
  'zxqvpatch',
  'zxqvsaid',
  'zxqvspoken',
]

/** Two records of which nothing happens, around one that is changed, withdrawn, and full of secrets. */
async function createSecretStore(db: string): Promise<void> {
  await createStore(db, [toTalk('One')])
  const file = openForWriting(db, 0)
  const writer = createWriter({ db: file, now: Date.now, onError: (error) => console.error(error) })
  const first = {
    ...toTalk('Zxqvfirst'),
    category: 'New event',
    speakers: ['Ada', 'Zxqvformer'],
    description: 'zxqvfirst '.repeat(5_000),
  }
  const change = (changes: object) =>
    ({ kind: 'merge', id: 2, author, precondition: {}, changes, reason: 'zxqvwhy' }) as const
  const commands = [
    { kind: 'create', author, changes: first, idempotencyKey: 'zxqvkey', reason: 'zxqvmade' } as const,
    change({ title: 'Zxqvsecond', description: 'zxqvsecond', speakers: ['Ada', 'Zxqvperson'] }),
    change({ title: 'Zxqvthird', tags: ['x', 'zxqvtag'], state: 2 }),
    { kind: 'create', author, changes: toTalk('Three') } as const,
  ]
  // One after the other, as in life, so that each leaves its traces.
  for (const command of commands) expect(await writer.run([command], new Set())).toMatchObject([{ is: 'stored' }])
  for (const text of ['zxqvsaid', 'zxqvspoken']) {
    const body = { origin: 'human', cues: [{ start: 0, end: 1000, text }] } as const
    const command = { kind: 'set companion', id: 2, name: 'transcripts/en', author, precondition: {}, body } as const
    expect(await writer.run([command], new Set())).toMatchObject([{ is: 'companion' }])
    while ((await writer.indexMoments()) === 'some');
  }
  const said = { summary: 'zxqvpatch' }
  const work = { is: 'patch', patch: { changes: said, edits: {} }, said } as const
  const request = { select: { is: 'ids', ids: [2] }, work, expect: null, asOf: null, isPartial: false } as const
  expect(await writer.run([{ kind: 'bulk', author, request }], new Set())).toMatchObject([{ is: 'batch' }])
  file.run(`INSERT INTO origin (record_id, source, path, imported) VALUES (2, 'zxqvfirst', 'x', '{}')`)
  file.run(`INSERT INTO extras (record_id, body, basis) VALUES (2, CAST('zxqvfirst' AS BLOB), x'7b7d')`)
  await writer.close()
}

function findSecrets(folder: string): string[] {
  const texts = readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`).toString('latin1').toLowerCase())
  return secrets.filter((secret) => texts.some((text) => text.includes(secret)))
}

function readNames(db: string, table: 'speaker' | 'tag'): unknown[] {
  const file = openForWriting(db, 0)
  const names = file.query<{ name: string }, []>(`SELECT name FROM ${table} ORDER BY name`).all()
  file.close()
  return names.map(({ name }) => name)
}

test('an erased record is in no file any more, nor are names that only it had; the rest is intact', () =>
  withFolder(async (folder) => {
    const db = `${folder}/records.db`
    await createSecretStore(db)
    expect(findSecrets(folder)).toEqual(secrets)
    const { exitCode, stderr } = await runRostrum('purge', '2', '--yes', '--db', db)
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
    expect(stderr).toMatch(/Erased record 2.*Copies/)
    expect(findSecrets(folder)).toEqual([])
    expect(readTitles(db)).toEqual(['One', 'Three'])
    expect([readNames(db, 'speaker'), readNames(db, 'tag')]).toEqual([['Ada'], ['x']])
    expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })
  }))

test('an id is never used again, even the last one, and erasing twice does no harm', () =>
  withFolder(async (folder) => {
    const db = `${folder}/records.db`
    await createStore(db, [toTalk('One'), toTalk('Two')])
    for (let time = 0; time < 2; time++) {
      expect(await runRostrum('purge', '2', '--yes', '--db', db)).toMatchObject({ exitCode: 0 })
    }
    const file = openForWriting(db, 0)
    const writer = createWriter({ db: file, now: Date.now, onError: (error) => console.error(error) })
    const create = { kind: 'create', author, changes: toTalk('Two') } as const
    expect(await writer.run([create], new Set())).toMatchObject([{ is: 'stored', stored: { id: 3 } }])
    await writer.close()
    expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })
  }))

test('a record with damaged bytes can be erased, too', () =>
  withFolder(async (folder) => {
    const db = `${folder}/records.db`
    await createStore(db, [toTalk('One')])
    for (const table of ['record', 'version']) spoil(db, `UPDATE ${table} SET body = CAST('{"rot' AS BLOB)`)
    expect(await runRostrum('purge', '1', '--yes', '--db', db)).toMatchObject({ exitCode: 0 })
    expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })
  }))

test('an erased record stays erased when an older backup is restored', () =>
  withFolder(async (folder) => {
    const db = `${folder}/records.db`
    await createSecretStore(db)
    expect(await runRostrum('backup', `${folder}/backup.db`, '--db', db)).toMatchObject({ exitCode: 0 })
    expect(await runRostrum('purge', '2', '--yes', '--db', db)).toMatchObject({ exitCode: 0 })
    const { exitCode, stderr } = await runRostrum('restore', `${folder}/backup.db`, '--replace', '--db', db)
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
    expect(stderr).toContain('Erased again, as in the previous store: 2')
    expect(readTitles(db)).toEqual(['One', 'Three'])
    expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })
  }))

test.each([
  [['purge'], 64, /Name one record/],
  [['purge', '01'], 64, /Name one record/],
  [['purge', '1', '2'], 64, /Name one record/],
  [['purge', '9'], 66, /no record 9/],
  [['purge', '1'], 64, /Nothing was erased.*"One".*--yes/],
])('rostrum %j ends with %d and erases nothing', (args, code, says) =>
  withFolder(async (folder) => {
    const db = `${folder}/records.db`
    await createStore(db, [toTalk('One')])
    const { exitCode, stderr } = await runRostrum(...args, '--db', db)
    expect(exitCode).toBe(code)
    expect(stderr).toMatch(says)
    expect(readTitles(db)).toEqual(['One'])
  }),
)
