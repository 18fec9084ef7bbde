import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openForWriting } from '../../src/store/sqlite/connection.ts'
import { runToEnd } from '../faults/spawn.ts'
import { program } from '../harness/program.ts'
import { until } from '../harness/until.ts'
import { addLinks, readStoredLinks, startHosts } from '../link/link-server.ts'
import { createStore, runRostrum, toTalk } from './store-command.ts'

const timeoutMs = 60_000
let folder = ''
let db = ''
let agent: string | null = null
let hosts: ReturnType<typeof startHosts>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rostrum-check-links-'))
  db = join(folder, 'talks.db')
  await createStore(db, [toTalk('A talk')])
  hosts = startHosts(({ pathname }, headers) => {
    agent = headers.get('user-agent')
    return new Response('', { status: pathname === '/gone' ? 404 : 200 })
  })
})
afterEach(async () => {
  await hosts.stop()
  rmSync(folder, { recursive: true })
})

const add = (...names: readonly string[]) => addLinks(db, names.map(hosts.toUrl))
const listLines = () => hosts.requests.map(({ line }) => line).toSorted()
const check = (...more: readonly string[]) => runRostrum('check-links', '--db', db, ...more)
const checkInside = (...more: readonly string[]) =>
  check('--check-private', 'on', '--contact', 'me@archive.example', ...more)

test(
  'asks hosts, stores what they answer, and reports it',
  async () => {
    await add('127.0.0.2/fine', '127.0.0.3/gone')
    const report = join(folder, 'report.json')
    const { stdout, stderr, exitCode } = await checkInside('--report', report)
    expect({ stderr, exitCode }).toEqual({ stderr: expect.stringContaining('Addresses: 2 of 2'), exitCode: 0 })
    expect(stdout).toContain('Checked 2 addresses: 1 ok, 1 gone.\n')
    expect(stdout).toContain(`unknown -> ok: ${hosts.toUrl('127.0.0.2/fine')}\n`)
    expect(listLines()).toEqual([...['GET 127.0.0.3/gone', 'HEAD 127.0.0.2/fine', 'HEAD 127.0.0.3/gone']])
    expect(agent ?? '').toMatch(/^Rostrum\/[\d.a-z-]+ \(link check; me@archive\.example\)$/)
    expect((await readStoredLinks(db)).map(({ state, failures }) => [state, failures])).toEqual([
      ['ok', 0],
      ['unknown', 1],
    ])
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ run: 1, asked: 2, finished: true, down: [] })
    // A week has not passed.
    expect((await checkInside()).stdout).toContain('Checked 0 addresses.')
  },
  timeoutMs,
)

test(
  'contacts nothing in the local network unless it is allowed',
  async () => {
    await add('127.0.0.2/fine', 'localhost/fine')
    const { stdout, stderr } = await check()
    expect(stdout).toContain('Checked 2 addresses: 2 refused.')
    expect(stderr).toContain('set --contact')
    expect(listLines()).toEqual([])
    expect((await readStoredLinks(db)).map(({ state, evidence }) => [state, evidence])).toEqual([
      ['unknown', 'not checked'],
      ['unknown', 'not checked'],
    ])
    // A week has not passed, but they were not asked about.
    expect((await checkInside()).stdout).toContain('Checked 2 addresses: 2 ok.')
  },
  timeoutMs,
)

test('asks a host once a second; a second run names the process of the first; kill -9 loses little, and the next run continues', async () => {
  // On a file, results are stored every 30 seconds.
  const names = [...Array.from({ length: 45 }, (_, i) => `127.0.0.2/${i}`), '127.0.0.3/1', '127.0.0.3/2']
  await add(...names)
  const command = [program, 'check-links', '--db', db, '--check-private', 'on']
  const first = Bun.spawn(command, { stdio: ['ignore', 'ignore', 'ignore'] })
  await until('requests', () => hosts.requests.length >= 2)
  const second = await checkInside()
  expect(second).toMatchObject({ exitCode: 69, stderr: expect.stringContaining(`process ${first.pid} on`) })
  const hasResults = async () => (await readStoredLinks(db)).some(({ checked }) => checked !== null)
  await until('results', hasResults, { timeoutMs: 60_000 })
  first.kill('SIGKILL')
  await first.exited
  const stored = (await readStoredLinks(db)).filter(({ checked }) => checked !== null).length
  expect(stored).toBeGreaterThan(0)
  const before = hosts.requests.length
  // Its lease would last for a minute.
  const writing = openForWriting(db, 5_000)
  writing.run("UPDATE link_run SET lease_until = ''")
  writing.close()
  const { stdout, exitCode } = await runToEnd(command, 60_000)
  expect({ stdout, exitCode }).toEqual({ stdout: expect.stringContaining('continuing an earlier run'), exitCode: 0 })
  expect(hosts.requests.length - before).toBe(names.length - stored)
  expect((await readStoredLinks(db)).every(({ state, run }) => state === 'ok' && run === 1)).toBe(true)
}, 180_000)

test('refuses wrong options before it contacts anybody', async () => {
  for (const [flags, problem] of [
    [['--older-than', 'long'], '--older-than must be a duration'],
    [['--host', 'https://www.youtube.com/'], '--host must be the name of a host'],
    [['--limit', '0'], '--limit must be a whole number'],
    [['--query', 'nonsense=1'], '--query: '],
    [['now'], 'takes options only'],
  ] as const)
    expect(await check(...flags)).toMatchObject({ exitCode: 64, stderr: expect.stringContaining(problem) })
})
