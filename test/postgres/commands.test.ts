import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportFrom, fixtures, importInto, runRostrum, talksFolder } from '../archive/command.ts'
import { listDifferences } from '../archive/talk-files.ts'
import { adminKey, createFolder, startServer } from '../harness/server.ts'
import { readRows, readTables, useDatabases } from './databases.ts'

// Runner: long, slow (archive and cli have these commands on a file)

const { createAddress } = useDatabases()
const folder = createFolder()
const at = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a command says, without what differs from run to run. */
const toSaid = ({ exitCode, stdout }: { exitCode: number | null; stdout: string }) => [exitCode, stdout]

/** Bodies without the moments of the import. */
const readRecords = async (db: string) =>
  (await readRows(db, 'SELECT body FROM record ORDER BY id')).map(({ body }) => ({
    ...JSON.parse(Buffer.from(String(body), 'base64').toString()),
    added: '',
    updated: '',
  }))

async function importBoth(source: string, ...flags: readonly string[]): Promise<readonly [string, string]> {
  const [file, address] = [at(`${crypto.randomUUID()}.db`), await createAddress()]
  const report = ['--report', at('report.json')]
  const said = await Promise.all([
    runRostrum('import', source, '--db', file, ...report, ...flags),
    runRostrum('import', source, '--db', address, ...report, ...flags),
  ])
  expect(toSaid(said[1])).toEqual(toSaid(said[0]))
  return [file, address]
}

/** The second line of a dump with the slug of the first one, and a checksum that fits. */
function takeSlug(first: string, second: string): string {
  const toBody = (line: string) => line.slice(line.indexOf(',"body":') + ',"body":'.length, -2)
  const toSlug = (line: string) => `"slug":${JSON.stringify(JSON.parse(toBody(line)).slug)}`
  const body = toBody(second).replace(toSlug(second), toSlug(first))
  const checksum = new Bun.CryptoHasher('sha256').update(body).digest('hex')
  return second.replace(toBody(second), body).replace(JSON.parse(second).version.checksum, checksum)
}

describe('An archive in PostgreSQL is what it is in a file', () => {
  test.each([talksFolder, join(fixtures, 'records.json'), join(fixtures, 'records.ndjson')])(
    'after an import of %s',
    async (source) => {
      const [file, address] = await importBoth(source)
      expect(await readRecords(address)).toEqual(await readRecords(file))
      const tables = ['origin', 'extras', 'category_origin', 'speaker', 'tag', 'record_speaker']
      const keys = Object.fromEntries(tables.map((table) => [table, '1, 2']))
      expect(await readTables(address, keys)).toEqual(await readTables(file, keys))
      const again = await Promise.all([file, address].map((db) => runRostrum('import', source, '--db', db)))
      expect(again.map(({ stdout }) => /^0 created, 0 updated/.test(stdout))).toEqual([true, true])
    },
  )

  test('and goes out again as the same files', async () => {
    const [file, address] = await importBoth(talksFolder)
    for (const [name, db] of Object.entries({ file, address })) {
      expect(await exportFrom(db, 'pyvideo', at(`out-${name}`))).toMatchObject({ exitCode: 0 })
    }
    expect(listDifferences(at('out-address'), talksFolder)).toEqual([])
    expect(listDifferences(at('out-address'), at('out-file'))).toEqual([])
  })

  test('a dump of one engine goes into the other, and is the same dump there', async () => {
    const [file] = await importBoth(talksFolder)
    const address = await createAddress()
    await exportFrom(file, 'dump', at('a.dump'))
    expect(await runRostrum('import', at('a.dump'), '--db', address)).toMatchObject({ exitCode: 0 })
    await exportFrom(address, 'dump', at('b.dump'))
    expect(readFileSync(at('b.dump'), 'utf8')).toBe(readFileSync(at('a.dump'), 'utf8'))
    expect(await runRostrum('import', at('b.dump'), '--db', at('b.db'))).toMatchObject({ exitCode: 0 })
    for (const db of [address, at('b.db')])
      expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0 })
    await exportFrom(file, 'ndjson', at('a.ndjson'))
    await exportFrom(address, 'ndjson', at('b.ndjson'))
    expect(readFileSync(at('b.ndjson'), 'utf8')).toBe(readFileSync(at('a.ndjson'), 'utf8'))
  })

  test('a dump with a line twice is refused by that line, and leaves nothing behind', async () => {
    const [file] = await importBoth(talksFolder)
    const address = await createAddress()
    await exportFrom(file, 'dump', at('good.dump'))
    const lines = readFileSync(at('good.dump'), 'utf8').split('\n')
    const twice = lines.findIndex((line) => line.startsWith('{"version"')) + 1
    writeFileSync(at('bad.dump'), lines.toSpliced(twice, 0, lines[twice - 1] ?? '').join('\n'))
    const { exitCode, stderr } = await runRostrum('import', at('bad.dump'), '--db', address)
    expect([exitCode, stderr]).toEqual([65, expect.stringContaining(`line ${twice + 1}: `)])
    expect(await readRows(address, 'SELECT seq FROM version')).toEqual([])
  })

  test('a dump with two records of one slug is refused, in a dry run or not', async () => {
    const [file] = await importBoth(talksFolder)
    const address = await createAddress()
    expect(await runRostrum('token', 'create', '--name', 'x', '--role', 'reader', '--db', address)).toMatchObject({
      exitCode: 0,
    })
    await exportFrom(file, 'dump', at('slugs.dump'))
    const lines = readFileSync(at('slugs.dump'), 'utf8').split('\n')
    const [first = '', second = ''] = lines.filter((line) => line.startsWith('{"version"'))
    writeFileSync(at('slugs.dump'), lines.with(lines.indexOf(second), takeSlug(first, second)).join('\n'))
    for (const flags of [['--dry-run'], []]) {
      const { exitCode, stderr } = await runRostrum('import', at('slugs.dump'), '--db', address, ...flags)
      expect([flags, exitCode, stderr]).toEqual([flags, 65, expect.stringContaining('record_slug_key')])
    }
    expect(await readRows(address, 'SELECT seq FROM version')).toEqual([])
  })

  test('a dry run stores nothing', async () => {
    const address = await createAddress()
    const { exitCode, stdout } = await importInto(at('none.db'), talksFolder, '--dry-run')
    const dryRun = await runRostrum('import', talksFolder, '--db', address, '--dry-run')
    expect(toSaid(dryRun)).toEqual([exitCode, stdout])
    const tables = 'SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()'
    expect(await readRows(address, tables)).toEqual([])
    await runRostrum('import', talksFolder, '--db', address)
    expect((await runRostrum('import', talksFolder, '--db', address, '--dry-run')).stdout).toMatch(
      /^0 created, 0 updated/,
    )
  })
})

describe('Commands beside nodes that serve', () => {
  test('tokens are made, listed and revoked, and a record is erased: both nodes know at once', async () => {
    const address = await createAddress()
    await runRostrum('import', talksFolder, '--db', address)
    const nodes = await Promise.all([startServer({ db: address }), startServer({ db: address })])
    const ask = (key: string, id = 102) =>
      Promise.all(
        nodes.map(async ({ url }) => {
          const answer = await fetch(`${url}/api/v2/video/${id}`, { headers: { Authorization: `Token ${key}` } })
          return answer.status
        }),
      )
    const key = (await runRostrum('token', 'create', '--name', 'ann', '--role', 'admin', '--db', address)).stdout.trim()
    expect(await runRostrum('token', 'create', '--name', 'ann', '--role', 'admin', '--db', address)).toMatchObject({
      exitCode: 65,
    })
    await until(async () => `${await ask(key)}` === '200,200')
    const list = await runRostrum('token', 'list', '--db', address)
    expect(list.stdout).toMatch(/^ann +admin .* valid$/m)
    expect(await runRostrum('token', 'revoke', '--name', 'ann', '--db', address)).toMatchObject({ exitCode: 0 })
    await until(async () => `${await ask(key)}` === '401,401')
    expect(await runRostrum('purge', '102', '--db', address)).toMatchObject({ exitCode: 64 })
    expect(await ask(adminKey)).toEqual([200, 200])
    expect(await runRostrum('purge', '102', '--yes', '--db', address)).toMatchObject({ exitCode: 0 })
    await until(async () => `${await ask(adminKey)}` === '410,410')
    expect(await runRostrum('purge', '102', '--yes', '--db', address)).toMatchObject({ exitCode: 0 })
    expect(await runRostrum('purge', '9999', '--yes', '--db', address)).toMatchObject({ exitCode: 66 })
    expect(await runRostrum('doctor', '--rebuild', '--db', address)).toMatchObject({ exitCode: 0, stdout: '' })
    expect(await ask(adminKey, 103)).toEqual([200, 200])
    await Promise.all(nodes.map((node) => node.stop()))
  })
})

test.each(['backup', 'restore'])('"%s" says what to use instead, and does nothing', async (command) => {
  const secret = 'postgres://rostrum:secret@127.0.0.1:1/none'
  const { exitCode, stderr } = await runRostrum(command, at('backup.db'), '--db', secret)
  expect([exitCode, stderr]).toEqual([64, expect.stringMatching(/pg_.*migrate-store.*export --format dump/)])
  expect(stderr).not.toContain('secret')
})

/** Within the time that is promised, and some for a busy machine. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 5_000
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error('it did not happen in time')
    await Bun.sleep(20)
  }
}

test('records are read whole from a database that shows bytes in the old form', async () => {
  const db = await createAddress()
  await readRows(db, `ALTER DATABASE ${new URL(db).pathname.slice(1)} SET bytea_output = 'escape'`)
  const server = await startServer({ db })
  const send = (method: string, path: string, body: object) =>
    fetch(`${server.url}/api/v2/${path}`, {
      ...{ method, body: JSON.stringify(body) },
      headers: { Authorization: `Token ${adminKey}`, 'Content-Type': 'application/json' },
    })
  expect((await send('POST', 'video', { category: 'Event', title: 'Ünï', state: 1 })).status).toBe(201)
  expect((await send('POST', 'batches', { select: { ids: [1] }, patch: { language: 'German' } })).status).toBe(201)
  expect(await (await fetch(`${server.url}/api/v2/video/1`)).json()).toMatchObject({ title: 'Ünï', language: 'German' })
  await server.stop()
  expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })
}, 180_000)
