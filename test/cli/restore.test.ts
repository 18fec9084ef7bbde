import { expect, test } from 'bun:test'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { toAccessTokenHash } from '../../src/record/credentials.ts'
import { createRecordReader } from '../../src/store/read/record.ts'
import { openForWriting } from '../../src/store/sqlite/connection.ts'
import { createRowFinder } from '../../src/store/sqlite/database.ts'
import { checkFile } from '../faults/file-check.ts'
import { withFolder } from '../faults/scratch.ts'
import { createStore, readTitles, runRostrum, spoil, toTalk } from './store-command.ts'

// Runner: long checkout

async function backUp(db: string, file: string): Promise<void> {
  expect(await runRostrum('backup', file, '--db', db)).toMatchObject({ exitCode: 0 })
}

/** A backup of one store, and another store that it may replace. */
async function createBoth(folder: string): Promise<{ readonly file: string; readonly db: string }> {
  await createStore(`${folder}/first.db`, [toTalk('From the backup')])
  await backUp(`${folder}/first.db`, `${folder}/backup.db`)
  await createStore(`${folder}/records.db`, [toTalk('Newer'), toTalk('Newest')])
  return { file: `${folder}/backup.db`, db: `${folder}/records.db` }
}

const findAsides = (folder: string) => readdirSync(folder).filter((name) => name.includes('.before-restore-'))

test('a backup is restored where there was no store, and is unchanged', () =>
  withFolder(async (folder) => {
    const { file } = await createBoth(folder)
    const before = readFileSync(file)
    const { exitCode, stderr } = await runRostrum('restore', file, '--db', `${folder}/data/new.db`)
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
    expect(readdirSync(`${folder}/data`).sort()).toEqual(['new.db', 'new.db.lock'])
    expect(readTitles(`${folder}/data/new.db`)).toEqual(['From the backup'])
    checkFile(`${folder}/data/new.db`, [])
    expect(readFileSync(file).equals(before)).toBe(true)
  }))

test('an existing store is replaced only with --replace, and then kept under another name', () =>
  withFolder(async (folder) => {
    const { file, db } = await createBoth(folder)
    const refused = await runRostrum('restore', file, '--db', db)
    expect(refused.exitCode).toBe(73)
    expect(refused.stderr).toMatch(/--replace/)
    expect(readTitles(db)).toEqual(['Newer', 'Newest'])
    const { exitCode, stderr } = await runRostrum('restore', file, '--replace', '--db', db)
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
    expect(readTitles(db)).toEqual(['From the backup'])
    const [aside = ''] = findAsides(folder)
    expect(stderr).toContain(`${folder}/${aside}`)
    expect(readTitles(`${folder}/${aside}`)).toEqual(['Newer', 'Newest'])
  }))

test('a restored store has no sessions', () =>
  withFolder(async (folder) => {
    await createStore(`${folder}/first.db`, [toTalk('From the backup')])
    const first = openForWriting(`${folder}/first.db`, 0)
    first.run(
      `INSERT INTO session VALUES (x'01', x'02', 'ann', '2030-01-01T00:00:00.000', '2030-01-01T00:00:00.000', '')`,
    )
    first.close()
    await backUp(`${folder}/first.db`, `${folder}/backup.db`)
    const count = (path: string) => {
      const db = openForWriting(path, 0)
      const { n } = db.query<{ n: number }, []>('SELECT count(*) AS n FROM session').get() ?? expect.unreachable()
      db.close()
      return n
    }
    expect(count(`${folder}/backup.db`)).toBe(1)
    const restored = `${folder}/restored.db`
    expect(await runRostrum('restore', `${folder}/backup.db`, '--db', restored)).toMatchObject({ exitCode: 0 })
    expect(count(restored)).toBe(0)
    checkFile(restored, [])
  }))

const token = (db: string, ...args: readonly string[]) => runRostrum('token', ...args, '--db', db)

async function createKey(db: string, name: string, role: string): Promise<string> {
  const { stdout } = await token(db, 'create', '--name', name, '--role', role)
  return stdout.trim() || expect.unreachable(`no key for ${name}`)
}

/** The role of each key, as a server finds it; null if it is not valid. */
async function readRoles(path: string, keys: readonly string[]): Promise<(string | null)[]> {
  const db = openForWriting(path, 0)
  const reader = createRecordReader(createRowFinder(db))
  const roles = await Promise.all(
    keys.map(async (key) => (await reader.findToken(toAccessTokenHash(key)))?.role ?? null),
  )
  db.close()
  return roles
}

test('the keys of the replaced store stay valid, and no key of the backup becomes valid again', () =>
  withFolder(async (folder) => {
    const [db, file] = [`${folder}/records.db`, `${folder}/backup.db`]
    await createStore(db, [toTalk('Kept')])
    const before = [
      await createKey(db, 'leaky', 'admin'),
      await createKey(db, 'rotated', 'editor'),
      await createKey(db, 'bob', 'admin'),
      await createKey(db, 'ann', 'publisher'),
    ]
    await backUp(db, file)
    await token(db, 'revoke', '--name', 'leaky')
    const rotated = (await token(db, 'rotate', '--name', 'rotated', '--now')).stdout.trim()
    await token(db, 'revoke', '--name', 'bob')
    const after = [rotated, await createKey(db, 'bob', 'reader'), await createKey(db, 'new', 'editor')]
    const list = (await token(db, 'list')).stdout
    const { exitCode, stderr } = await runRostrum('restore', file, '--replace', '--db', db)
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
    expect(await readRoles(db, [...before, ...after])).toEqual([
      null,
      null,
      null,
      'publisher',
      'editor',
      'reader',
      'editor',
    ])
    expect((await token(db, 'list')).stdout).toBe(list)
    expect(stderr).toMatch(/tokens are those of the previous store, not of the backup/)
    expect(stderr).toMatch(/^bob +reader /m)
    expect(stderr).not.toMatch(/^leaky|^bob +admin|rst_/m)
    checkFile(db, [])
  }))

test('if the replaced store had no keys, the restored one has none, and the command says how to create one', () =>
  withFolder(async (folder) => {
    const { file, db } = await createBoth(folder)
    const key = await createKey(file, 'ann', 'admin')
    const { stderr } = await runRostrum('restore', file, '--replace', '--db', db)
    expect(await readRoles(db, [key])).toEqual([null])
    expect(stderr).toMatch(/no key is valid\. Create one with: .*token create .*records\.db/)
  }))

type Unreadable = { readonly what: string; readonly prepare: (db: string) => void }

const unreadable: readonly Unreadable[] = [
  { what: 'not a database', prepare: (db) => writeFileSync(db, 'Dear diary. '.repeat(1000)) },
  { what: 'empty', prepare: (db) => truncateSync(db, 0) },
  { what: 'of a newer Rostrum', prepare: (db) => spoil(db, 'PRAGMA user_version = 99') },
  { what: 'without tokens', prepare: (db) => spoil(db, 'DROP TABLE token') },
]

test.each(unreadable)('if the store that is replaced is $what, every key of the backup is revoked', ({ prepare }) =>
  withFolder(async (folder) => {
    const { file, db } = await createBoth(folder)
    const key = await createKey(file, 'ann', 'admin')
    prepare(db)
    const { exitCode, stderr } = await runRostrum('restore', file, '--replace', '--db', db)
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
    expect(stderr).toMatch(/every key of the backup was revoked\. Create one with: .*token create/)
    expect(await readRoles(db, [key])).toEqual([null])
    expect((await token(db, 'list')).stdout).toMatch(/^ann +admin .* revoked /m)
    expect(await readRoles(db, [await createKey(db, 'ann', 'admin')])).toEqual(['admin'])
  }),
)

test('without a store to replace, the command lists the keys of the backup that are valid now', () =>
  withFolder(async (folder) => {
    const { file } = await createBoth(folder)
    const key = await createKey(file, 'ann', 'admin')
    await createKey(file, 'gone', 'reader')
    await token(file, 'revoke', '--name', 'gone')
    const db = `${folder}/new.db`
    const { exitCode, stderr } = await runRostrum('restore', file, '--db', db)
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
    expect(stderr).toMatch(/These keys are valid:\nNAME .*\nann +admin .* never .* valid\n/)
    expect(stderr).toMatch(/End a key with: .*token revoke --name NAME --db .*new\.db/)
    expect(stderr).not.toMatch(/^gone|rst_/m)
    expect(await readRoles(db, [key])).toEqual(['admin'])
  }))

test('a restored store and the files next to it have the owner, group and mode of the replaced one', () =>
  withFolder(async (folder) => {
    const { file, db } = await createBoth(folder)
    // Only root may give files away.
    const isRoot = process.getuid?.() === 0
    const owner = isRoot ? [12_345, 12_346] : [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
    chownSync(db, owner[0] ?? 0, owner[1] ?? 0)
    chmodSync(db, 0o640)
    expect(await runRostrum('restore', file, '--replace', '--db', db)).toMatchObject({ exitCode: 0 })
    for (const command of [
      ['doctor', '--rebuild'],
      ['token', 'list'],
    ])
      await runRostrum(...command, '--db', db)
    const names = readdirSync(folder).filter((name) => name.startsWith('records.db'))
    expect(names.sort()).toEqual(['records.db', expect.stringContaining('before-restore'), 'records.db.lock'])
    const owners = names.map((name) => statSync(`${folder}/${name}`)).map(({ uid, gid }) => [uid, gid])
    expect(owners).toEqual(names.map(() => owner))
    expect(statSync(db).mode & 0o777).toBe(0o640)
  }))

// Only root may give files away.
test.skipIf(process.getuid?.() !== 0)(
  'what root restores, creates and backs up belongs to the service whose folder it is',
  () =>
    withFolder(async (folder) => {
      await createStore(`${folder}/first.db`, [toTalk('One')])
      await backUp(`${folder}/first.db`, `${folder}/backup.db`)
      const own = `${folder}/service`
      mkdirSync(own)
      chownSync(own, 12_345, 12_346)
      const commands = [
        ['restore', `${folder}/backup.db`, '--db', `${own}/restored.db`],
        ['token', 'create', '--create-store', '--name', 'ann', '--role', 'admin', '--db', `${own}/created.db`],
        ['backup', `${own}/backup.db`, '--db', `${own}/created.db`],
        // A store of root is not for the service to read.
        ['backup', `${own}/foreign.db`, '--db', `${folder}/first.db`],
      ]
      for (const words of commands) expect(await runRostrum(...words)).toMatchObject({ exitCode: 0 })
      const notGiven = readdirSync(own).filter((name) => {
        const { uid, gid, mode } = statSync(`${own}/${name}`)
        return uid !== 12_345 || gid !== 12_346 || (mode & 0o777) !== 0o600
      })
      expect(notGiven).toEqual(['foreign.db'])
      expect(readdirSync(own)).toContain('restored.db.lock')
    }),
)

test('the write-ahead log of a killed server stays with the old store, and is not applied to the new one', () =>
  withFolder(async (folder) => {
    const { file, db } = await createBoth(folder)
    // As after a kill: what was written last stands in the log alone.
    const open = openForWriting(db, 0)
    open.run(`UPDATE record SET body = CAST(replace(body, 'Newest', 'Only in the log') AS BLOB)`)
    for (const name of [db, `${db}-wal`]) copyFileSync(name, name.replace('records', 'crashed'))
    open.close()
    const crashed = `${folder}/crashed.db`
    expect(existsSync(`${crashed}-wal`)).toBe(true)
    expect(await runRostrum('restore', file, '--replace', '--db', crashed)).toMatchObject({ exitCode: 0 })
    expect(readdirSync(folder).filter((name) => /^crashed\.db-(wal|shm)/.test(name))).toEqual([])
    expect(readTitles(crashed)).toEqual(['From the backup'])
    expect(readTitles(`${folder}/${findAsides(folder)[0]}`)).toEqual(['Newer', 'Only in the log'])
  }))

test('a damaged store can be replaced too', () =>
  withFolder(async (folder) => {
    const { file, db } = await createBoth(folder)
    truncateSync(db, 20_000)
    expect(await runRostrum('restore', file, '--replace', '--db', db)).toMatchObject({ exitCode: 0 })
    expect(readTitles(db)).toEqual(['From the backup'])
    expect(findAsides(folder)).toHaveLength(1)
  }))

const foreignTrigger = `CREATE TRIGGER x AFTER INSERT ON version BEGIN UPDATE token SET role = 'admin'; END`

type Bad = { readonly what: string; readonly prepare: (file: string) => void; readonly code: number }

const bad: readonly Bad[] = [
  { what: 'cut short', prepare: (file) => truncateSync(file, 30_000), code: 65 },
  { what: 'of another program', prepare: (file) => writeFileSync(file, 'Dear diary. '.repeat(100)), code: 65 },
  { what: 'rotten in one version', prepare: rot, code: 65 },
  { what: 'missing a version', prepare: (file) => spoil(file, 'DELETE FROM version WHERE number = 1'), code: 65 },
  { what: 'one with a trigger of others', prepare: (file) => spoil(file, foreignTrigger), code: 65 },
  { what: 'one with a view of others', prepare: (file) => spoil(file, 'CREATE VIEW x AS SELECT 1'), code: 65 },
  { what: 'empty', prepare: (file) => truncateSync(file, 0), code: 66 },
]

function rot(file: string): void {
  spoil(file, `UPDATE version SET body = CAST(replace(body, 'backup', 'bakcup') AS BLOB) WHERE number = 1`)
}

test.each(bad)(
  'a backup that is $what is refused before anything is changed',
  ({ prepare, code }) =>
    withFolder(async (folder) => {
      const { file, db } = await createBoth(folder)
      prepare(file)
      const before = readdirSync(folder)
      const { exitCode, stderr } = await runRostrum('restore', file, '--replace', '--db', db)
      expect({ exitCode, stderr }).toMatchObject({ exitCode: code })
      expect(stderr).toContain(file)
      expect(readTitles(db)).toEqual(['Newer', 'Newest'])
      expect(readdirSync(folder).toSorted()).toEqual(before.toSorted())
    }),
  60_000,
)

test.each([
  [['restore'], 64, /Name one backup/],
  [['restore', '/nowhere.db', '--db', '/tmp/none.db'], 66, /no backup at \/nowhere\.db/],
])('rostrum %j ends with %d', async (args, code, advice) => {
  const { exitCode, stderr } = await runRostrum(...args)
  expect(exitCode).toBe(code)
  expect(stderr).toMatch(advice)
})

test('backup and restore both refuse a store with a damaged record', () =>
  withFolder(async (folder) => {
    const { file, db } = await createBoth(folder)
    for (const path of [file, db]) spoil(path, `UPDATE record SET body = CAST(replace(body, 'From', 'Frim') AS BLOB)`)
    spoil(db, `UPDATE record SET body = CAST(replace(body, 'Newest', 'Nevest') AS BLOB)`)
    const says = /bytes are not those of version \d/
    expect(await runRostrum('restore', file, '--db', `${folder}/new.db`)).toMatchObject({
      exitCode: 65,
      stderr: expect.stringMatching(says),
    })
    expect(existsSync(`${folder}/new.db`)).toBe(false)
    const backup = await runRostrum('backup', `${folder}/again.db`, '--db', db)
    expect(backup.exitCode).not.toBe(0)
    expect(backup.stderr).toMatch(says)
    expect(existsSync(`${folder}/again.db`)).toBe(false)
  }))

const notStores = [
  { what: 'a pipe', prepare: (path: string) => void Bun.spawnSync(['mkfifo', path]) },
  { what: 'a folder', prepare: (path: string) => mkdirSync(path) },
  { what: 'a link that leads nowhere', prepare: (path: string) => symlinkSync(`${path}.nowhere`, path) },
  { what: 'a link to itself', prepare: (path: string) => symlinkSync(path, path) },
  { what: 'a link to a pipe', prepare: linkToPipe },
]

function linkToPipe(path: string): void {
  Bun.spawnSync(['mkfifo', `${path}.pipe`])
  symlinkSync(`${path}.pipe`, path)
}

test('a path below a file is refused with a message', () =>
  withFolder(async (folder) => {
    writeFileSync(`${folder}/file`, '')
    for (const command of [['doctor'], ['serve'], ['restore', `${folder}/b.db`]]) {
      const { exitCode, stderr } = await runRostrum(...command, '--db', `${folder}/file/records.db`)
      expect(exitCode).toBeOneOf([65, 66, 73])
      expect(stderr).not.toContain('internal error')
    }
  }))

test.each(notStores)(
  '$what is neither replaced by a restore nor turned into a store',
  ({ prepare }) =>
    withFolder(async (folder) => {
      const [db, backup] = [`${folder}/a.db`, `${folder}/b.db`]
      await createStore(backup, [toTalk('First')])
      prepare(db)
      const before = readdirSync(folder)
      const token = ['token', 'create', '--create-store', '--name', 'new', '--role', 'reader']
      for (const command of [['restore', backup, '--replace'], ['restore', backup], token, ['doctor'], ['serve']]) {
        const { exitCode, stderr } = await runRostrum(...command, '--db', db)
        expect(exitCode).toBeOneOf([65, 66, 73])
        expect(stderr).not.toContain('internal error')
      }
      expect(readdirSync(folder).toSorted()).toEqual(before.toSorted())
    }),
  60_000,
)
