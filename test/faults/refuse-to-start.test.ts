import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { program } from '../harness/program.ts'
import { createFolder, removeFolder, type Server, startServer } from '../harness/server.ts'
import { ask } from './connection.ts'
import { createRecordClient, toWritten } from './record-client.ts'
import { runToEnd } from './spawn.ts'

const exitTimeoutMs = 5_000
const testTimeoutMs = 15_000
const scratch = createFolder()
const healthy = `${scratch}/healthy.db`

beforeAll(createHealthyFile)
afterAll(() => removeFolder(scratch))

type Case = {
  readonly what: string
  /** Makes the file and gives its path. */
  readonly prepare: (folder: string) => string
  /** What the message must tell the person to do. */
  readonly advice: RegExp
}

const cases: readonly Case[] = [
  { what: 'a text file', prepare: createTextFile, advice: /another|different|choose|name/i },
  { what: 'a database of another application', prepare: createForeignFile, advice: /another|different|choose|name/i },
  { what: 'a file cut in half', prepare: cutInHalf, advice: /restore|backup/i },
  { what: 'garbage over a page in the middle', prepare: spoilMiddlePage, advice: /restore|backup/i },
  { what: 'garbage over the header', prepare: spoilHeader, advice: /restore|backup|another|different/i },
  { what: 'a file of a newer Rostrum', prepare: raiseSchemaVersion, advice: /newer|upgrade|update/i },
  { what: 'a folder in the place of the file', prepare: createFolderAsFile, advice: /file|name|choose/i },
  {
    what: 'a folder whose own folder does not exist',
    prepare: (folder) => `${folder}/a/b/records.db`,
    advice: /create|make|mkdir/i,
  },
  { what: 'a place where nothing can be written', prepare: () => '/proc/rostrum.db', advice: /writ|another|choose/i },
]

describe('the server refuses to start, says what to do and touches nothing, on', () => {
  for (const [number, { what, prepare, advice }] of cases.entries()) {
    test(
      what,
      async () => {
        const folder = `${scratch}/case-${number}`
        mkdirSync(folder)
        const db = prepare(folder)
        const before = fingerprint(folder)
        await expectRefusal(['--port', '0', '--db', db], db, advice)
        expect(fingerprint(folder)).toEqual(before)
      },
      testTimeoutMs,
    )
  }
})

describe('beside a running server', () => {
  let first: Server
  beforeAll(async () => {
    first = await startServer()
  })
  afterAll(async () => {
    await first.stop()
  })

  test(
    'a second one on the same file is refused, and the first continues',
    async () => {
      const before = fingerprint(dirname(first.db))
      await expectRefusal(['--port', '0', '--db', first.db], first.db, /stop|another|other/i)
      expect(fingerprint(dirname(first.db))).toEqual(before)
      await expectServes(first)
    },
    testTimeoutMs,
  )

  test(
    'a second one on the same file under another name is refused, and the first continues',
    async () => {
      const link = `${scratch}/link.db`
      symlinkSync(first.db, link)
      await expectRefusal(['--port', '0', '--db', link], link, /stop|another|other/i)
      await expectServes(first)
    },
    testTimeoutMs,
  )

  test(
    'a second one on the same port is refused, and the first continues',
    async () => {
      const folder = `${scratch}/other-port`
      mkdirSync(folder)
      const db = `${folder}/records.db`
      await expectRefusal(['--port', String(first.port), '--db', db], String(first.port), /port|stop|another/i)
      expect(readdirSync(folder)).toEqual([])
      await expectServes(first)
    },
    testTimeoutMs,
  )
})

async function expectRefusal(args: readonly string[], culprit: string, advice: RegExp): Promise<void> {
  const command = [program, 'serve', '--host', '127.0.0.1', '--threads', '2', ...args]
  const { exitCode, stdout, stderr, tookMs } = await runToEnd(command, exitTimeoutMs)
  expect({ exitCode, tookMs, stderr }).toMatchObject({ exitCode: expect.any(Number) })
  expect(exitCode).not.toBe(0)
  expect(stdout).not.toContain('http://')
  expect(stderr).toContain(culprit)
  expect(stderr).toMatch(advice)
  expect(stderr).not.toMatch(/^\s+at .*:\d+/m)
  expect(stderr).not.toContain('.ts:')
}

async function expectServes(server: Server): Promise<void> {
  const client = createRecordClient((...request) => ask(server.port, ...request), server.adminKey)
  const written = toWritten(await client.create({ title: 'Still here' }))
  expect((await client.read(written.id)).body).toBe(written.body)
}

/** Each file's name with its length and hash; a folder's name alone. */
function fingerprint(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(
    names.map((name) => {
      const path = `${folder}/${name}`
      if (statSync(path).isDirectory()) return [name, 'folder']
      const bytes = readFileSync(path)
      return [name, `${bytes.length} ${new Bun.CryptoHasher('sha256').update(bytes).digest('hex')}`]
    }),
  )
}

/** A file of a few hundred pages, whole and closed. */
async function createHealthyFile(): Promise<void> {
  const server = await startServer({ db: healthy })
  const client = createRecordClient((...request) => ask(server.port, ...request), server.adminKey)
  for (let number = 0; number < 100; number++) {
    toWritten(await client.create({ title: `Talk ${number}`, description: 'words '.repeat(1500) }))
  }
  expect(await server.stop()).toBe(0)
}

function createTextFile(folder: string): string {
  const path = `${folder}/records.db`
  writeFileSync(path, 'Dear diary, this is not a database.\n'.repeat(500))
  return path
}

function createForeignFile(folder: string): string {
  const path = `${folder}/records.db`
  const database = new Database(path)
  database.run('PRAGMA application_id = 252006673')
  database.run('CREATE TABLE record (id INTEGER PRIMARY KEY, name TEXT)')
  database.run("INSERT INTO record VALUES (1, 'of somebody else')")
  database.close()
  return path
}

function cutInHalf(folder: string): string {
  const path = copyHealthy(folder)
  truncateSync(path, Math.floor(statSync(path).size / 2))
  return path
}

function spoilMiddlePage(folder: string): string {
  const path = copyHealthy(folder)
  const pageBytes = readFileSync(path).readUInt16BE(16)
  const middlePage = Math.floor(statSync(path).size / pageBytes / 2)
  overwrite(path, middlePage * pageBytes, crypto.getRandomValues(new Uint8Array(pageBytes)))
  return path
}

function spoilHeader(folder: string): string {
  const path = copyHealthy(folder)
  overwrite(path, 0, crypto.getRandomValues(new Uint8Array(100)))
  return path
}

function raiseSchemaVersion(folder: string): string {
  const path = copyHealthy(folder)
  const database = new Database(path)
  database.run('PRAGMA user_version = 999')
  database.run('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  return path
}

function createFolderAsFile(folder: string): string {
  const path = `${folder}/records.db`
  mkdirSync(path)
  return path
}

function copyHealthy(folder: string): string {
  const path = `${folder}/records.db`
  copyFileSync(healthy, path)
  return path
}

function overwrite(path: string, position: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+')
  writeSync(file, bytes, 0, bytes.length, position)
  closeSync(file)
}
