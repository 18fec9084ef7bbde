import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { spawnServer } from './faults/spawn.ts'
import { createCluster } from './harness/postgres.ts'

const root = resolve(import.meta.dir, '..')
const readme = await Bun.file(join(root, 'README.md')).text()
const lines = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
  block.split('\n').filter((line) => line !== ''),
)
const folder = mkdtempSync(join(tmpdir(), 'rostrum-readme-'))
const db = join(folder, 'readme.db')
const port = await findFreePort()

let server: ReturnType<typeof Bun.spawn>

beforeAll(async () => {
  server = Bun.spawn(['npm', 'start'], { cwd: root, env: toEnvironment(), stdout: 'ignore', stderr: 'ignore' })
  for (let attempt = 0; attempt < 100 && !(await isReady()); attempt++) await Bun.sleep(100)
})

afterAll(async () => {
  // npm and its shell do not always hand a signal on.
  for (const pid of toDescendants(server.pid)) Bun.spawnSync(['kill', String(pid)])
  await server.exited
  rmSync(folder, { recursive: true, force: true })
})

test('README is within one screen of commands', () => {
  expect(lines).toEqual([
    'npm start',
    expect.stringMatching(/^curl http/),
    expect.stringMatching(/^curl 'http.*q=/),
    expect.stringMatching(/^curl -X PATCH/),
    expect.stringMatching(/^curl http.*history/),
    expect.stringMatching(/^curl -X POST.*restore/),
    expect.stringMatching(/^bin\/rostrum serve --db/),
    expect.stringMatching(/^bin\/rostrum token create/),
    expect.stringMatching(/^bin\/rostrum serve --help/),
    expect.stringMatching(/^bin\/rostrum import .*--dry-run/),
    expect.stringMatching(/^bin\/rostrum import/),
    expect.stringMatching(/^bin\/rostrum export/),
    expect.stringMatching(/^bin\/rostrum backup/),
    expect.stringMatching(/^bin\/rostrum doctor/),
    expect.stringMatching(/^bin\/rostrum migrate-store/),
    expect.stringMatching(/^bin\/rostrum serve --db postgres:/),
    expect.stringMatching(/^npm run build/),
    expect.stringMatching(/^npm test/),
  ])
})

test('its curl lines work as they are after npm start', () => {
  for (const line of lines.filter((each) => each.startsWith('curl'))) {
    const here = line.replace('127.0.0.1:8000', `127.0.0.1:${port}`).replace(/^curl/, 'curl --silent --fail-with-body')
    const { exitCode, stdout } = Bun.spawnSync(['sh', '-c', here], { env: toEnvironment() })
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout.toString())).toMatchObject(toExpected(line))
  }
})

test('its token and help lines work', () => {
  for (const line of lines.filter((each) => /token create|--help/.test(each))) {
    const here = line.replace('--db talks.db', '')
    const { exitCode, stdout } = Bun.spawnSync(['sh', '-c', here], { cwd: root, env: toEnvironment() })
    expect(exitCode).toBe(0)
    expect(stdout.toString()).toMatch(/^rst_[A-Za-z0-9_-]{32}\n$|--port/)
  }
})

test('its build line leaves an executable', () => {
  for (const line of lines.filter((each) => each.startsWith('npm run build'))) {
    expect(Bun.spawnSync(['sh', '-c', line], { cwd: root }).exitCode).toBe(0)
  }
  const { stdout } = Bun.spawnSync([join(root, 'dist/rostrum'), '--version'])
  expect(stdout.toString()).toMatch(/^rostrum \d/)
})

test('its lines for archives work, one after the other', () => {
  const archive = join(root, 'test/archive/fixtures/talks')
  const wanted = lines.filter((each) => /rostrum (?:import|export|backup|doctor) /.test(each))
  for (const line of wanted) {
    const here = line.replace('../data', archive).replaceAll(/(talks\.db|--out out|backup [^ ]+)/g, (word) => {
      const [flag, name] = word.includes(' ') ? word.split(' ') : ['', word]
      return `${flag} ${join(folder, name ?? '')}`.trim()
    })
    const { exitCode, stderr } = Bun.spawnSync(['sh', '-c', here], { cwd: root, env: toEnvironment() })
    expect([line, exitCode, exitCode === 0 ? '' : stderr.toString()]).toEqual([line, 0, ''])
  }
})

test('its lines for PostgreSQL work, one after the other', async () => {
  const cluster = await createCluster({ fsync: false })
  await cluster.start()
  const wanted = lines.filter((each) => each.includes('postgres://'))
  const here = wanted.map((line) =>
    line
      .replace('postgres://rostrum@localhost/talks', cluster.toUrl('postgres'))
      .replace('talks.db', join(folder, 'talks.db')),
  )
  const moved = Bun.spawnSync(['sh', '-c', here[0] ?? ''], { cwd: root, env: toEnvironment() })
  expect([moved.exitCode, moved.stderr.toString()]).toEqual([0, expect.stringContaining('has everything')])
  const node = await spawnServer(['sh', '-c', `exec ${here[1]} --port 0`], { cwd: root })
  const answer = await fetch(`http://127.0.0.1:${node.port}/api/v2/video/101`)
  expect(answer.status).toBe(200)
  expect(await node.stop()).toBe(0)
  await cluster.remove()
})

function toExpected(line: string): object {
  if (line.endsWith('/history')) return { count: 2 }
  return line.includes('?q=') ? { results: expect.arrayContaining([{ id: 1, title: expect.any(String) }]) } : { id: 1 }
}

function toDescendants(pid: number): number[] {
  const children = Bun.spawnSync(['ps', '-o', 'pid=', '--ppid', String(pid)])
    .stdout.toString()
    .trim()
    .split(/\s+/)
  const pids = children.filter((each) => each !== '').map(Number)
  return [...pids.flatMap(toDescendants), pid]
}

function toEnvironment(): Record<string, string | undefined> {
  return { ...process.env, ROSTRUM_DB: `sqlite:${db}`, PORT: String(port) }
}

async function isReady(): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    (response) => response.ok,
    () => false,
  )
}

async function findFreePort(): Promise<number> {
  const probe = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const found = probe.port ?? 0
  await probe.stop(true)
  return found
}
