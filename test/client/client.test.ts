import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Server, startServer } from '../harness/server.ts'
import { runScenario, type Seen } from './scenario.ts'

const root = resolve(import.meta.dir, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'rostrum-client-'))
let server: Server

beforeAll(async () => {
  server = await startServer({ args: ['--threads', '2', '--sample'] })
}, 60_000)

afterAll(async () => {
  await server?.kill9()
  rmSync(scratch, { recursive: true, force: true })
})

const expected: Seen = {
  read: { id: 1, hasTag: true, missing: 404 },
  created: { title: 'Once', isSame: true, errors: ['category', 'title', 'duration'] },
  updated: {
    statuses: ['ok', 'ok', 'ok', 'ok', 'ok'],
    plain: 'Plain.',
    tags: ['a', 'b', 'c', 'd', 'e'],
    missing: 404,
  },
  conflicts: { none: 412, enough: 'ok', tooFew: 412 },
  listed: {
    marks: [['c', [0, 1]]],
    titles: ['a', 'b', 'c', 'd', 'e'],
    isWhole: true,
    second: ['c', 'b', 'a'],
    bad: [400],
  },
  suggested: ['0 found', 400],
  history: {
    title: 'First',
    hasTag: true,
    versions: [1, 1],
    changes: ['1 created', '2 updated', '3 updated'],
    later: 0,
    missing: 404,
    otherStore: [409],
    ahead: [400],
  },
  failures: { network: 0, list: [0], wrongToken: 401, noJson: 0 },
}

describe('The client', () => {
  test('does all it can in Bun', async () => {
    expect(await runScenario(server.url, server.adminKey, 'Bun')).toEqual(expected)
  })

  test('does the same in Node', async () => {
    const built = await Bun.build({
      entrypoints: [join(import.meta.dir, 'node-run.ts')],
      outdir: scratch,
      naming: 'run.mjs',
      target: 'node',
    })
    expect(built.success).toBe(true)
    const { exitCode, stdout, stderr } = await run(['node', join(scratch, 'run.mjs'), server.url, server.adminKey])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual(expected)
  })

  test('runs the example of its page as it stands there', async () => {
    const page = await Bun.file(join(root, 'docs/client.md')).text()
    const example = /```ts\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
    const here = example.replace('https://videos.example.org', server.url)
    mkdirSync(join(scratch, 'node_modules'))
    symlinkSync(root, join(scratch, 'node_modules/rostrum'))
    await Bun.write(join(scratch, 'example.ts'), here)
    const env = { ...process.env, ROSTRUM_TOKEN: server.adminKey }
    const { exitCode, stdout, stderr } = await run([join(root, 'bin/bun'), join(scratch, 'example.ts')], env)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringMatching(/^\S.* \(ETag "1-[0-9a-f]{8}\.json"\)$/),
      ...Array.from({ length: 3 }, () => expect.stringMatching(/^\d{4}-\d\d-\d\d .+/)),
      expect.stringMatching(/^Created \d+, now tagged checked$/),
      'No such record.',
    ])
  })
})

async function run(command: string[], env: Record<string, string | undefined> = process.env) {
  const child = Bun.spawn(command, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { exitCode: await child.exited, stdout, stderr }
}
