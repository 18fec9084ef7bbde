import { describe, expect, test } from 'bun:test'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../src/record/json.ts'
import { withFolder } from '../faults/scratch.ts'
import { importInto, toCounts } from './command.ts'
import { alterStored, readStored } from './stored.ts'
import { writeTalk } from './talk-files.ts'

const toUrl = (key: string) => `https://www.youtube.com/watch?v=${key.padEnd(11, 'x')}`
const toVideos = (key: string) => [{ type: 'youtube', url: toUrl(key) }]

type Archive = { readonly db: string; readonly talks: string; readonly folder: string }

/** A store with records that came from nowhere, and a folder that is still empty. */
async function withArchive(records: readonly JsonObject[], work: (archive: Archive) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const archive = { folder, db: join(folder, 'a.db'), talks: join(folder, 'talks') }
    writeTalk(archive.talks, 'event/category.json', { title: 'Event' })
    if (records.length > 0) await addRecords(archive, records)
    await work(archive)
  })
}

async function addRecords({ folder, db }: Archive, records: readonly JsonObject[]): Promise<void> {
  const file = join(folder, 'before.ndjson')
  writeFileSync(file, records.map((record) => JSON.stringify({ category: 'Event', ...record })).join('\n'))
  expect((await importInto(db, file)).exitCode).toBe(0)
  alterStored(db, 'DELETE FROM origin')
}

const addTalk = ({ talks }: Archive, name: string, file: JsonObject) =>
  writeTalk(talks, `event/videos/${name}.json`, { title: name, ...file })

/** Counts of a run, then titles by id. */
async function bringIn({ db, talks }: Archive, ...flags: readonly string[]) {
  const { report, exitCode } = await importInto(db, talks, ...flags)
  const titles = readStored(db).records.map(({ id, title }) => [id, title])
  return { counts: toCounts(report), exitCode, titles, renumbered: report.renumbered.length }
}

describe('A talk is the record', () => {
  type Case = readonly [what: string, record: JsonObject, talk: JsonObject, isMatch: boolean]
  const cases: readonly Case[] = [
    ['with its id', { id: 7, title: 'Old' }, { id: 7 }, true],
    ['with another id not', { id: 7, title: 'Old' }, { id: 8 }, false],
    ['with its source address', { id: 7, title: 'Old', source_url: toUrl('a') }, { videos: toVideos('a') }, true],
    [
      'with another source address not',
      { id: 7, title: 'Old', source_url: toUrl('a') },
      { videos: toVideos('b') },
      false,
    ],
    ['without a source address not, having none', { id: 7, title: 'Old' }, { videos: [] }, false],
    ['of its event with its slug', { id: 7, title: 'Old', slug: 'old' }, { slug: 'old' }, true],
    ['of another event with its slug not', { id: 7, title: 'Old', slug: 'old', category: 'X' }, { slug: 'old' }, false],
    ['with its title alone not', { id: 7, title: 'talk', slug: 'old' }, {}, false],
  ]
  test.each(cases)('%s', async (_what, record, talk, isMatch) => {
    await withArchive([record], async (archive) => {
      addTalk(archive, 'talk', talk)
      const { counts, titles } = await bringIn(archive)
      const title = String(record.title)
      if (!isMatch) expect([counts, titles.length, titles[0]]).toEqual([[1, 0, 0, 0], 2, [7, title]])
      else expect([counts, titles]).toEqual([[0, 1, 0, 0], [[7, 'talk']]])
    })
  })

  test('of its origin first, then the one with its id, then that with its source address, then that with its slug', async () => {
    const records = [
      { id: 1, title: 'By id' },
      { id: 2, title: 'By address', source_url: toUrl('two') },
      { id: 3, title: 'By slug', slug: 'three' },
    ]
    await withArchive(records, async (archive) => {
      addTalk(archive, 'talk', { id: 1, videos: toVideos('two'), slug: 'three' })
      expect((await bringIn(archive)).titles[0]).toEqual([1, 'talk'])
      addTalk(archive, 'talk', { id: 2, videos: toVideos('two'), slug: 'three', title: 'Again' })
      const { counts, titles } = await bringIn(archive)
      expect(counts).toEqual([0, 1, 0, 0])
      expect(titles.slice(0, 2)).toEqual([
        [1, 'Again'],
        [2, 'By address'],
      ])
      addTalk(archive, 'younger', { videos: toVideos('two'), slug: 'three' })
      expect((await bringIn(archive)).titles.slice(1)).toEqual([
        [2, 'younger'],
        [3, 'By slug'],
      ])
    })
  })

  test('with its id only while that has no other origin', async () => {
    await withArchive([], async (archive) => {
      const file = join(archive.folder, 'other.ndjson')
      writeFileSync(file, JSON.stringify({ id: 7, title: 'Of another source', category: 'Event' }))
      await importInto(archive.db, file)
      addTalk(archive, 'talk', { id: 7 })
      const { counts, titles, renumbered } = await bringIn(archive)
      expect([counts, titles, renumbered]).toEqual([
        [1, 0, 0, 0],
        [
          [7, 'Of another source'],
          [8, 'talk'],
        ],
        1,
      ])
    })
  })
})

describe('Talks that share one recording', () => {
  test('stay the same number, run after run', async () => {
    await withArchive([], async (archive) => {
      for (const name of ['one', 'two', 'three']) addTalk(archive, name, { videos: toVideos('shared') })
      expect((await bringIn(archive)).counts).toEqual([3, 0, 0, 0])
      addTalk(archive, 'four', { videos: toVideos('shared') })
      expect((await bringIn(archive)).counts).toEqual([1, 0, 3, 0])
      expect((await bringIn(archive)).counts).toEqual([0, 0, 4, 0])
    })
  })

  test('match an existing record once', async () => {
    await withArchive([{ id: 9, title: 'Was here', source_url: toUrl('shared') }], async (archive) => {
      for (const name of ['one', 'two']) addTalk(archive, name, { videos: toVideos('shared') })
      const { counts, titles } = await bringIn(archive)
      expect([counts, titles]).toEqual([
        [1, 1, 0, 0],
        [
          [9, 'one'],
          [10, 'two'],
        ],
      ])
    })
  })
})

describe('A file that got another name', () => {
  test.each<[string, JsonObject]>([
    ['source address', { videos: toVideos('a') }],
    ['slug', { slug: 'old' }],
  ])('is the same record by its %s, and the next run changes nothing', async (_what, file) => {
    await withArchive([], async (archive) => {
      addTalk(archive, 'old', { title: 'The talk', ...file })
      await bringIn(archive)
      const videos = join(archive.talks, 'event/videos')
      renameSync(join(videos, 'old.json'), join(videos, 'new.json'))
      const { counts, titles } = await bringIn(archive)
      expect([counts[0], titles]).toEqual([0, [[1, 'The talk']]])
      expect((await bringIn(archive)).counts).toEqual([0, 0, 1, 0])
    })
  })

  test('and back again, while another took the old name, is still distinguished', async () => {
    await withArchive([], async (archive) => {
      addTalk(archive, 'a', { title: 'First', videos: toVideos('a') })
      addTalk(archive, 'b', { title: 'Second', videos: toVideos('b') })
      await bringIn(archive)
      rmSync(join(archive.talks, 'event/videos/a.json'))
      addTalk(archive, 'c', { title: 'First', videos: toVideos('a') })
      const { counts, titles } = await bringIn(archive)
      expect([counts[0], titles.length]).toEqual([0, 2])
      addTalk(archive, 'a', { title: 'Third', videos: toVideos('third') })
      expect((await bringIn(archive)).titles).toEqual([
        [1, 'First'],
        [2, 'Second'],
        [3, 'Third'],
      ])
    })
  })
})

describe('The same folder under another name', () => {
  test('has the same talks if they can be recognised, and then changes nothing', async () => {
    await withArchive([], async (archive) => {
      addTalk(archive, 'by-url', { videos: toVideos('a') })
      addTalk(archive, 'by-slug', { slug: 'by-slug' })
      await bringIn(archive)
      expect((await bringIn(archive, '--source', 'elsewhere')).titles.length).toBe(2)
      expect((await bringIn(archive, '--source', 'elsewhere')).counts).toEqual([0, 0, 2, 0])
    })
  })
})
