import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import packageJson from '../package.json'
import { build } from '../scripts/build.ts'
import { toCrossOptions } from '../scripts/platforms.ts'
import { readBuildCommit } from '../src/build-commit.ts'
import { sqliteMigrations } from '../src/store/schema/migrations.ts'
import { spawnServer } from './faults/spawn.ts'

// That it serves as the checkout does is for test/run.ts: it runs the tests of the contract on the executable.

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'rostrum-executable-')))
const program = join(scratch, 'rostrum')
const folder = join(scratch, 'empty')
const talks = resolve(import.meta.dir, 'archive/fixtures/talks')

/** Our code with its bytecode, beside Bun itself. */
const maxOwnBytes = 20_000_000

beforeAll(async () => {
  await build(program)
  mkdirSync(folder)
}, 180_000)
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

test('the build leaves one file, not much larger than Bun', () => {
  expect(readdirSync(scratch).sort()).toEqual(['empty', 'rostrum'])
  expect(statSync(program).size - statSync(process.execPath).size).toBeLessThan(maxOwnBytes)
})

test('it prints its version and its help in an empty folder', () => {
  const commit = readBuildCommit() ?? 'unknown'
  const stdout = `rostrum ${packageJson.version} (commit ${commit}, schema ${sqliteMigrations.length})\n`
  expect(run('--version')).toEqual({ exitCode: 0, stdout, stderr: '' })
  for (const command of ['serve', 'token', 'import', 'export', 'backup', 'restore', 'doctor', 'purge']) {
    expect(run(command, '--help')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`rostrum ${command}`) })
  }
})

test('it serves its sample with its clips, its lists, its description and its page', async () => {
  const options = ['--host', '127.0.0.1', '--port', '0', '--threads', '2', '--sample', '--auth', 'local']
  const server = await spawnServer([program, 'serve', ...options], { cwd: folder })
  const at = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init)
  try {
    expect(await (await at('/api/v2/video?q=tide&format=json')).json()).toMatchObject({ count: expect.any(Number) })
    const clip = await at('/assets/sample/dusk.webm', { headers: { Range: 'bytes=0-3' } })
    expect([clip.status, [...(await clip.bytes())]]).toEqual([206, [0x1a, 0x45, 0xdf, 0xa3]])
    const change = { method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: '{"whiteboard":"seen"}' }
    expect(await (await at('/api/v2/video/1', change)).json()).toMatchObject({ id: 1, whiteboard: 'seen' })
    expect(await (await at('/api/v2/openapi.json')).json()).toMatchObject({ openapi: '3.1.0' })
    const page = await (await at('/api/docs')).text()
    const names = [...page.matchAll(/"(\/api\/docs\/[^"]+)"/g)].map(([, name]) => name ?? '')
    expect(names).toHaveLength(3)
    for (const name of names) expect((await at(name)).status).toBe(200)
  } finally {
    expect(await server.stop()).toBe(0)
  }
  expect(readdirSync(folder)).toEqual(['data'])
})

test('its other commands work there too, one after the other', () => {
  const lines = [
    `import ${talks} --db talks.db`,
    'token create --name ann --role publisher --db talks.db',
    'export --format pyvideo --out out --db talks.db',
    'backup talks.backup --db talks.db',
    'purge 2 --yes --db data/rostrum.db',
    'restore talks.backup --replace --db talks.db',
    'doctor --rebuild --db talks.db',
    'doctor --db talks.db',
  ]
  for (const line of lines) {
    const { exitCode, stderr } = run(...line.split(' '))
    expect([line, exitCode, exitCode === 0 ? '' : stderr]).toEqual([line, 0, ''])
  }
})

test('a platform whose Bun cannot be downloaded is refused with a message', () => {
  const runtimes = join(scratch, 'runtimes')
  const unreachable = { npm_config_registry: 'http://127.0.0.1:1', npm_config_fetch_retries: '0' }
  Object.assign(process.env, unreachable)
  try {
    expect(() => toCrossOptions('linux-arm64-musl', runtimes)).toThrow(
      /^Cannot build for linux-arm64-musl: npm cannot download @oven\/bun-linux-aarch64-musl@[\d.]+\. `npm run build` alone/,
    )
  } finally {
    for (const name of Object.keys(unreachable)) delete process.env[name]
  }
  expect(readdirSync(runtimes)).toEqual([])
})

const isRoot = process.platform === 'linux' && process.getuid?.() === 0

// Only root may change the root folder. A skipped case would count as failed.
if (isRoot)
  test('it serves as an unprivileged user, with an empty environment, in a root of the C library and /proc', async () => {
    const own = join(scratch, 'root')
    for (const name of ['proc', 'data']) mkdirSync(join(own, name), { recursive: true })
    for (const library of listLibraries(program)) cpSync(library, join(own, library), { dereference: true })
    copyFileSync(program, join(own, 'rostrum'))
    chmodSync(scratch, 0o755)
    chownSync(join(own, 'data'), nobody, nobody)
    const inside = `mount --rbind /proc ${own}/proc && exec env -i ${Bun.which('chroot')} --userspec=${nobody}:${nobody} ${own} "$@"`
    const args = ['/rostrum', 'serve', '--host', '127.0.0.1', '--port', '0', '--db', '/data/talks.db', '--sample']
    const server = await spawnServer(['unshare', '--mount', 'sh', '-c', inside, 'sh', ...args])
    try {
      expect((await fetch(`http://127.0.0.1:${server.port}/api/v2/video/1`)).status).toBe(200)
    } finally {
      expect(await server.stop()).toBe(0)
    }
    expect(statSync(join(own, 'data/talks.db')).uid).toBe(nobody)
  }, 180_000)

const nobody = 65_534

function listLibraries(file: string): readonly string[] {
  return Bun.spawnSync(['ldd', file]).stdout.toString().match(/\/\S+/g) ?? []
}

function run(...args: string[]) {
  const env = { PATH: process.env.PATH ?? '' }
  const { exitCode, stdout, stderr } = Bun.spawnSync([program, ...args], { cwd: folder, env, stdin: 'ignore' })
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() }
}
