import { expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { withFolder } from '../faults/scratch.ts'
import { runToEnd, spawnServer } from '../faults/spawn.ts'
import { program } from '../harness/program.ts'
import { createStore, runRostrum, toTalk } from './store-command.ts'

/** Everything below a folder that others than its owner may read, whatever the caller's umask. */
function listOpen(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0)
}

test('no other user may read what commands write: stores, backups, exports, dumps, reports', () =>
  withFolder(async (folder) => {
    await createStore(`${folder}/source.db`, [toTalk('One')])
    const made = `${folder}/made`
    mkdirSync(made)
    const source = ['--db', `${folder}/source.db`]
    const commands = [
      ['export', '--format', 'ndjson', '--out', `${made}/x.ndjson`, ...source],
      ['export', '--format', 'dump', '--out', `${made}/x.dump`, ...source],
      ['export', '--format', 'pyvideo', '--out', `${made}/x`, ...source],
      ['import', `${made}/x.ndjson`, '--report', `${made}/report.json`, '--db', `${made}/data/a.db`],
      ['import', `${made}/x.dump`, '--db', `${made}/data/b.db`],
      ['backup', `${made}/backup.db`, ...source],
      ['restore', `${made}/backup.db`, '--db', `${made}/c.db`],
      ['migrate-store', `${folder}/source.db`, `${made}/d.db`],
    ]
    for (const words of commands) {
      const line = ['sh', '-c', 'umask 000; exec "$@"', 'sh', program, ...words]
      const { exitCode, stderr } = await runToEnd(line, 20_000)
      expect([words[0], exitCode, stderr]).toEqual([words[0], 0, expect.any(String)])
    }
    expect(listOpen(made)).toEqual([])
    expect(readdirSync(made).length).toBeGreaterThan(7)
  }))

test('no other user may read a served store, its log or its lock file', () =>
  withFolder(async (folder) => {
    const command = [
      'sh',
      '-c',
      'umask 000; exec "$@"',
      'sh',
      program,
      'serve',
      '--port',
      '0',
      '--sample',
      '--threads',
      '1',
    ]
    const server = await spawnServer([...command, '--db', `${folder}/data/records.db`])
    try {
      expect(readdirSync(`${folder}/data`).sort()).toEqual(
        ['', '-shm', '-wal', '.lock'].map((end) => `records.db${end}`).sort(),
      )
      expect(listOpen(folder)).toEqual([])
    } finally {
      await server.stop()
    }
  }))

test('a store that others may read keeps its mode, but its backup is private', () =>
  withFolder(async (folder) => {
    await createStore(`${folder}/a.db`, [toTalk('One')])
    chmodSync(`${folder}/a.db`, 0o640)
    expect(await runRostrum('backup', `${folder}/b.db`, '--db', `${folder}/a.db`)).toMatchObject({ exitCode: 0 })
    expect([statSync(`${folder}/a.db`).mode & 0o777, statSync(`${folder}/b.db`).mode & 0o777]).toEqual([0o640, 0o600])
  }))
