import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toFileText } from '../../src/archive/pyvideo.ts'
import { withFolder } from '../faults/scratch.ts'
import { type Server, startServer } from '../harness/server.ts'
import { exportFrom, fixtures, importInto, talksFolder, toCounts } from './command.ts'
import { alterStored, findByTitle, readStored } from './stored.ts'
import { changeTalk, copyTalks, listDifferences, listFiles, readTalk, readTree, writeTalk } from './talk-files.ts'

type Archive = { readonly folder: string; readonly db: string; readonly out: string }

/** A store that the fixtures have come into. */
async function withArchive(work: (archive: Archive) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const archive = { folder, db: join(folder, 'a.db'), out: join(folder, 'out') }
    await importInto(archive.db, talksFolder)
    await work(archive)
  })
}

async function exportTalks({ db, out }: Archive, ...flags: readonly string[]) {
  const { exitCode, stderr } = await exportFrom(db, 'pyvideo', out, ...flags)
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  return readTree(out)
}

/** Asks a server on the store, one request after the other. */
async function edit(db: string, ...asks: readonly (readonly [method: string, path: string, body: object])[]) {
  const server = await startServer({ db, args: ['--threads', '1'] })
  for (const [method, path, body] of asks) await send(server, method, path, body)
  await server.stop()
}

async function send(server: Server, method: string, path: string, body: object): Promise<void> {
  const headers = { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' }
  const answer = await fetch(`${server.url}/api/v2/${path}`, { method, headers, body: JSON.stringify(body) })
  expect([answer.ok, await answer.text()]).toEqual([true, expect.any(String)])
}

const keynote = 'harbour-2014/videos/keynote-on-tides.json'

describe('A folder that came in', () => {
  test('is exported as it was: same folders, names and values, keys in order', async () => {
    await withArchive(async (archive) => {
      await exportTalks(archive)
      expect(listDifferences(archive.out, talksFolder)).toEqual([])
      for (const path of listFiles(archive.out)) {
        expect(readFileSync(join(archive.out, path), 'utf8')).toBe(toFileText(readTalk(archive.out, path)))
      }
    })
  })

  test('is exported with what was changed here, and nothing else differs', async () => {
    await withArchive(async (archive) => {
      const changes = { description: 'Other words', language: 'Spanish', recorded: '2014-05-05', tags: [] }
      await edit(archive.db, ['PATCH', 'video/101', changes])
      const before = readTree(talksFolder)
      const changed = { ...Object(before[keynote]), ...changes, language: 'spa' }
      expect((await exportTalks(archive))[keynote]).toEqual(changed)
      expect(listDifferences(archive.out, talksFolder)).toEqual([keynote])
    })
  })

  test('is exported with what has changed in it since', async () => {
    await withArchive(async (archive) => {
      const talks = copyTalks(archive.folder)
      changeTalk(talks, keynote, { related_urls: [], videos: [], slug: 'tides', alias: undefined, more: { a: [1] } })
      changeTalk(talks, 'valle-2018/category.json', { description: 'Otra vez.', location: null })
      writeTalk(talks, 'lumen/videos/new.json', { title: 'New', id: 900 })
      await importInto(archive.db, talks)
      await exportTalks(archive)
      expect(listDifferences(archive.out, talks)).toEqual([])
    })
  })

  test('is exported the same after it was imported under another name', async () => {
    await withArchive(async (archive) => {
      await importInto(archive.db, talksFolder, '--source', 'elsewhere')
      const names = Object.keys(await exportTalks(archive)).filter((path) => path.endsWith('category.json'))
      expect(names.length).toBe(5)
      expect(Object.keys(readTree(archive.out)).filter((path) => /category-\d/.test(path))).toEqual([])
    })
  })

  test('is exported with an event that has no talks yet', async () => {
    await withFolder(async (folder) => {
      const archive = { folder, db: join(folder, 'a.db'), out: join(folder, 'out') }
      const talks = copyTalks(folder)
      writeTalk(talks, 'next-year/category.json', { title: 'Next year', description: 'Soon.' })
      await importInto(archive.db, talks)
      await exportTalks(archive)
      expect(listDifferences(archive.out, talks)).toEqual([])
    })
  })

  test('with a renamed category has the new title in every file, and the next import changes nothing', async () => {
    await withArchive(async (archive) => {
      await edit(archive.db, ['PATCH', 'category/harbourconf-2014', { title: 'Harbour 14' }])
      const { categories } = readStored(archive.db)
      const { report } = await importInto(archive.db, talksFolder)
      expect([toCounts(report).slice(0, 2), report.batch]).toEqual([[0, 0], null])
      expect(readStored(archive.db).categories).toEqual(categories)
      const tree = await exportTalks(archive)
      expect(Object.keys(tree)).toEqual([...listFiles(talksFolder)])
      expect(tree['harbour-2014/category.json']).toMatchObject({ title: 'Harbour 14' })
      expect(tree[keynote]).toMatchObject({ category: 'Harbour 14' })
      expect(tree['harbour-2014/videos/knots.json']).toMatchObject({ category: 'HarbourConf 2014 Workshops' })
    })
  })
})

describe('Records made here', () => {
  const made = { title: 'Made here', category: 'Brand new', state: 1, speakers: ['Me'], language: 'German' }

  test('get files of their own; drafts and withdrawn ones only with --drafts', async () => {
    await withArchive(async (archive) => {
      const draft = { ...made, title: 'A draft', state: 2 }
      await edit(archive.db, ['POST', 'video', made], ['POST', 'video', draft], ['PATCH', 'video/101', { state: 2 }])
      const tree = await exportTalks(archive)
      const before = readTree(talksFolder)
      const path = 'brand-new/videos/made-here.json'
      expect(Object.keys(tree).sort()).toEqual(
        [...Object.keys(before), path, 'brand-new/category.json'].filter((each) => each !== keynote).sort(),
      )
      expect(tree[path]).toMatchObject({ title: 'Made here', language: 'deu', speakers: ['Me'], videos: [] })
      expect(tree['brand-new/category.json']).toEqual({ description: '', title: 'Brand new' })
      const all = await exportTalks({ ...archive, out: join(archive.folder, 'all') }, '--drafts')
      expect(all[keynote]).toEqual(before[keynote] ?? null)
      expect(Object.keys(all).length).toBe(Object.keys(tree).length + 2)
    })
  })

  test('are imported into another store with all that the files can express', async () => {
    await withArchive(async (archive) => {
      await edit(archive.db, ['POST', 'video', { ...made, source_url: 'https://vimeo.com/1', duration: 5 }])
      await exportTalks(archive)
      const db = join(archive.folder, 'b.db')
      await importInto(db, archive.out)
      const { id: _, added: __, updated: ___, ...record } = findByTitle(readStored(archive.db), 'Made here')
      expect(findByTitle(readStored(db), 'Made here')).toMatchObject(record)
    })
  })
})

describe('As one record a line', () => {
  test('each line is what the API serves, and an empty store imports them with ids, slugs and times', async () => {
    await withArchive(async ({ folder, db }) => {
      await importInto(db, join(fixtures, 'records.ndjson'))
      const file = join(folder, 'all.ndjson')
      expect((await exportFrom(db, 'ndjson', file)).exitCode).toBe(0)
      const lines = readFileSync(file, 'utf8').split('\n')
      const { records } = readStored(db)
      expect([lines.length, lines.at(-1)]).toEqual([records.length + 1, ''])
      const server = await startServer({ db, args: ['--threads', '1'] })
      const headers = { Authorization: `Token ${server.adminKey}` }
      for (const [i, { id }] of records.entries()) {
        expect(await (await fetch(`${server.url}/api/v2/video/${id}`, { headers })).text()).toBe(lines[i] ?? '')
      }
      await server.stop()
      const other = join(folder, 'b.db')
      expect(toCounts((await importInto(other, file)).report)).toEqual([records.length, 0, 0, 0])
      const plain = (path: string) => readStored(path).records.map(({ updated: _, ...record }) => record)
      expect(plain(other)).toEqual(plain(db))
    })
  })

  test('an import into the same store changes nothing, and the extras of the talks are still there', async () => {
    await withArchive(async (archive) => {
      const file = join(archive.folder, 'all.ndjson')
      await exportFrom(archive.db, 'ndjson', file)
      const before = readStored(archive.db)
      const { report } = await importInto(archive.db, file)
      expect(readStored(archive.db)).toEqual(before)
      await exportTalks(archive)
      expect(listDifferences(archive.out, talksFolder)).toEqual([])
      expect(toCounts(report)).toEqual([0, 0, before.records.length, 0])
    })
  })
})

describe('An export refuses', () => {
  test('to overwrite a file that exists', async () => {
    await withArchive(async ({ folder, db }) => {
      const [file, full] = [join(folder, 'mine.txt'), join(folder, 'full')]
      writeFileSync(file, 'mine')
      mkdirSync(full)
      writeFileSync(join(full, 'mine.txt'), 'mine')
      for (const [format, out] of [
        ['ndjson', file],
        ['ndjson', full],
        ['pyvideo', full],
        ['pyvideo', file],
      ] as const) {
        const { exitCode, stderr } = await exportFrom(db, format, out)
        expect({ format, exitCode, stderr }).toMatchObject({ exitCode: 73, stderr: expect.stringContaining(out) })
      }
      expect([readFileSync(file, 'utf8'), readdirSync(full)]).toEqual(['mine', ['mine.txt']])
      expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([])
    })
  })

  test('to write outside of its folder, whatever the origins say', async () => {
    await withArchive(async (archive) => {
      const { records } = readStored(archive.db)
      for (const [i, path] of outsidePaths.entries()) {
        alterStored(archive.db, 'UPDATE origin SET path = ? WHERE record_id = ?', path, records[i]?.id ?? 0)
        const where = "source = 'talks' AND path = ?"
        const category = readTalkPaths()[i]
        if (category !== undefined)
          alterStored(archive.db, `UPDATE category_origin SET path = ? WHERE ${where}`, path, category)
      }
      const beside = readdirSync(archive.folder)
      const out = join(archive.folder, 'deep/down')
      mkdirSync(out, { recursive: true })
      const tree = await exportTalks({ ...archive, out })
      expect(Object.keys(tree).filter((path) => path.includes('/videos/')).length).toBe(records.length)
      expect(readdirSync(archive.folder).filter((name) => !beside.includes(name))).toEqual(['deep'])
      expect([readdirSync(join(archive.folder, 'deep')), existsSync('/tmp/outside.json')]).toEqual([['down'], false])
    })
  })
})

const outsidePaths = [
  ...['../outside.json', '../../outside.json', '/tmp/outside.json', 'a/../../outside.json', 'a/videos/../../../x.json'],
  ...['..', 'a/videos/..json/../../../../x.json', 'a/videos/x\u0000.json', '', '.', './a.json', '../videos/a.json'],
]

const readTalkPaths = () => listFiles(talksFolder).filter((path) => path.endsWith('category.json'))
