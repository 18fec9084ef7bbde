import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createClient } from '../../src/client/client.ts'
import { type Server, startServer } from '../harness/server.ts'
import { linkClient, readExamples } from './examples.ts'
import { expected } from './expected.ts'
import { runScenario } from './scenario.ts'
import { unwrap } from './seen.ts'

// Runner: long PostgreSQL

const root = resolve(import.meta.dir, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'rostrum-client-'))
let server: Server

beforeAll(async () => {
  server = await startServer({ args: ['--threads', '2', '--sample'] })
}, 180_000)

afterAll(async () => {
  await server?.kill9()
  rmSync(scratch, { recursive: true, force: true })
})

describe('The client', () => {
  test('does everything in Bun', async () => {
    expect(await runScenario(server.url, server.adminKey, 'Bun')).toEqual(expected)
  })

  test('does everything in Node', async () => {
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

  test('reads as an anonymous caller with an empty token', async () => {
    const client = createClient({ baseUrl: server.url, token: '' })
    expect(await client.get(999_999)).toMatchObject({ ok: false, problem: { status: 404 } })
  })

  test('documents each function', async () => {
    const page = await Bun.file(join(root, 'docs/client.md')).text()
    const list = (object: object, before = ''): readonly string[] =>
      Object.entries(object).flatMap(([name, value]) =>
        typeof value === 'function' ? [`${before}${name}(`] : list(value, `${before}${name}.`),
      )
    const names = list(createClient({ baseUrl: server.url }))
    expect(names).toContain('speakers.merge(')
    expect(names.filter((name) => !page.includes(`\`${name}`))).toEqual([])
  })

  test('runs the documented examples unchanged', async () => {
    const here = (await readExamples()).replace('https://videos.example.org', server.url)
    const client = createClient({ baseUrl: server.url, token: server.adminKey })
    for (const name of ['Ana Sol', 'Ana Sol', 'Ána Sol']) {
      unwrap(await client.create({ category: 'Two spellings', title: 'A talk', speakers: [name] }))
    }
    await linkClient(scratch)
    await Bun.write(join(scratch, 'example.ts'), here)
    const env = { ...process.env, ROSTRUM_TOKEN: server.adminKey }
    const { exitCode, stdout, stderr } = await run([join(root, 'bin/bun'), join(scratch, 'example.ts')], env)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    const isMerge = (line: string) => / now, in \d+ records$/.test(line)
    const lines = stdout.trim().split('\n')
    expect(lines.filter(isMerge)).toContain('Ána Sol is Ana Sol now, in 1 records')
    expect(lines.filter((line) => !isMerge(line))).toEqual([
      expect.stringMatching(/^\S.* \(ETag "1-[0-9a-f]{8}\.json"\)$/),
      ...Array.from({ length: 3 }, () => expect.stringMatching(/^\d{4}-\d\d-\d\d .+/)),
      expect.stringMatching(/^Created \d+, now tagged checked$/),
      'No such record.',
      expect.stringMatching(/^1 to change, the first: \{"language":\{"before":"","after":"English"\},"tags":/),
      'Changed 1',
      '1 changed back, 0 left as they are',
    ])
  })
})

async function run(command: string[], env: Record<string, string | undefined> = process.env) {
  const child = Bun.spawn(command, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { exitCode: await child.exited, stdout, stderr }
}
