import { expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { withFolder } from '../faults/scratch.ts'
import { startServer } from '../harness/server.ts'
import { exportFrom, importInto, toCounts } from './command.ts'
import { startOldServer, toAnswer, toOldRecords } from './old-server.ts'
import { findByTitle, readStored } from './stored.ts'
import { listDifferences, writeTalk } from './talk-files.ts'

const talks = {
  d: { title: 'd', recorded: '01/02/2020' },
  d2: { title: 'd2', duration: '1h' },
  d3: { title: 'd3', language: 'Klingonese' },
  d4: { title: 'd4', speakers: ['Ada', 5], videos: [{ type: 'mp4', url: 'nowhere' }] },
  fine: { title: 'fine', summary: null, language: null, recorded: '2020-01-01T10:00', related_urls: ['x'] },
}

test('a value that does not fit is in the summary and the report, is kept, and is exported again', () =>
  withFolder(async (folder) => {
    const [db, source, out] = [join(folder, 'a.db'), join(folder, 'talks'), join(folder, 'out')]
    writeTalk(source, 'event/category.json', { title: 'Event', description: '' })
    for (const [name, file] of Object.entries(talks)) writeTalk(source, `event/videos/${name}.json`, file)
    const { exitCode, report, stdout } = await importInto(db, source)
    expect([exitCode, toCounts(report)]).toEqual([0, [5, 0, 0, 0]])
    expect(report.unfit.map(({ file, field }) => `${file} ${field}`)).toEqual([
      'event/videos/d.json recorded',
      'event/videos/d2.json duration',
      'event/videos/d3.json language',
      'event/videos/d4.json speakers',
      'event/videos/d4.json videos',
    ])
    expect(stdout).toContain('5 values that do not fit their fields')
    expect(stdout).toMatch(/left empty in event\/videos\/d3\.json, language: "Klingonese" is not the English name/)
    expect(findByTitle(readStored(db), 'd4').speakers).toEqual(['Ada'])
    expect((await exportFrom(db, 'pyvideo', out)).exitCode).toBe(0)
    expect(listDifferences(source, out)).toEqual([])
    const again = await importInto(db, source)
    expect([toCounts(again.report), again.report.unfit.length]).toEqual([[0, 0, 5, 0], 5])
  }))

test('the same mistake in every talk, or another in each, does not make an import slow', () =>
  withFolder(async (folder) => {
    const [db, file] = [join(folder, 'a.db'), join(folder, 'many.ndjson')]
    const toLine = (_: unknown, i: number) =>
      JSON.stringify({ title: `T${i}`, category: 'C', language: `${i % 2 ? i : ''} no language that anybody speaks` })
    await Bun.write(file, Array.from({ length: 4_000 }, toLine).join('\n'))
    const { exitCode, report } = await importInto(db, file)
    expect([exitCode, toCounts(report), report.unfit.length]).toEqual([0, [4_000, 0, 0, 0], 4_000])
  }))

const refusedPlayer = '<script src="https://example.org/x.js"></script>'

test('from a server, only talks without a title are refused; old players and nulls are kept or empty', () =>
  withFolder(async (folder) => {
    const [first = {}] = toOldRecords(1)
    const results = [
      {
        ...first,
        id: 1,
        title: 'Null language',
        language: null,
        summary: null,
        tags: null,
        video_mp4_download_only: null,
      },
      { ...first, id: 2, title: 'Old player', embed: refusedPlayer, whiteboard: 'x'.repeat(300) },
      { ...first, id: 3, title: 'No category', category: null },
      { ...first, id: 4, title: ' ' },
      { ...first, id: 5, title: 'x'.repeat(256) },
    ]
    const server = startOldServer([], 10, () => toAnswer({ count: 5, next: null, results }))
    const db = join(folder, 'a.db')
    const { exitCode, report } = await importInto(db, server.url)
    expect([exitCode, toCounts(report)]).toEqual([65, [3, 0, 0, 2]])
    expect(report.unfit.map(({ file, field }) => `${file} ${field}`)).toEqual([
      'id 2 embed',
      'id 2 whiteboard',
      'id 3 category',
    ])
    const stored = readStored(db)
    expect(findByTitle(stored, 'Null language')).toMatchObject({ language: '', summary: '', tags: [], state: 1 })
    expect(findByTitle(stored, 'Old player')).toMatchObject({ embed: '', whiteboard: '', state: 1 })
    expect(findByTitle(stored, 'No category').category).toBe('Uncategorised')
    const serving = await startServer({ db, args: ['--threads', '1'] })
    const extras = await (await fetch(`${serving.url}/api/v2/video/2/extras`)).json()
    await serving.stop()
    expect(extras).toMatchObject({ extras: { embed: refusedPlayer, whiteboard: 'x'.repeat(300) } })
    expect(toCounts((await importInto(db, server.url)).report)).toEqual([0, 0, 3, 2])
    server.stop()
  }))

test('a folder of one event is imported as an event, with or without its own file, and exported as one', () =>
  withFolder(async (folder) => {
    const [db, source, out] = [join(folder, 'a.db'), join(folder, 'the-event'), join(folder, 'out')]
    writeTalk(source, 'videos/one.json', { title: 'One', slug: 'one' })
    mkdirSync(join(source, 'pictures'))
    expect(await importInto(db, source)).toMatchObject({ exitCode: 0, report: { created: 1, refused: [] } })
    expect(findByTitle(readStored(db), 'One').category).toBe('the-event')
    writeTalk(source, 'category.json', { title: 'The Event', description: '' })
    writeTalk(source, 'videos/two.json', { title: 'Two', slug: 'two' })
    expect(await importInto(db, source)).toMatchObject({ exitCode: 0, report: { created: 1, updated: 1, refused: [] } })
    expect(findByTitle(readStored(db), 'One').category).toBe('The Event')
    await exportFrom(db, 'pyvideo', out)
    expect(listDifferences(source, join(out, 'the-event')).filter((path) => path.endsWith('category.json'))).toEqual([])
    expect(toCounts((await importInto(db, out, '--source', 'the-event')).report)).toEqual([0, 0, 2, 0])
  }))

test('an archive with an event called videos, or with events next to its own talks, is read correctly', () =>
  withFolder(async (folder) => {
    const source = join(folder, 'archive')
    writeTalk(source, 'videos/videos/one.json', { title: 'One' })
    expect(toCounts((await importInto(join(folder, 'a.db'), source)).report)).toEqual([1, 0, 0, 0])
    expect(findByTitle(readStored(join(folder, 'a.db')), 'One').category).toBe('videos')
    const mixed = join(folder, 'mixed')
    writeTalk(mixed, 'videos/own.json', { title: 'Own' })
    writeTalk(mixed, 'other/videos/one.json', { title: 'One' })
    expect(toCounts((await importInto(join(folder, 'b.db'), mixed)).report)).toEqual([2, 0, 0, 0])
    const categories = readStored(join(folder, 'b.db')).records.map(({ category }) => category)
    expect(categories.sort()).toEqual(['mixed', 'other'])
  }))
