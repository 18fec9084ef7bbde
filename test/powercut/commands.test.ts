import { expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { closeAfter, openBeside, openForWriting } from '../../src/store/sqlite/connection.ts'
import { createStore, readTitles, runRostrum, spoil, toTalk } from '../cli/store-command.ts'
import { withFolder } from '../faults/scratch.ts'
import { createRandom, cutPower, type Fate, fates, withoutSyncs } from './disk.ts'
import { findWrong } from './find-wrong.ts'
import type { Trace } from './operation.ts'
import { recordCommand } from './record-command.ts'

// Runner: long, slow

/** Of each cut, so many torn disks. */
const tornDisks = 4

/** All disks that a power cut may leave, cut behind each operation or, of a command that has ended, behind the last. */
function* cutEverywhere(trace: Trace, folder: string, when: 'meanwhile' | 'after'): Generator<string> {
  const random = createRandom(1)
  const first = when === 'after' ? trace.operations.length : 0
  for (let count = first; count <= trace.operations.length; count++) {
    const wanted: Fate[] = [...fates, ...Array.from({ length: tornDisks - 1 }, () => 'torn' as const)]
    for (const [i, fate] of wanted.entries()) {
      const disk = join(folder, `disk-${count}-${i}`)
      cutPower(trace, count, fate, random)(disk)
      yield disk
      rmSync(disk, { recursive: true })
    }
  }
}

async function record(folder: string, args: readonly string[]): Promise<Trace> {
  const { exitCode, stderr, trace } = await recordCommand(`${folder}/disk`, `${folder}/trace`, args)
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  return trace
}

/** A disk with a store that was killed while its last change stood in the log alone, and a backup of another. */
async function recordRestore(folder: string): Promise<Trace> {
  mkdirSync(`${folder}/disk`)
  await createStore(`${folder}/first.db`, [toTalk('From the backup')])
  await runRostrum('backup', `${folder}/disk/backup.db`, '--db', `${folder}/first.db`)
  await createStore(`${folder}/old.db`, [toTalk('Old'), toTalk('Older')])
  const open = openForWriting(`${folder}/old.db`, 0)
  open.run(`INSERT INTO token (name, role, hash, created) VALUES ('in the log', 'admin', x'00', '')`)
  for (const beside of ['', '-wal']) copyFileSync(`${folder}/old.db${beside}`, `${folder}/disk/records.db${beside}`)
  open.close()
  const db = `${folder}/disk/records.db`
  return record(folder, ['restore', `${folder}/disk/backup.db`, '--replace', '--db', db])
}

function readTokens(path: string): number {
  return closeAfter(openBeside(path), (db) => db.query('SELECT 1 FROM token').all().length)
}

/** Either the old store with its log, or the new one with the old kept aside. */
async function judgeRestored(disk: string): Promise<readonly string[]> {
  const path = `${disk}/records.db`
  const wrong = await findWrong(path)
  if (wrong.length > 0) return wrong
  const aside = readdirSync(disk).find((name) => /\.before-restore-\w+Z$/.test(name))
  if (readTitles(path)[0] !== 'From the backup') return readTokens(path) === 1 ? [] : ['what stood in the log is gone']
  if (aside === undefined) return ['the old store was not kept aside']
  if (readTokens(path) !== 1) return ['the tokens of the old store are gone']
  const old = await findWrong(join(disk, aside))
  return old.length > 0 || readTokens(join(disk, aside)) === 1 ? old : ['what stood in the log is gone']
}

/** What is wrong with any of the disks, each thing once. */
async function judgeAll(
  trace: Trace,
  folder: string,
  when: 'meanwhile' | 'after',
  judge: (disk: string) => readonly string[] | Promise<readonly string[]>,
): Promise<readonly string[]> {
  const wrong = new Set<string>()
  for (const disk of cutEverywhere(trace, folder, when))
    for (const what of await judge(disk)) wrong.add(what.replaceAll(disk, ''))
  return [...wrong]
}

const readIfThere = (path: string) => (existsSync(path) ? readFileSync(path, 'latin1') : null)

test('a power cut during restore --replace leaves the old store, or the new one with the old kept aside', () =>
  withFolder(async (folder) => {
    const trace = await recordRestore(folder)
    expect(await judgeAll(trace, folder, 'meanwhile', judgeRestored)).toEqual([])
    const judgeTitles = (disk: string) => readTitles(`${disk}/records.db`)
    expect(await judgeAll(trace, folder, 'after', judgeTitles)).toEqual(['From the backup'])
    // A harness that cannot fail shows nothing.
    expect(await judgeAll(withoutSyncs(trace), folder, 'meanwhile', judgeRestored)).not.toEqual([])
  }))

test.each(['ndjson', 'dump'])(
  'an export (%s) that has ended is on disk, and one that was cut off is not there',
  (format) =>
    withFolder(async (folder) => {
      mkdirSync(`${folder}/disk`)
      await createStore(`${folder}/disk/records.db`, [toTalk('One'), toTalk('Two')])
      const out = `${folder}/disk/out`
      const trace = await record(folder, [
        'export',
        '--format',
        format,
        '--out',
        out,
        '--db',
        `${folder}/disk/records.db`,
      ])
      const whole = readFileSync(out, 'latin1')
      const toState = (disk: string) => [readIfThere(`${disk}/out`) === whole ? 'whole' : 'missing or wrong']
      expect(await judgeAll(trace, folder, 'after', toState)).toEqual(['whole'])
      const isHalf = (disk: string) => ([null, whole].includes(readIfThere(`${disk}/out`)) ? [] : ['half of it'])
      expect(await judgeAll(trace, folder, 'meanwhile', isHalf)).toEqual([])
      expect(await judgeAll(withoutSyncs(trace), folder, 'after', toState)).toContain('missing or wrong')
    }),
)

test('an exported folder is on disk with all its files when the command has ended', () =>
  withFolder(async (folder) => {
    mkdirSync(`${folder}/disk`)
    await createStore(`${folder}/disk/records.db`, [toTalk('One'), toTalk('Two')])
    const args = [
      'export',
      '--format',
      'pyvideo',
      '--out',
      `${folder}/disk/new/out`,
      '--db',
      `${folder}/disk/records.db`,
    ]
    const trace = await record(folder, args)
    const list = (path: string) =>
      existsSync(path) ? readdirSync(path, { recursive: true, encoding: 'utf8' }).sort() : []
    const names = list(`${folder}/disk/new/out`).filter((name) => name.endsWith('.json'))
    expect(names).toHaveLength(3)
    const toLost = (disk: string) =>
      names.filter(
        (name) => readIfThere(`${disk}/new/out/${name}`) !== readFileSync(`${folder}/disk/new/out/${name}`, 'latin1'),
      )
    expect(await judgeAll(trace, folder, 'after', toLost)).toEqual([])
    expect(await judgeAll(withoutSyncs(trace), folder, 'after', toLost)).not.toEqual([])
  }))

test('an import into a new folder is on disk with its report when it has ended, and no half store is ever there', () =>
  withFolder(async (folder) => {
    mkdirSync(`${folder}/disk`)
    await createStore(`${folder}/source.db`, [toTalk('One'), toTalk('Two')])
    await runRostrum('export', '--format', 'ndjson', '--out', `${folder}/in.ndjson`, '--db', `${folder}/source.db`)
    const [db, report] = [`${folder}/disk/data/records.db`, `${folder}/disk/report.json`]
    const trace = await record(folder, ['import', `${folder}/in.ndjson`, '--report', report, '--db', db])
    const toTexts = async (disk: string) => [
      readIfThere(`${disk}/report.json`) ?? 'no report',
      ...(await findWrong(`${disk}/data/records.db`)),
    ]
    expect(await judgeAll(trace, folder, 'after', toTexts)).toEqual([readFileSync(report, 'latin1')])
    const isHalf = async (disk: string) =>
      existsSync(`${disk}/data/records.db`) ? await findWrong(`${disk}/data/records.db`) : []
    expect(await judgeAll(trace, folder, 'meanwhile', isHalf)).toEqual([])
    expect(await judgeAll(withoutSyncs(trace), folder, 'after', toTexts)).toContain('no report')
  }))

test('what was purged does not come back in the log after a power cut', () =>
  withFolder(async (folder) => {
    mkdirSync(`${folder}/disk`)
    const db = `${folder}/disk/records.db`
    await createStore(db, [toTalk('One'), toTalk('Two')])
    // Another process has the store open, so that its log stays, with the secret.
    const reader = openBeside(db)
    reader.query('SELECT 1 FROM record').get()
    spoil(db, `UPDATE record SET body = CAST(replace(body, 'Two', 'Zxqvsecret') AS BLOB) WHERE id = 2`)
    expect(readFileSync(`${db}-wal`, 'latin1')).toContain('Zxqvsecret')
    const trace = await record(folder, ['purge', '2', '--yes', '--db', db]).finally(() => reader.close())
    const findSecret = (disk: string) =>
      readdirSync(disk).filter((name) => readFileSync(join(disk, name), 'latin1').toLowerCase().includes('zxqvsecret'))
    expect(await judgeAll(trace, folder, 'after', findSecret)).toEqual([])
    expect(await judgeAll(withoutSyncs(trace), folder, 'after', findSecret)).not.toEqual([])
  }))
