import { afterAll, expect, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import packageJson from '../package.json'
import * as help from '../src/cli/help.ts'
import { sqliteMigrations } from '../src/store/schema/migrations.ts'
import { spawnServer } from './faults/spawn.ts'
import { program } from './harness/program.ts'

// Runner: checkout

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'rostrum-launcher-')))

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const commit = Bun.spawnSync(['git', 'rev-parse', '--short=12', 'HEAD'], { cwd: import.meta.dir })
  .stdout.toString()
  .trim()
const versionLine = `rostrum ${packageJson.version} (commit ${commit || 'unknown'}, schema ${sqliteMigrations.length})\n`
const hostileKey = 'key-of-the-hostile-folder'

test('--version says the version of package.json, the commit and the schema', async () => {
  expect(await run(program, ['--version'])).toEqual({ exitCode: 0, stdout: versionLine, stderr: '' })
})

test('--help names every command that has its own help, and exits with 0', async () => {
  const { exitCode, stdout, stderr } = await run(program, ['--help'])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  const isCommandHelp = (value: unknown): value is () => string => typeof value === 'function' && value.length === 0
  const texts = Object.values(help)
    .filter(isCommandHelp)
    .map((toText) => toText())
  const commands = texts.flatMap((text) => /rostrum ([a-z][a-z-]*)/.exec(text)?.[1] ?? [])
  expect(commands.length).toBeGreaterThan(10)
  expect(commands.filter((command) => !stdout.includes(`\n  rostrum ${command} `))).toEqual([])
})

test('serve --help names every setting of the server', async () => {
  const { exitCode, stdout } = await run(program, ['serve', '--help'])
  expect(exitCode).toBe(0)
  for (const flag of ['--host', '--port', '--db', '--auth', '--threads']) expect(stdout).toContain(flag)
})

test('a symbolic link to a symbolic link in another folder starts the same program', async () => {
  const folder = join(scratch, 'with space', 'bin')
  mkdirSync(folder, { recursive: true })
  symlinkSync(program, join(folder, 'first'))
  symlinkSync('first', join(folder, 'rostrum'))
  const { exitCode, stdout } = await run(join(folder, 'rostrum'), ['--version'], folder)
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: versionLine })
})

test("packages that are missing behind a link are not installed into somebody else's folder", async () => {
  const [checkout, others] = [join(scratch, 'checkout'), join(scratch, 'others')]
  mkdirSync(join(checkout, 'bin'), { recursive: true })
  mkdirSync(others)
  writeFileSync(join(others, 'kept'), '')
  copyFileSync(join(import.meta.dir, '../bin/bun'), join(checkout, 'bin/bun'))
  symlinkSync(others, join(checkout, 'node_modules'))
  const { exitCode, stderr } = await run(join(checkout, 'bin/bun'), ['--version'])
  expect(exitCode).toBe(69)
  expect(stderr).toContain('node_modules')
  expect(readdirSync(others)).toEqual(['kept'])
})

test('a mistyped command gets a suggestion', async () => {
  const { exitCode, stderr } = await run(program, ['improt', 'talks'])
  expect([exitCode, stderr]).toEqual([
    64,
    'rostrum: Unknown command "improt". Did you mean import? See: rostrum --help\n',
  ])
})

for (const args of [['fly'], ['--fly'], ['serve', '--fly'], ['token', 'fly']]) {
  test(`rostrum ${args.join(' ')} is refused with a hint and an exit code of its own`, async () => {
    const { exitCode, stdout, stderr } = await run(program, args)
    expect(exitCode).toBe(64)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^rostrum: .+ See: rostrum .*--help\n$/)
    expect(stderr).not.toMatch(/^\s+at /m)
  })
}

// What Bun, left to itself, takes from the folder it is called from; each would run a program of somebody else's.
const evil = 'require("node:fs").writeFileSync(__dirname + "/ran", "")'
const hostileFiles: Readonly<Record<string, string>> = {
  '.env': `ROSTRUM_ADMIN_TOKEN=${hostileKey}\nROSTRUM_PORT=x\nBUN_OPTIONS=--preload=./evil.ts\n`,
  'bunfig.toml': 'preload = ["./evil.ts"]\n',
  'package.json': '{"name": "hostile", "type": "commonjs", "imports": {"#*": "./evil.ts"}}\n',
  'tsconfig.json': '{"compilerOptions": {"paths": {"*": ["./evil.ts"]}}}\n',
  'node_modules/parse5/index.js': evil,
}

for (const file of Object.keys(hostileFiles)) {
  test(`a hostile ${file} in the working directory has no effect`, async () => {
    const folder = createHostileFolder([file])
    expect(await run(program, ['--version'], folder)).toEqual({ exitCode: 0, stdout: versionLine, stderr: '' })
    expect(existsSync(join(folder, 'ran'))).toBe(false)
  })
}

test('a server started in a hostile folder takes nothing from it', async () => {
  const folder = createHostileFolder(Object.keys(hostileFiles))
  const command = [program, 'serve', '--host', '127.0.0.1', '--port', '0', '--db', join(scratch, 'records.db')]
  const server = await spawnServer(command, { cwd: folder })
  try {
    const headers = { Authorization: `Token ${hostileKey}` }
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/v2/video`, { headers })
    expect(answer.status).toBe(401)
  } finally {
    await server.stop()
  }
  expect(existsSync(join(folder, 'ran'))).toBe(false)
})

function createHostileFolder(files: readonly string[]): string {
  const folder = mkdtempSync(join(scratch, 'hostile-'))
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), hostileFiles[file] ?? '')
  }
  writeFileSync(join(folder, 'evil.ts'), evil)
  return folder
}

async function run(command: string, args: readonly string[], cwd = scratch) {
  const child = Bun.spawn([command, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { exitCode: await child.exited, stdout, stderr }
}
