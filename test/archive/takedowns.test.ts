import { expect, test } from 'bun:test'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withFolder } from '../faults/scratch.ts'
import { startServer } from '../harness/server.ts'
import { importInto, runRostrum, toCounts } from './command.ts'
import { checkStored, readStored } from './stored.ts'
import { writeTalk } from './talk-files.ts'

type Archive = { readonly db: string; readonly talks: string }

/** Three talks of one event; the ids in the files are not those in the store. */
async function withArchive(work: (archive: Archive) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const archive = { db: join(folder, 'a.db'), talks: join(folder, 'talks') }
    writeTalk(archive.talks, 'event/category.json', { title: 'Event' })
    writeTalk(archive.talks, 'event/videos/a.json', { title: 'A', id: 5_000_000_001 })
    writeTalk(archive.talks, 'event/videos/b.json', { title: 'B', alias: 'video/5000000002/b' })
    writeTalk(archive.talks, 'event/videos/c.json', { title: 'C', id: 5_000_000_003 })
    await work(archive)
  })
}

const list = ({ talks }: Archive, value: unknown) =>
  writeFileSync(join(talks, 'NO_PUBLISH.json'), typeof value === 'string' ? value : JSON.stringify(value))

const readStates = ({ db }: Archive) =>
  Object.fromEntries(readStored(db).records.map(({ title, state }) => [title, state]))

test('a talk that NO_PUBLISH.json lists by id or alias is not imported, and the report names it', () =>
  withArchive(async (archive) => {
    list(archive, [5_000_000_001, '5000000002', 77])
    const { exitCode, report, stdout } = await importInto(archive.db, archive.talks)
    expect([exitCode, toCounts(report), readStates(archive)]).toEqual([0, [1, 0, 0, 0], { C: 1 }])
    expect(report.taken_down).toEqual([
      { file: 'event/videos/a.json', id: 5_000_000_001, record: null, was_live: false },
      { file: 'event/videos/b.json', id: 5_000_000_002, record: null, was_live: false },
    ])
    expect(stdout).toContain('event/videos/a.json (id 5000000001): not imported')
  }))

test('a talk that is listed later becomes a draft at each import, even if people have changed or published it', () =>
  withArchive(async (archive) => {
    await importInto(archive.db, archive.talks)
    expect(readStates(archive)).toEqual({ A: 1, B: 1, C: 1 })
    list(archive, [5_000_000_001, 5_000_000_002])
    await patch(archive, 'A', { summary: 'A curator was here' })
    const dryRun = await importInto(archive.db, archive.talks, '--dry-run')
    expect([dryRun.report.taken_down.length, readStates(archive)]).toEqual([2, { A: 1, B: 1, C: 1 }])
    for (let run = 0; run < 2; run++) {
      const { exitCode, report, stdout } = await importInto(archive.db, archive.talks)
      expect([exitCode, toCounts(report), readStates(archive)]).toEqual([0, [0, 0, 1, 0], { A: 2, B: 2, C: 1 }])
      expect(report.taken_down.map(({ was_live }) => was_live)).toEqual([true, run === 0])
      expect(stdout).toContain('was live and is now a draft')
      await patch(archive, 'A', { state: 1 })
    }
    checkStored(archive.db)
    expect(await runRostrum('doctor', '--db', archive.db)).toMatchObject({ exitCode: 0, stdout: '' })
  }))

test('a listed talk whose file is no longer a talk is taken down, too', () =>
  withArchive(async (archive) => {
    await importInto(archive.db, archive.talks)
    writeTalk(archive.talks, 'event/videos/a.json', { id: 5_000_000_001 })
    list(archive, [5_000_000_001])
    const { exitCode } = await importInto(archive.db, archive.talks)
    expect([exitCode, readStates(archive)]).toEqual([0, { A: 2, B: 1, C: 1 }])
  }))

test('a listed talk whose file is gone is taken down by the id that it had there', () =>
  withArchive(async (archive) => {
    await importInto(archive.db, archive.talks)
    rmSync(join(archive.talks, 'event/videos/a.json'))
    list(archive, [5_000_000_001, 1, 99])
    const { exitCode, report } = await importInto(archive.db, archive.talks)
    expect([exitCode, readStates(archive)]).toEqual([0, { A: 2, B: 1, C: 1 }])
    expect(report.taken_down).toMatchObject([{ file: 'event/videos/a.json', id: 5_000_000_001, was_live: true }])
  }))

test.each(['{', '{"ids":[1]}', '[1,"x"]', '[0]', '[null]', '\ufeff[]'])(
  'a list that cannot be understood (%j) stops the import: it might have named something',
  (text) =>
    withArchive(async (archive) => {
      list(archive, text)
      const { exitCode, report, stdout } = await importInto(archive.db, archive.talks)
      expect([exitCode, toCounts(report)]).toEqual([65, [0, 0, 0, 1]])
      expect(stdout).toContain('refused NO_PUBLISH.json: ')
      expect(existsSync(archive.db) ? readStates(archive) : {}).toEqual({})
    }),
)

async function patch({ db }: Archive, title: string, changes: object): Promise<void> {
  const id = readStored(db).records.find((record) => record.title === title)?.id
  const server = await startServer({ db, args: ['--threads', '1'] })
  const headers = { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' }
  const init = { method: 'PATCH', headers, body: JSON.stringify(changes) }
  const { status } = await fetch(`${server.url}/api/v2/video/${id}`, init)
  await server.stop()
  expect(status).toBe(200)
}
