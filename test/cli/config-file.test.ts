import { expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../src/settings/config.ts'
import { parseConfigFile } from '../../src/settings/config-file.ts'
import { withFolder } from '../faults/scratch.ts'
import { startServer } from '../harness/server.ts'
import { createStore, runRostrum, toTalk } from './store-command.ts'

const names = ['port', 'base-url', 'site-name', 'admin-token']

test('a value extends to the end of its line; comments, empty lines, a BOM and CRLF are skipped', () => {
  const text = '\ufeff# ours\r\n\r\n  port=9000\r\nsite-name =  Talks # 1 = best \r\n   # more\r\nbase-url =\n'
  const parsed = parseConfigFile(text, 'a.conf', names)
  expect(parsed.ok && [...parsed.values]).toEqual([
    ['port', { text: '9000', line: 3 }],
    ['site-name', { text: 'Talks # 1 = best', line: 4 }],
    ['base-url', { text: '', line: 6 }],
  ])
})

test.each([
  ['prot = 1', 'a.conf, line 1: Unknown setting prot. Did you mean port?'],
  ['port = 1\nport = 2', 'a.conf, line 2: port is already set in line 1.'],
  ['port 1', 'a.conf, line 1 is not NAME = VALUE.'],
  ['[server]', 'a.conf, line 1 is not NAME = VALUE.'],
  ['--port = 1', 'a.conf, line 1 is not NAME = VALUE.'],
  ['PORT = 1', 'a.conf, line 1 is not NAME = VALUE.'],
])('%j is refused: %s', (text, problem) => {
  expect(parseConfigFile(text, 'a.conf', names)).toEqual({ ok: false, problems: [problem] })
})

test('every problem of a file is reported, and none shows a value', () => {
  const parsed = parseConfigFile('secret-key-of-ours\nadmin-tokn = secret\n', 'a.conf', names)
  expect(parsed).toEqual({
    ok: false,
    problems: [
      'a.conf, line 1 is not NAME = VALUE.',
      'a.conf, line 2: Unknown setting admin-tokn. Did you mean admin-token?',
    ],
  })
})

test('a flag takes precedence over a variable, then the file, then the default', () =>
  withFolder(async (folder) => {
    const file = join(folder, 'rostrum.conf')
    writeFileSync(file, 'port = 1\nslow-ms = 2\nadmin-token = abcdefghijklmnopqrstuvwxyz\naccess-log = on\n')
    const read = readConfig(new Map([['port', '5']]), { ROSTRUM_CONFIG: file, ROSTRUM_SLOW_MS: '7' })
    if (!read.ok) throw new Error(read.problems.join())
    const { port, slowMs, adminToken, accessLog, maxStreams } = read.config
    expect({ port, slowMs, adminToken, accessLog, maxStreams }).toEqual({
      ...{ port: 5, slowMs: 7, adminToken: 'abcdefghijklmnopqrstuvwxyz', accessLog: true, maxStreams: 1000 },
    })
    expect([read.origins.port?.from, read.origins.slowMs?.from, read.origins.maxStreams]).toEqual([
      ...['--port', 'ROSTRUM_SLOW_MS', null],
    ])
  }))

test('a wrong value names the file and the line, and all wrong values are reported', () =>
  withFolder(async (folder) => {
    const file = join(folder, 'rostrum.conf')
    writeFileSync(file, 'port = x\nadmin-token = too-short\n')
    const read = readConfig(new Map([['config', file]]), {})
    expect(read).toEqual({
      ok: false,
      problems: [
        `${file}, line 1, must be a whole number from 0 to 65535.`,
        `${file}, line 2, must be at least 20 characters of A-Z a-z 0-9 _ -.`,
      ],
    })
  }))

test('a file cannot name another file', () => {
  const read = (text: string) =>
    withFolder(async (folder) => {
      const file = join(folder, 'rostrum.conf')
      writeFileSync(file, text)
      return readConfig(new Map([['config', file]]), {})
    })
  return expect(read('config = /etc/other.conf')).resolves.toMatchObject({ ok: false })
})

test('config show prints every value and its source, but no secret', () =>
  withFolder(async (folder) => {
    const file = join(folder, 'rostrum.conf')
    const key = 'a-secret-of-26-characters-'
    writeFileSync(file, `admin-token = ${key}\ndb = postgres://ann:hidden-password@db.example/talks\n`)
    const { exitCode, stdout } = await runRostrum('config', 'show', '--config', file, '--port', '9000')
    expect([exitCode, stdout.includes(key), stdout.includes('hidden-password')]).toEqual([0, false, false])
    expect(stdout).toMatch(/^port +9000 +--port$/m)
    expect(stdout).toMatch(/^host +127\.0\.0\.1 +default$/m)
    expect(stdout).toContain(`${file}, line 1\n`)
    expect(stdout).toMatch(/^db +postgres:\/\/ann@db\.example\/talks /m)
  }))

test('config check says what serve would refuse, and warns of a secret that others can read', () =>
  withFolder(async (folder) => {
    const file = join(folder, 'rostrum.conf')
    const check = () => runRostrum('config', 'check', '--config', file)
    expect(await check()).toMatchObject({ exitCode: 78, stderr: expect.stringContaining('Cannot read') })
    writeFileSync(file, 'prot = 1\n')
    expect(await check()).toMatchObject({ exitCode: 78, stderr: expect.stringContaining('Did you mean port?') })
    writeFileSync(file, 'about = missing.md\n')
    expect(await check()).toMatchObject({ exitCode: 78 })
    writeFileSync(file, 'admin-token = abcdefghijklmnopqrstuvwxyz\n')
    chmodSync(file, 0o644)
    expect(await check()).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('chmod 600') })
    chmodSync(file, 0o600)
    expect(await check()).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('chmod 600') })
  }))

test('serve and commands find their store through the same file', () =>
  withFolder(async (folder) => {
    const [file, db] = [join(folder, 'rostrum.conf'), join(folder, 'a.db')]
    await createStore(db, [toTalk('One')])
    writeFileSync(file, `db = ${db}\nsite-name = From the File\n`)
    expect(await runRostrum('doctor', '--config', file)).toMatchObject({ exitCode: 0 })
    const server = await startServer({ db, args: ['--config', file] })
    expect(await (await fetch(`${server.url}/about`)).text()).toContain('From the File')
    await server.stop()
  }))
