import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withFolder } from '../faults/scratch.ts'
import { startServer } from '../harness/server.ts'
import { exportFrom, importInto, runRostrum, toCounts } from './command.ts'
import { startOldServer, toOldRecords } from './old-server.ts'

const user = 'ann'
const password = 's3cr%40t' // an @, as addresses write it
const basic = `Basic ${btoa('ann:s3cr@t')}`
const records = toOldRecords(3)

const withUserInfo = (url: string) => url.replace('://', `://${user}:${password}@`)

/** A server that answers nobody but Ann. */
function startLockedServer() {
  const seen: (string | null)[] = []
  const server = startOldServer(records, 2, (_url, _asked, request) => {
    seen.push(request.headers.get('Authorization'))
    return seen.at(-1) === basic ? null : new Response('', { status: 401 })
  })
  return { ...server, seen }
}

test('a password in the address of a server is used there, and stored nowhere', () =>
  withFolder(async (folder) => {
    const [db, dump] = [join(folder, 'a.db'), join(folder, 'a.dump')]
    const server = startLockedServer()
    const { exitCode, report, stdout, stderr } = await importInto(db, withUserInfo(server.url))
    server.stop()
    expect({ exitCode, counts: toCounts(report) }).toEqual({ exitCode: 0, counts: [3, 0, 0, 0] })
    expect(server.seen).toEqual([basic, basic])
    await exportFrom(db, 'dump', dump)
    for (const said of [stdout, stderr, JSON.stringify(report), readFileSync(dump, 'utf8')]) expectNoSecret(said)
    expectNoSecret(readFileSync(db, 'latin1'))
    const serving = await startServer({ db, args: ['--threads', '1'] })
    const extras = await (await fetch(`${serving.url}/api/v2/video/1/extras`)).text()
    await serving.stop()
    expectNoSecret(extras)
    expect(JSON.parse(extras)).toMatchObject({ origin: { source: server.url, path: 'id 1' } })
  }))

test('a password in the address is not in the message about a server that refuses, redirects or is unreachable', () =>
  withFolder(async (folder) => {
    const answers = [
      () => new Response('', { status: 403 }),
      () => new Response('', { status: 302, headers: { Location: `http://${user}:${password}@127.0.0.1:1/` } }),
      () => new Response('<html>'),
    ]
    for (const [i, answer] of answers.entries()) {
      const server = startOldServer(records, 2, answer)
      const { stdout, stderr, report } = await importInto(join(folder, `${i}.db`), withUserInfo(server.url))
      server.stop()
      expect(report.refused.length).toBe(1)
      for (const said of [stdout, stderr, JSON.stringify(report)]) expectNoSecret(said)
    }
    const odd = ['/', ' ', '#', '?', '\\', '@', '\t'].flatMap((sign) =>
      ['http', 'htp'].map((scheme) => `${scheme}://ann:1${sign}s3cr@127.0.0.1:1`),
    )
    const away = [
      withUserInfo('http://127.0.0.1:1'),
      withUserInfo('htp://127.0.0.1:1'),
      withUserInfo('http://[::1'),
      ...odd,
    ]
    for (const address of away) {
      const { exitCode, stdout, stderr } = await runRostrum('import', address, '--db', join(folder, 'x.db'))
      expect(exitCode).not.toBe(0)
      for (const said of [stdout, stderr]) expectNoSecret(said)
    }
  }))

test('a password in the name given with --source is not kept', () =>
  withFolder(async (folder) => {
    const db = join(folder, 'a.db')
    const server = startOldServer(records, 2)
    await importInto(db, server.url, '--source', withUserInfo('https://talks.example.org/x'))
    server.stop()
    expectNoSecret(readFileSync(db, 'latin1'))
    const sources = readSources(db)
    expect(sources).toEqual(['https://talks.example.org/x'])
  }))

test('a next page gets only the given password, and only at the host of the server', () =>
  withFolder(async (folder) => {
    const server = startOldServer(records, 2, (url, asked) =>
      asked > 1
        ? null
        : Response.json({ results: [records[0]], next: `http://eve:x@127.0.0.1:1${url.pathname}?page=2&page_size=2` }),
    )
    const { exitCode, report } = await importInto(join(folder, 'a.db'), withUserInfo(server.url))
    server.stop()
    expect({ exitCode, counts: toCounts(report) }).toEqual({ exitCode: 0, counts: [2, 0, 0, 0] })
  }))

function readSources(db: string): readonly string[] {
  const file = new Database(db, { readonly: true })
  const rows = file.query<{ source: string }, []>('SELECT DISTINCT source FROM origin').all()
  file.close()
  return rows.map(({ source }) => source)
}

function expectNoSecret(text: string): void {
  expect(['s3cr', 'ann:'].filter((secret) => text.includes(secret))).toEqual([])
}
