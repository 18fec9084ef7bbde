import { describe, expect, test } from 'bun:test'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withFolder } from '../faults/scratch.ts'
import { startServer } from '../harness/server.ts'
import { fixtures, importInto, runRostrum, talksFolder, toCounts } from './command.ts'
import { alterStored, checkStored, findByTitle, readStored } from './stored.ts'
import { changeTalk, copyTalks, listFiles, readTalk, writeTalk } from './talk-files.ts'

// Runner: long checkout

const talkCount = listFiles(talksFolder).filter((path) => path.includes('/videos/')).length

describe('A folder of talks', () => {
  test('is imported completely, live, as one batch', async () => {
    await withFolder(async (folder) => {
      const db = join(folder, 'a.db')
      const { exitCode, report, stdout } = await importInto(db, talksFolder)
      expect([exitCode, toCounts(report)]).toEqual([0, [talkCount, 0, 0, 0]])
      const stored = readStored(db)
      expect(stored.records.filter(({ state }) => state === 1).length).toBe(talkCount)
      expect([stored.versions, stored.batches, report.batch]).toEqual([talkCount, 1, 1])
      expect(stdout).toContain(`${talkCount} created, 0 updated, 0 unchanged, 0 refused`)
      expect(stored.categories).toEqual(
        expect.arrayContaining(['HarbourConf 2014', 'HarbourConf 2014 Workshops', '月見会議 2016', 'Lumen Meetup 💡']),
      )
      checkStored(db)
    })
  })

  test('makes no version and no batch when it is imported again unchanged', async () => {
    await withFolder(async (folder) => {
      const db = join(folder, 'a.db')
      await importInto(db, talksFolder)
      const before = readStored(db)
      const { exitCode, report } = await importInto(db, copyTalks(folder))
      expect([exitCode, toCounts(report), report.batch]).toEqual([0, [0, 0, talkCount, 0], null])
      expect(readStored(db)).toEqual(before)
    })
  })

  test('is imported as drafts with --draft, with a reason on each version', async () => {
    await withFolder(async (folder) => {
      const db = join(folder, 'a.db')
      await importInto(db, talksFolder, '--draft', '--reason', 'From the old disk')
      expect(readStored(db).records.filter(({ state }) => state === 2).length).toBe(talkCount)
      const server = await startServer({ db })
      const headers = { Authorization: `Token ${server.adminKey}` }
      const answer = await fetch(`${server.url}/api/v2/video/101/history`, { headers })
      expect(await answer.json()).toMatchObject({ results: [{ version: 1, reason: 'From the old disk', batch: 1 }] })
      await server.stop()
    })
  })

  test('is reported file by file: talks without a title are refused, the others are imported', async () => {
    await withFolder(async (folder) => {
      const [db, talks] = [join(folder, 'a.db'), copyTalks(folder)]
      changeTalk(talks, 'lumen/videos/html.json', { title: 5, tags: 'no list', description: { a: 1 } })
      writeFileSync(join(talks, 'lumen/videos/broken.json'), '{"title": "Not closed')
      writeFileSync(join(talks, 'lumen/videos/notes.txt'), 'no talk')
      const { exitCode, report, stdout } = await importInto(db, talks)
      expect([exitCode, toCounts(report)]).toEqual([65, [talkCount - 1, 0, 0, 2]])
      const fields = report.refused.map(({ file, field }) => [file, field])
      expect(fields.sort()).toEqual([
        ['lumen/videos/broken.json', null],
        ['lumen/videos/html.json', 'title'],
      ])
      for (const { reason } of report.refused) expect(reason).not.toBe('')
      expect(stdout).toContain('refused lumen/videos/html.json, title: ')
    })
  })

  test('that has changed updates only those records and fields, and edits made here stay', async () => {
    await withFolder(async (folder) => {
      const [db, talks] = [join(folder, 'a.db'), copyTalks(folder)]
      await importInto(db, talks)
      await patch(db, 101, { summary: "A curator's words", tags: ['curated'] })
      const before = readStored(db)
      changeTalk(talks, 'harbour-2014/videos/keynote-on-tides.json', { description: 'New.', duration: 2711 })
      const { report } = await importInto(db, talks)
      expect([toCounts(report), report.batch]).toEqual([[0, 1, talkCount - 1, 0], 2])
      const after = readStored(db)
      const { updated: _, ...keynote } = findByTitle(after, 'Keynote on Tides')
      const changes = { description: 'New.', duration: 2711 }
      expect({ ...findByTitle(before, 'Keynote on Tides'), ...changes }).toMatchObject(keynote)
      expect(keynote).toMatchObject({ summary: "A curator's words", tags: ['curated'] })
      expect([after.versions, after.batches]).toEqual([before.versions + 1, 2])
    })
  })

  test('in which a file has lost a value removes it here', async () => {
    await withFolder(async (folder) => {
      const [db, talks] = [join(folder, 'a.db'), copyTalks(folder)]
      const path = 'harbour-2014/videos/keynote-on-tides.json'
      await importInto(db, talks)
      const videos = readTalk(talks, path).videos
      changeTalk(talks, path, { videos: Array.isArray(videos) ? videos.slice(0, 1) : [], summary: undefined })
      await importInto(db, talks)
      const { summary, video_mp4_url: mp4, video_webm_url: webm } = findByTitle(readStored(db), 'Keynote on Tides')
      expect([summary, mp4, webm]).toEqual(['', null, null])
    })
  })
})

describe('A file of records', () => {
  test.each(['records.ndjson', 'records.json'])('%s is imported with its ids, slugs and times', async (name) => {
    await withFolder(async (folder) => {
      const db = join(folder, 'a.db')
      const { exitCode, report } = await importInto(db, join(fixtures, name))
      expect([exitCode, toCounts(report)]).toEqual([0, [4, 0, 0, 0]])
      const stored = readStored(db)
      const kept = { id: 11, slug: 'eleven-bridges', added: '2012-02-23T04:20:00.123', whiteboard: 'checked' }
      expect(findByTitle(stored, 'Eleven bridges')).toMatchObject(kept)
      expect(findByTitle(stored, 'A draft of arches')).toMatchObject({ id: 13, slug: 'arches', state: 2 })
      expect(findByTitle(stored, 'Übergänge — 橋')).toMatchObject({ id: 14, language: 'German', state: 1 })
      expect(toCounts((await importInto(db, join(fixtures, name))).report)).toEqual([0, 0, 4, 0])
      expect(readStored(db)).toEqual(stored)
    })
  })

  test('is imported as drafts with --draft, whatever state it names', async () => {
    await withFolder(async (folder) => {
      const db = join(folder, 'a.db')
      await importInto(db, join(fixtures, 'records.ndjson'), '--draft')
      expect(readStored(db).records.map(({ state }) => state)).toEqual([2, 2, 2, 2])
    })
  })

  test('in which an id comes twice makes two records, and the report says so', async () => {
    await withFolder(async (folder) => {
      const [db, file] = [join(folder, 'a.db'), join(folder, 'twice.ndjson')]
      const lines = ['First', 'Second'].map((title) => JSON.stringify({ id: 5, title, category: 'C' }))
      writeFileSync(file, lines.join('\n'))
      const { exitCode, report } = await importInto(db, file)
      expect([exitCode, toCounts(report), report.renumbered.length]).toEqual([0, [2, 0, 0, 0], 1])
      expect(toCounts((await importInto(db, file)).report)).toEqual([0, 0, 2, 0])
    })
  })
})

describe('A dry run', () => {
  test('stores nothing and counts as the real run does', async () => {
    await withFolder(async (folder) => {
      const [db, talks] = [join(folder, 'a.db'), copyTalks(folder)]
      await importInto(db, talks)
      changeTalk(talks, 'harbour-2014/videos/ropes.json', { description: 'New.' })
      writeTalk(talks, 'lumen/videos/another.json', { title: 'Another' })
      writeTalk(talks, 'lumen/videos/wrong.json', { title: null })
      const before = readStored(db)
      const dryRun = await importInto(db, talks, '--dry-run')
      expect(readStored(db)).toEqual(before)
      expect(toCounts(dryRun.report)).toEqual([1, 1, talkCount - 1, 1])
      expect(dryRun.stdout).toContain('dry run')
      const real = await importInto(db, talks)
      expect([toCounts(real.report), real.exitCode]).toEqual([toCounts(dryRun.report), dryRun.exitCode])
    })
  })

  test('counts a file in which only data outside of the fields has changed', async () => {
    await withFolder(async (folder) => {
      const [db, talks] = [join(folder, 'a.db'), copyTalks(folder)]
      await importInto(db, talks)
      changeTalk(talks, 'harbour-2014/videos/ropes.json', { related_urls: ['https://ropes.example.org/'] })
      const dryRun = await importInto(db, talks, '--dry-run')
      const real = await importInto(db, talks)
      expect(toCounts(dryRun.report)).toEqual(toCounts(real.report))
    })
  })

  test('without a store says what would happen, and creates none', async () => {
    await withFolder(async (folder) => {
      const db = join(folder, 'a.db')
      const { exitCode, stdout, stderr } = await runRostrum('import', talksFolder, '--dry-run', '--db', db)
      expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 0 })
      expect(stdout).toContain(`${talkCount} created`)
      expect(existsSync(db)).toBe(false)
    })
  })
})

describe('Ids', () => {
  test('that are taken, erased or too large are replaced, and the report lists them', async () => {
    await withFolder(async (folder) => {
      const [db, talks] = [join(folder, 'a.db'), copyTalks(folder)]
      const other = join(folder, 'other.ndjson')
      writeFileSync(other, JSON.stringify({ id: 300, title: 'Was here first', category: 'C' }))
      await importInto(db, other)
      changeTalk(talks, 'harbour-2014/videos/keynote-on-tides.json', { id: 300 })
      alterStored(db, `INSERT INTO tombstone VALUES (104, '2020-01-01T00:00:00.000', 0, 2, 0)`)
      const { report } = await importInto(db, talks)
      expect(toCounts(report)).toEqual([talkCount, 0, 0, 0])
      const reasons = report.renumbered.map(({ file, id, reason }) => [file, id, reason])
      expect(reasons.sort()).toEqual([
        ['harbour-2014/videos/keynote-on-tides.json', 300, 'taken'],
        ['harbour-2014/videos/lanterns.json', 104, 'erased'],
        ['valle-2018/videos/rios.json', 5_000_000_000_000, 'too large'],
      ])
      const { records } = readStored(db)
      for (const { new_id: id } of report.renumbered) expect(records.filter((each) => each.id === id).length).toBe(1)
      expect(records.some(({ id }) => id === 104 || id > 1_000_000_000)).toBe(false)
      rmSync(join(talks, 'lumen'), { recursive: true })
      expect(toCounts((await importInto(db, talks)).report)).toEqual([0, 0, talkCount - 6, 0])
    })
  })

  test('of a source are not given to its talks that have none', async () => {
    await withFolder(async (folder) => {
      const [db, talks] = [join(folder, 'a.db'), join(folder, 'talks')]
      for (const name of ['a', 'b', 'c']) writeTalk(talks, `first/videos/${name}.json`, { title: name })
      for (const id of [1, 2, 3]) writeTalk(talks, `second/videos/${id}.json`, { title: `Number ${id}`, id })
      for (const event of ['first', 'second']) writeTalk(talks, `${event}/category.json`, { title: event })
      const { report } = await importInto(db, talks)
      expect([toCounts(report), report.renumbered]).toEqual([[6, 0, 0, 0], []])
    })
  })

  test.each(['ndjson', 'json'])(
    'of a file (%s) are not given to a talk that has only a tag of that name, or null',
    async (kind) => {
      await withFolder(async (folder) => {
        const [db, file] = [join(folder, 'a.db'), join(folder, `talks.${kind}`)]
        const without = { title: 'Without', category: 'C', tags: ['id'], summary: 'Of the "id" : 5' }
        const nameless = { title: 'Nameless', category: 'C', id: null }
        const talks = [without, nameless, { title: 'With', category: 'C', id: 1 }].map((talk) => JSON.stringify(talk))
        writeFileSync(file, kind === 'json' ? `[${talks.join(',')}]` : talks.join('\n'))
        const { report } = await importInto(db, file)
        expect([toCounts(report), report.renumbered]).toEqual([[3, 0, 0, 0], []])
      })
    },
  )
})

async function patch(db: string, id: number, changes: object): Promise<void> {
  const server = await startServer({ db, args: ['--threads', '1'] })
  const headers = { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' }
  const init = { method: 'PATCH', headers, body: JSON.stringify(changes) }
  const { status } = await fetch(`${server.url}/api/v2/video/${id}`, init)
  await server.stop()
  expect(status).toBe(200)
}
