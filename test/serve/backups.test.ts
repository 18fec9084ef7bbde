import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { runRostrum } from '../cli/store-command.ts'
import { withFolder } from '../faults/scratch.ts'
import { type Server, startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'

const listBackups = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^rostrum-\d{8}T\d{6}Z\.db$/.test(entry.name))
    .map(({ name }) => name)
const count = (server: Server, event: string) => server.stderr().split(`"${event}"`).length - 1

async function readGauge({ url }: Server, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
}

test(
  'serve backs up on schedule, keeps the newest, runs the command, and each is a whole store',
  () =>
    withFolder(async (folder) => {
      const backups = `${folder}/backups`
      mkdirSync(backups)
      writeFileSync(`${backups}/precious.db`, 'not ours')
      // Not a backup, although it is called one.
      mkdirSync(`${backups}/rostrum-20200101T000000Z.db`)
      const command = `echo "$ROSTRUM_BACKUP $ROSTRUM_ADMIN_TOKEN" >> ${folder}/told`
      const plan = ['--backup-dir', backups, '--backup-every', '1s', '--backup-keep', '2', '--backup-command', command]
      const server = await startServer({ db: `${folder}/records.db`, args: ['--sample', '--threads', '1', ...plan] })
      await until('four backups were made', () => count(server, 'backup made') >= 4, { timeoutMs: 60_000 })
      const [, newest = ''] = listBackups(backups).sort()
      expect(await readGauge(server, 'rostrum_last_backup_timestamp_seconds')).toBeGreaterThan(Date.now() / 1000 - 600)
      expect(await readGauge(server, 'rostrum_backup_failures_total')).toBe(0)
      expect(await server.stop()).toBe(0)
      expect(listBackups(backups).length).toBeLessThanOrEqual(3)
      expect(readdirSync(backups).filter((name) => name.endsWith('.new'))).toEqual([])
      expect(existsSync(`${backups}/precious.db`)).toBe(true)
      const told = await Bun.file(`${folder}/told`).text()
      expect([told.includes(newest), told.includes('key')]).toEqual([true, false])
      for (const name of listBackups(backups)) {
        expect(await runRostrum('doctor', '--db', `${backups}/${name}`)).toMatchObject({ exitCode: 0 })
      }
    }),
  120_000,
)

test(
  'a restart makes no backup before one is due',
  () =>
    withFolder(async (folder) => {
      const args = ['--threads', '1', '--backup-dir', folder, '--backup-every', '1h']
      const first = await startServer({ db: `${folder}/records.db`, args })
      await until('the first is made', () => count(first, 'backup made') === 1, { timeoutMs: 60_000 })
      await first.stop()
      const second = await startServer({ db: `${folder}/records.db`, args })
      expect(await readGauge(second, 'rostrum_last_backup_timestamp_seconds')).toBeGreaterThan(0)
      await second.stop()
      expect([count(second, 'backup made'), listBackups(folder).length]).toEqual([0, 1])
    }),
  120_000,
)

test(
  'a folder that is gone, and a command that fails, are reported, and the server goes on',
  () =>
    withFolder(async (folder) => {
      const backups = `${folder}/backups`
      mkdirSync(backups)
      const plan = ['--backup-dir', backups, '--backup-every', '1s', '--backup-command', 'echo no space >&2; exit 3']
      const server = await startServer({ db: `${folder}/records.db`, args: ['--threads', '1', ...plan] })
      await until('the command failed', () => count(server, 'backup command failed') > 0, { timeoutMs: 60_000 })
      expect(server.stderr()).toContain('no space')
      rmSync(backups, { recursive: true })
      await until('a backup failed', () => count(server, 'backup failed') > 0, { timeoutMs: 60_000 })
      await until('it is counted', async () => (await readGauge(server, 'rostrum_backup_failures_total')) > 0)
      mkdirSync(backups)
      await until('a later one is made', () => listBackups(backups).length > 0, { timeoutMs: 60_000 })
      expect(await server.stop()).toBe(0)
    }),
  120_000,
)

test.each([
  [['--backup-dir', '/nowhere/at/all'], /not a folder in which this user can write/],
  [['--backup-dir', '/dev/null'], /not a folder/],
  [['--backup-every', 'daily'], /a duration such as 15m, 24h or 7d/],
  [['--backup-keep', '0'], /a whole number from 1/],
])('serve %j is refused at the start', async (args, why) => {
  await withFolder(async (folder) => {
    const { exitCode, stderr } = await runRostrum('serve', '--port', '0', '--db', `${folder}/a.db`, ...args)
    expect([exitCode, why.test(stderr)]).toEqual([78, true])
  })
})

test('backup FOLDER names the file after its time, and --keep removes older ones', () =>
  withFolder(async (folder) => {
    const backups = `${folder}/backups`
    mkdirSync(backups)
    const server = await startServer({ db: `${folder}/records.db`, args: ['--threads', '1'] })
    await server.stop()
    for (const day of ['01', '02', '03']) writeFileSync(`${backups}/rostrum-202601${day}T000000Z.db`, '')
    const db = ['--db', `${folder}/records.db`]
    const made = await runRostrum('backup', backups, '--keep', '2', ...db)
    expect(made).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Removed') })
    const left = listBackups(backups).sort()
    expect([left.length, left[0]]).toEqual([2, 'rostrum-20260103T000000Z.db'])
    expect(await runRostrum('backup', `${folder}/one.db`, '--keep', '2', ...db)).toMatchObject({ exitCode: 64 })
    expect(await runRostrum('backup', backups, '--keep', 'x', ...db)).toMatchObject({ exitCode: 64 })
  }))
