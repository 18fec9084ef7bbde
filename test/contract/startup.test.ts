import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { program } from '../harness/program.ts'
import {
  adminKey,
  createFolder,
  createToken,
  removeFolder,
  type Server,
  type ServerOptions,
  startServer,
} from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { createService, fail, parseFields, tagOf, toPath } from './service.ts'

// Runner: long checkout, long PostgreSQL

setDefaultTimeout(40_000)

const folder = createFolder()
const running: Server[] = []
let key = adminKey

async function start(name: string, options: ServerOptions = {}): Promise<Server> {
  const server = await startServer({ ...options, db: join(folder, `${name}.db`) })
  running.push(server)
  return server
}

const current = () => running.at(-1) ?? fail('No server')
const service = createService(current, () => key)
const isAdmin = async () => (await service.call({ method: 'GET', path: '/api/v2/video', as: 'admin' })).status === 200
const keysIn = (server: Server) => (server.stdout() + server.stderr()).match(/\brst_[A-Za-z0-9_-]+/g) ?? []

afterEach(async () => {
  for (const server of running.splice(0)) await server.kill9()
  key = adminKey
})
afterAll(() => removeFolder(folder))

describe('The first start', () => {
  test('says on the first line of its output where it serves', async () => {
    const { url, stdout } = await start('first')
    expect(stdout().split('\n')[0]).toMatch(/^Rostrum \S+ serves /)
    expect(stdout().split('\n')[0]).toContain(url)
  })

  test('names the site before the API, and no site with --site off', async () => {
    const site = await start('site')
    expect(site.stdout().split('\n').slice(1, 3)).toEqual([
      `Site: ${site.url}/`,
      `API: ${site.url}/api/v2, described at ${site.url}/api/docs`,
    ])
    const named = await start('named', { args: ['--base-url', 'https://talks.example.org/archive'] })
    expect(named.stdout().split('\n')[1]).toBe('Site: https://talks.example.org/archive/')
    expect((await start('off', { args: ['--site', 'off'] })).stdout()).not.toMatch(/^Site:/m)
  })

  test('on an empty store makes an admin token and prints it once, on a terminal', async () => {
    const args = ['--port', '0', '--db', join(folder, 'printed.db')]
    const env = { ...process.env, ROSTRUM_ADMIN_TOKEN: '' }
    let shown = ''
    const data = (_: unknown, bytes: Uint8Array) => {
      shown += Buffer.from(bytes).toString()
    }
    const child = Bun.spawn([program, 'serve', ...args], { env, terminal: { cols: 200, rows: 50, data } })
    await until('the key is shown', () => /Admin token.*\s+rst_\S+\s/.test(shown), { timeoutMs: 20_000 })
    child.kill('SIGTERM')
    await child.exited
    key = /rst_[A-Za-z0-9_-]+/.exec(shown)?.[0] ?? ''
    const again = await start('printed', { env: { ROSTRUM_ADMIN_TOKEN: undefined } })
    expect(await isAdmin()).toBe(true)
    expect([keysIn(again), again.stdout().includes('token create')]).toEqual([[], false])
  })

  test('makes no token if it does not write to a terminal, and says how to', async () => {
    const options = { env: { ROSTRUM_ADMIN_TOKEN: undefined } }
    for (let starts = 0; starts < 2; starts++) {
      const server = await start('logged', options)
      expect(keysIn(server)).toEqual([])
      expect(server.stdout()).toContain(`rostrum token create --name admin --role admin --db ${server.db}\n`)
      if (starts === 0) await server.stop()
    }
    key = await createToken(current(), 'admin', 'admin')
    expect(await isAdmin()).toBe(true)
  })

  test('makes no token when ROSTRUM_ADMIN_TOKEN is set', async () => {
    expect(keysIn(await start('set'))).toEqual([])
  })
})

describe('A start on a public address', () => {
  const warning = 'Host a client sends'
  const cases: readonly (readonly [string, readonly string[], boolean])[] = [
    ['0.0.0.0', [], true],
    ['0.0.0.0', ['--site', 'off'], true],
    ['0.0.0.0', ['--base-url', 'https://talks.example.org'], false],
    ['0.0.0.0', ['--trusted-proxy', '10.0.0.0/8'], false],
    ['127.0.0.1', [], false],
  ]
  for (const [host, args, isWarned] of cases) {
    test(`${isWarned ? 'warns' : 'does not warn'}: ${host} ${args.join(' ')}`, async () => {
      const { stdout, stderr } = await start('public', { host, args: ['--threads', '1', ...args] })
      await until('it is serving', () => stderr().includes('"serving"'))
      expect([stdout().includes(warning), stderr().includes('"no base URL"')]).toEqual([isWarned, isWarned])
    })
  }
})

describe('ROSTRUM_ADMIN_TOKEN', () => {
  for (const value of ['abcdefghijKLMNO-_789', 'x'.repeat(300)]) {
    test(`may have ${value.length} characters`, async () => {
      key = value
      await start(`key-${value.length}`, { env: { ROSTRUM_ADMIN_TOKEN: value } })
      expect(await isAdmin()).toBe(true)
    })
  }

  test('is valid on an old store, while it is set', async () => {
    const first = await start('old')
    expect(await isAdmin()).toBe(true)
    await first.stop()
    key = 'another-admin-key-of-this-store'
    const second = await start('old', { env: { ROSTRUM_ADMIN_TOKEN: key } })
    expect(await isAdmin()).toBe(true)
    key = adminKey
    expect(await isAdmin()).toBe(false)
    await second.stop()
    await start('old', { env: { ROSTRUM_ADMIN_TOKEN: undefined } })
    expect(await isAdmin()).toBe(false)
  })
})

describe('An acknowledged write', () => {
  test('survives kill -9', async () => {
    const server = await start('killed')
    const { id } = await service.create({ title: 'Durable' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => service.create({ title: `Talk ${index}` })),
    )
    const written = await service.patch(id, { summary: 'on disk' }, { Accept: 'application/json' })
    await server.kill9()
    await start('killed')
    const read = await service.read(id)
    expect([read.body, tagOf(read)]).toEqual([written.body, tagOf(written)])
    for (const record of answers) expect(parseFields(await service.read(record.id))).toEqual(record)
  })

  test('survives an orderly stop', async () => {
    const server = await start('stopped')
    const { id } = await service.create({ title: 'Durable' })
    const before = await service.read(id)
    await server.stop()
    await start('stopped')
    const after = await service.call({
      method: 'GET',
      path: toPath(id),
      as: 'admin',
      headers: { Accept: 'application/json' },
    })
    expect([after.body, tagOf(after)]).toEqual([before.body, tagOf(before)])
  })
})
