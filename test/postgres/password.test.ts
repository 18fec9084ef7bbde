import { beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { program } from '../harness/program.ts'
import { startServer } from '../harness/server.ts'
import { useCluster, withRows } from './databases.ts'

const cluster = useCluster()
/** Signs that have to be written otherwise in an address. */
const password = 's3cret@:/?#%é'
const toAddress = (user: string) => cluster().toUrl('postgres').replace('rostrum@', `${user}@`)

beforeAll(async () => {
  await withRows(cluster().toUrl('postgres'), async (db) => {
    await db.script(`ALTER USER rostrum PASSWORD '${password}'`)
    const file = (await db.query<{ file: string }, []>(`SELECT current_setting('hba_file') AS file`).get())?.file
    await db.script(`COPY (SELECT 'host all all all scram-sha-256') TO '${file}'`)
    await db.script('SELECT pg_reload_conf()')
  })
})

async function createToken(db: string, env: Record<string, string>) {
  const child = Bun.spawn([program, 'token', 'create', '--name', crypto.randomUUID(), '--role', 'reader'], {
    env: { PATH: process.env.PATH ?? '', ROSTRUM_DB: db, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { exitCode: await child.exited, said: `${stdout}${stderr}` }
}

test.each([
  ['in PGPASSWORD', 'rostrum', { PGPASSWORD: password }, 0],
  ['in the address', `rostrum:${encodeURIComponent(password)}`, {}, 0],
  ['missing', 'rostrum', {}, 78],
  ['wrong in PGPASSWORD', 'rostrum', { PGPASSWORD: `${password}x` }, 78],
  ['wrong in the address', 'rostrum:s3cretx', {}, 78],
  ['written as it is', `rostrum:${password}`, {}, 78],
])('a password that is %s', async (_, user, env, code) => {
  const { exitCode, said } = await createToken(toAddress(user), env)
  expect({ exitCode, said }).toMatchObject({ exitCode: code })
  expect(said).not.toContain('s3cret')
})

test('a database that is not there is said to be missing', async () => {
  const { exitCode, said } = await createToken(cluster().toUrl('none'), { PGPASSWORD: password })
  expect([exitCode, said]).toEqual([66, expect.stringContaining('createdb')])
})

test('a node that serves shows its password nowhere', async () => {
  const db = toAddress(`rostrum:${encodeURIComponent(password)}`)
  // What comes first wins, and this harness names a store on the command line: the password is in the environment there.
  const server = await startServer({ db: toAddress('rostrum'), env: { ROSTRUM_DB: db, PGPASSWORD: password } })
  const paths = ['/', '/readyz', '/metrics', '/api/v2/video/1', '/api/v2/openapi.json']
  const answers = await Promise.all(paths.map(async (path) => (await fetch(server.url + path)).text()))
  await cluster().kill()
  const failed = await fetch(`${server.url}/api/v2/video/1`)
  expect(failed.status).toBe(503)
  answers.push(await failed.text())
  expect(listCommandLines().filter((line) => line.includes('s3cret'))).toEqual([])
  await server.stop()
  expect([...answers, server.stdout(), server.stderr()].filter((text) => text.includes('s3cret'))).toEqual([])
})

/** As in a list of processes. */
function listCommandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch {
        return ''
      }
    })
}
