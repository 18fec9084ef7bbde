import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join, parse } from 'node:path'
import { createDatabase } from '../../src/store/sqlite/connection.ts'
import { withFolder } from '../faults/scratch.ts'
import { program } from '../harness/program.ts'
import { isLong, sample } from '../harness/runs.ts'
import { importInto, type Report, startRostrum, takeReport, toCounts, toImportWords } from './command.ts'
import { checkStored, countStored, readStored } from './stored.ts'
import { writeManyTalks } from './talk-files.ts'

// Runner: long (imports that are killed; the other files of this folder import in peace)

const talkCount = 1_200
const startTimeoutMs = 20_000
const maxAttempts = 10

const stores = ['is there', 'is new'] as const
type StoreKind = (typeof stores)[number]

type Archive = { readonly folder: string; readonly talks: string; readonly db: string; readonly store: StoreKind }

async function withManyTalks(
  store: StoreKind,
  work: (archive: Archive) => Promise<void>,
  description?: string,
): Promise<void> {
  await withFolder(async (folder) => {
    const archive = { folder, talks: join(folder, 'talks'), db: join(folder, 'a.db'), store }
    writeManyTalks(archive.talks, talkCount, description)
    await clearStore(archive)
    await work(archive)
  })
}

/** Starts an import, and stops its process while most of the talks are still to come. */
async function startHalf(archive: Archive) {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const running = await startUntilSome(archive)
    if (countRecords(archive.db) <= talkCount / 3) return running
    // On a busy machine it may be nearly done before this process gets its turn: it could not be cut off any more.
    running.kill('SIGKILL')
    await running.ended
    await clearStore(archive)
  }
  throw new Error(`Each of ${maxAttempts} imports was nearly done before it could be stopped`)
}

async function startUntilSome({ db, talks }: Archive) {
  const running = startRostrum(toImportWords(db, talks))
  const deadline = performance.now() + startTimeoutMs
  while (countRecords(db) === 0) {
    if (performance.now() > deadline) throw new Error('Nothing came in')
    await Bun.sleep(5)
  }
  running.kill('SIGSTOP')
  await Bun.sleep(20)
  return running
}

async function clearStore({ folder, db, store }: Archive): Promise<void> {
  const { base } = parse(db)
  for (const name of readdirSync(folder)) if (name.startsWith(base)) rmSync(join(folder, name))
  if (store === 'is there') await createDatabase(db)
}

function countRecords(db: string): number {
  return existsSync(db) ? countStored(db) : 0
}

function expectTrue(db: string, report: Report): void {
  const { records, versions, batches } = readStored(db)
  expect([records.length, versions, batches]).toEqual([report.created, report.created, report.created === 0 ? 0 : 1])
  checkStored(db)
}

/** The next run brings the rest, and only that. */
async function expectCompletes({ db, talks }: Archive, before: number): Promise<void> {
  const { exitCode, report } = await importInto(db, talks)
  expect([exitCode, toCounts(report)]).toEqual([0, [talkCount - before, 0, before, 0]])
  checkStored(db)
}

const signals = ['SIGINT', 'SIGTERM'] as const

/** In `npm test` each signal and each kind of store once. */
const cuts = signals.flatMap((signal, i) =>
  stores.filter((_, place) => isLong || place === i).map((store) => ({ signal, store })),
)

test.each(cuts)(
  'after $signal the report is correct, and the next run imports the rest, into a store that $store',
  async ({ signal, store }) => {
    await withManyTalks(store, async (archive) => {
      const running = await startHalf(archive)
      running.kill(signal)
      running.kill('SIGCONT')
      const ended = await running.ended
      const report = takeReport(archive.db, ended)
      expect(ended.exitCode).toBe(130)
      expect(report.created).toBeGreaterThan(0)
      expect(report.created).toBeLessThan(talkCount)
      expect(ended.stdout).toContain(`${report.created} created`)
      expectTrue(archive.db, report)
      await expectCompletes(archive, report.created)
    })
  },
  60_000,
)

test.each(stores)(
  'after kill -9 a store that %s has whole groups, and the next run imports the rest',
  async (store) => {
    await withManyTalks(store, async (archive) => {
      const running = await startHalf(archive)
      running.kill('SIGKILL')
      await running.ended
      checkStored(archive.db)
      await expectCompletes(archive, countRecords(archive.db))
    })
  },
  60_000,
)

test('an import does not conflict with another one into the same new store', async () => {
  await withManyTalks('is new', async (archive) => {
    const running = await startHalf(archive)
    const theirs = join(archive.folder, 'theirs.ndjson')
    await Bun.write(theirs, JSON.stringify({ title: 'Theirs', category: 'Other' }))
    expect((await importInto(archive.db, theirs)).exitCode).toBe(0)
    running.kill('SIGCONT')
    const ended = await running.ended
    const report = takeReport(archive.db, ended)
    expect([ended.exitCode, toCounts(report)]).toEqual([0, [talkCount, 0, 0, 0]])
    expect(countRecords(archive.db)).toBe(talkCount + 1)
    checkStored(archive.db)
    expect(readdirSync(archive.folder).filter((name) => name.includes('.new'))).toEqual([])
  })
}, 180_000)

test('the talks are also imported into a store that another process creates before the first of them', async () => {
  await withManyTalks('is new', async ({ folder, talks, db }) => {
    // It waits for somebody who reads its report, after it has seen that there is no store.
    const report = join(folder, 'report')
    await Bun.spawn(['mkfifo', report]).exited
    const running = startRostrum(toImportWords(db, talks, ['--report', report]))
    await Bun.sleep(1_500)
    await createDatabase(db)
    for (const _ of ['opened', 'written']) await new Response(Bun.spawn(['cat', report]).stdout).text()
    expect(await running.ended).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`${talkCount} created`) })
    expect(countRecords(db)).toBe(talkCount)
  })
}, 180_000)

test('after a second signal it exits at once, and leaves an intact store', async () => {
  await withManyTalks('is new', async (archive) => {
    const running = await startHalf(archive)
    running.kill('SIGINT')
    running.kill('SIGCONT')
    await Bun.sleep(1)
    running.kill('SIGINT')
    const { exitCode } = await running.ended
    expect(exitCode).toBe(130)
    expect(readdirSync(archive.folder).filter((name) => name.includes('.new'))).toEqual([])
    checkStored(archive.db)
  })
}, 180_000)

test.each(sample(stores))(
  'if the folder vanishes half-way, the report has every file, in a store that %s',
  async (store) => {
    const work = async (archive: Archive) => {
      const running = await startHalf(archive)
      const away = join(archive.folder, 'away')
      renameSync(archive.talks, away)
      running.kill('SIGCONT')
      const ended = await running.ended
      const report = takeReport(archive.db, ended)
      expect(ended.exitCode).toBe(65)
      expect([report.created + report.refused.length, report.updated]).toEqual([talkCount, 0])
      expect(report.refused.every(({ reason }) => reason.includes('ENOENT'))).toBe(true)
      expectTrue(archive.db, report)
      renameSync(away, archive.talks)
      await expectCompletes(archive, report.created)
    }
    // More than the reader holds in memory.
    await withManyTalks(store, work, 'Words of a talk. '.repeat(700))
  },
  60_000,
)

test.each(sample(stores))(
  'if the disk gets full half-way, the report is correct and says so, with a store that %s',
  async (store) => {
    await withManyTalks(store, async (archive) => {
      const { folder, talks, db } = archive
      const disk = join(folder, 'disk')
      mkdirSync(disk)
      // The disk goes with its namespace, so the store is carried out of it.
      const words = toImportWords(join(disk, 'a.db'), talks, ['--report', `${db}.report.json`]).join(' ')
      const bring = store === 'is there' ? `cp ${db} ${disk} && ` : ''
      const script = `mount -t tmpfs -o size=4m tmpfs ${disk} && ${bring}${program} ${words}; code=$?; cp ${disk}/* ${folder}; exit $code`
      const ended = await runInNamespace(script)
      expect(ended).toMatchObject({ exitCode: 73, stderr: expect.stringMatching(/disk is full|or is full/) })
      const report: Report = await Bun.file(`${db}.report.json`).json()
      expect(report.created).toBeGreaterThan(0)
      expect(report.created).toBeLessThan(talkCount)
      expectTrue(db, report)
      await expectCompletes(archive, report.created)
    })
  },
  60_000,
)

/** As root, else as root of a namespace of one's own. */
async function runInNamespace(script: string) {
  const flags = process.getuid?.() === 0 ? ['--mount'] : ['--mount', '--map-root-user']
  const child = Bun.spawn(['unshare', ...flags, 'sh', '-c', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs)
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  const exitCode = await child.exited
  clearTimeout(timer)
  return { exitCode, stdout, stderr }
}
