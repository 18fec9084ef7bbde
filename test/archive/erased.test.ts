import { expect, test } from 'bun:test'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../src/record/json.ts'
import { withFolder } from '../faults/scratch.ts'
import { importInto, runRostrum, toCounts } from './command.ts'
import { readStored } from './stored.ts'
import { writeTalk } from './talk-files.ts'

const toUrl = (name: string) => `https://www.youtube.com/watch?v=${name.padEnd(11, 'x')}`

type Archive = { readonly folder: string; readonly db: string; readonly talks: string }

function addTalk({ talks }: Archive, name: string, file: JsonObject = {}): void {
  const videos = [{ type: 'youtube', url: toUrl(name) }]
  writeTalk(talks, 'event/category.json', { title: 'Event' })
  writeTalk(talks, `event/videos/${name}.json`, { title: name, videos, ...file })
}

/** A store with two talks of a folder, of which the first is then erased. */
async function withErased(work: (archive: Archive) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const archive = { folder, db: join(folder, 'a.db'), talks: join(folder, 'talks') }
    for (const name of ['one', 'two']) addTalk(archive, name)
    await bringIn(archive)
    await erase(archive, 1)
    await work(archive)
  })
}

async function erase({ db }: Archive, id: number): Promise<void> {
  expect(await runRostrum('purge', String(id), '--yes', '--db', db)).toMatchObject({ exitCode: 0 })
}

async function bringIn({ db, talks }: Archive, ...flags: readonly string[]) {
  const { exitCode, report, stdout } = await importInto(db, talks, ...flags)
  return { exitCode, report, stdout, counts: toCounts(report), titles: readTitles(db) }
}

const readTitles = (db: string) => readStored(db).records.map(({ id, title }) => `${id} ${title}`)

test(
  'an erased talk is not imported again, and the report says why',
  () =>
    withErased(async (archive) => {
      for (const flags of [['--dry-run'], []]) {
        const { exitCode, report, counts, titles, stdout } = await bringIn(archive, ...flags)
        expect({ exitCode, counts, titles }).toEqual({ exitCode: 0, counts: [0, 0, 1, 0], titles: ['2 two'] })
        expect(report.erased).toMatchObject([{ file: 'event/videos/one.json' }])
        expect(stdout).toMatch(/one\.json: erased on \d{4}-\d\d-\d\d.*--bring-back-erased/)
      }
      expect(await runRostrum('doctor', '--db', archive.db)).toMatchObject({ exitCode: 0, stdout: '' })
    }),
  60_000,
)

test(
  'nor under another name or from another source, if the recording is the same',
  () =>
    withErased(async (archive) => {
      const lines = join(archive.folder, 'others.ndjson')
      const toLine = (name: string) => JSON.stringify({ title: name, category: 'Other', source_url: toUrl(name) })
      writeFileSync(lines, `${toLine('one')}\n${toLine('three')}\n`)
      const { report } = await importInto(archive.db, lines)
      expect([toCounts(report), readTitles(archive.db)]).toEqual([
        [1, 0, 0, 0],
        ['2 two', '3 three'],
      ])
    }),
  60_000,
)

test(
  'it does not match another record that has its recording now',
  () =>
    withErased(async (archive) => {
      const lines = join(archive.folder, 'others.ndjson')
      writeFileSync(lines, JSON.stringify({ title: 'new', category: 'Other', source_url: toUrl('one') }))
      await importInto(archive.db, lines, '--bring-back-erased')
      expect(await bringIn(archive)).toMatchObject({ counts: [0, 0, 1, 0], titles: ['2 two', '3 new'] })
    }),
  60_000,
)

test(
  'talks that share a recording with it are still imported',
  () =>
    withFolder(async (folder) => {
      const archive = { folder, db: join(folder, 'a.db'), talks: join(folder, 'talks') }
      const videos = [{ type: 'youtube', url: toUrl('shared') }]
      for (const name of ['one', 'two']) addTalk(archive, name, { videos })
      await bringIn(archive)
      await erase(archive, 1)
      addTalk(archive, 'three', { videos })
      expect(await bringIn(archive)).toMatchObject({ counts: [1, 0, 1, 0], titles: ['2 two', '3 three'] })
    }),
  60_000,
)

test(
  'it is imported again on request, and can be erased again',
  () =>
    withErased(async (archive) => {
      const back = await bringIn(archive, '--bring-back-erased')
      expect(back).toMatchObject({ exitCode: 0, counts: [1, 0, 1, 0], titles: ['2 two', '3 one'] })
      expect(await bringIn(archive)).toMatchObject({ exitCode: 0, counts: [0, 0, 2, 0] })
      await erase(archive, 3)
      expect(await bringIn(archive)).toMatchObject({ exitCode: 0, counts: [0, 0, 1, 0], titles: ['2 two'] })
    }),
  60_000,
)

test(
  'a dump and a restored backup remember it',
  () =>
    withFolder(async (folder) => {
      const archive = { folder, db: join(folder, 'a.db'), talks: join(folder, 'talks') }
      addTalk(archive, 'one')
      await bringIn(archive)
      const backup = join(folder, 'backup.db')
      expect(await runRostrum('backup', backup, '--db', archive.db)).toMatchObject({ exitCode: 0 })
      addTalk(archive, 'two')
      await bringIn(archive)
      for (const id of [1, 2]) await erase(archive, id)
      const dump = join(folder, 'dump.ndjson')
      expect(await runRostrum('export', '--format', 'dump', '--out', dump, '--db', archive.db)).toMatchObject({
        exitCode: 0,
      })
      const again = { ...archive, db: join(folder, 'b.db') }
      expect(await runRostrum('import', dump, '--db', again.db)).toMatchObject({ exitCode: 0 })
      const away = await bringIn(again)
      expect(away).toMatchObject({ counts: [0, 0, 0, 0], titles: [] })
      expect(away.report.erased.length).toBe(2)
      // The second was made after the backup, so nothing in there tells of it.
      cpSync(archive.db, join(folder, 'c.db'))
      expect(await runRostrum('restore', backup, '--replace', '--db', join(folder, 'c.db'))).toMatchObject({
        exitCode: 0,
      })
      expect(await bringIn({ ...archive, db: join(folder, 'c.db') })).toMatchObject({
        counts: [0, 0, 0, 0],
        titles: [],
      })
    }),
  60_000,
)
