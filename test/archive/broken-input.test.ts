import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withFolder } from '../faults/scratch.ts'
import { importInto, runRostrum, startRostrum, takeReport, toCounts, toImportWords } from './command.ts'
import { checkStored, readStored } from './stored.ts'
import { writeManyTalks, writeTalk } from './talk-files.ts'

const megabyte = 1024 * 1024
const good = JSON.stringify({ title: 'A good talk' })

/** Files that are no talks: how each is made, and what the report must say of it. */
const wrongFiles: { readonly [name: string]: readonly [make: (path: string) => void, said: RegExp] } = {
  'not-json': [(path) => writeFileSync(path, 'title: A talk'), /Not JSON/],
  'cut-off': [(path) => writeFileSync(path, good.slice(0, -2)), /Not JSON/],
  empty: [(path) => writeFileSync(path, ''), /Not JSON/],
  'byte-order-mark': [(path) => writeFileSync(path, `\ufeff${good}`), /byte order mark/],
  'not-utf-8': [(path) => writeFileSync(path, Buffer.from(good.replace('good', 'g\u00f6d'), 'latin1')), /UTF-8/],
  'utf-16': [(path) => writeFileSync(path, Buffer.from(`\ufeff${good}`, 'utf16le')), /UTF-8|Not JSON/],
  'same-name-twice': [(path) => writeFileSync(path, '{"title":"A","title":"B"}'), /Duplicate name/],
  deep: [(path) => writeFileSync(path, `{"title":"A","x":${'['.repeat(9_999)}${']'.repeat(9_999)}}`), /Nested/],
  'too-large-a-number': [(path) => writeFileSync(path, '{"title":"A","duration":1e999}'), /large/],
  'an-array': [(path) => writeFileSync(path, `[${good}]`), /object/],
  'a-text': [(path) => writeFileSync(path, '"A talk"'), /object/],
  huge: [writeHuge, /too large/],
  'a-folder': [(path) => mkdirSync(path), /regular file/],
  'a-link-to-itself': [(path) => symlinkSync(path, path), /ELOOP/],
  'a-link-to-nothing': [(path) => symlinkSync('/nothing/here', path), /ENOENT/],
}

/** No room is used: the file is one hole behind its beginning. */
function writeHuge(path: string): void {
  writeFileSync(path, good)
  truncateSync(path, 3 * 1024 * megabyte)
}

async function withTalks(work: (talks: string, db: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const talks = join(folder, 'talks')
    writeTalk(talks, 'event/category.json', { title: 'Event' })
    writeTalk(talks, 'event/videos/good.json', { title: 'A good talk' })
    writeTalk(talks, 'event/videos/zuletzt.json', { title: 'Another' })
    await work(talks, join(folder, 'a.db'))
  })
}

describe('In a folder', () => {
  test('each file that is not a talk is refused with the reason, and the others are imported', async () => {
    await withTalks(async (talks, db) => {
      for (const [name, [make]] of Object.entries(wrongFiles)) make(join(talks, 'event/videos', `${name}.json`))
      const { exitCode, report, peakBytes } = await importInto(db, talks)
      expect([exitCode, toCounts(report)]).toEqual([65, [2, 0, 0, Object.keys(wrongFiles).length]])
      for (const [name, [, said]] of Object.entries(wrongFiles)) {
        const found = report.refused.filter(({ file }) => file === `event/videos/${name}.json`)
        expect({ name, found }).toMatchObject({ name, found: [{ field: null, reason: expect.stringMatching(said) }] })
      }
      expect(peakBytes).toBeLessThan(400 * megabyte)
      expect(readStored(db).records.map(({ title }) => title)).toEqual(['A good talk', 'Another'])
      checkStored(db)
    })
  })

  test.each<[string, (talks: string) => void, RegExp]>([
    ['a category file that is no JSON', (talks) => writeFileSync(join(talks, 'event/category.json'), '{'), /Not JSON/],
    ['a category file without a title', (talks) => writeTalk(talks, 'event/category.json', { title: ' ' }), /blank/],
    [
      'a category title that is too long',
      (talks) => writeTalk(talks, 'event/category.json', { title: 'x'.repeat(300) }),
      /255|long/,
    ],
  ])('%s is refused', async (_what, make, said) => {
    await withTalks(async (talks, db) => {
      make(talks)
      const { exitCode, report, stderr } = await importInto(db, talks)
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 65 })
      const found = report.refused.filter(({ file }) => file === 'event/category.json')
      expect(found).toMatchObject([{ reason: expect.stringMatching(said) }])
      expect(readStored(db).categories.filter((title) => title.length > 255)).toEqual([])
    })
  })

  test('circular links are not followed for ever', async () => {
    await withTalks(async (talks, db) => {
      symlinkSync('.', join(talks, 'round'))
      symlinkSync('..', join(talks, 'event/up'))
      symlinkSync('..', join(talks, 'event/videos/up'))
      mkdirSync(join(talks, 'circle'))
      symlinkSync('videos', join(talks, 'circle/videos'))
      const { exitCode, report, stderr } = await importInto(db, talks)
      expect([exitCode, toCounts(report).slice(0, 3), stderr]).toEqual([0, [2, 0, 0], expect.any(String)])
    })
  })

  test('a file in place of the folder of videos does not stop the import of the others', async () => {
    await withTalks(async (talks, db) => {
      mkdirSync(join(talks, 'odd'))
      writeFileSync(join(talks, 'odd/videos'), 'no folder')
      const { exitCode, stderr } = await runRostrum(...toImportWords(db, talks))
      expect({ exitCode, stderr }).not.toMatchObject({ exitCode: 70 })
      expect(readStored(db).records.length).toBe(2)
    })
  })

  test('a pipe that nobody writes to does not stop the import of the others', async () => {
    await withTalks(async (talks, db) => {
      const pipe = join(talks, 'event/videos/pipe.json')
      expect(Bun.spawnSync(['mkfifo', pipe]).exitCode).toBe(0)
      const running = startRostrum(toImportWords(db, talks))
      const timer = setTimeout(() => running.kill('SIGKILL'), 8_000)
      const ended = await running.ended
      clearTimeout(timer)
      expect(ended.exitCode).toBe(65)
      expect(toCounts(takeReport(db, ended))).toEqual([2, 0, 0, 1])
    })
  })

  test('files and folders that may not be read are refused', async () => {
    await withTalks(async (talks, db) => {
      for (const place of [join(talks, '..'), talks]) chmodSync(place, 0o777)
      writeTalk(talks, 'event/videos/secret.json', { title: 'Secret' })
      chmodSync(join(talks, 'event/videos/secret.json'), 0)
      const { ended } = startRostrum(toImportWords(db, talks), toNobody())
      const report = takeReport(db, await ended)
      expect([(await ended).exitCode, toCounts(report)]).toEqual([65, [2, 0, 0, 1]])
      expect(report.refused).toMatchObject([
        { file: 'event/videos/secret.json', reason: expect.stringContaining('EACCES') },
      ])
      writeTalk(talks, 'locked/videos/secret.json', { title: 'Secret' })
      chmodSync(join(talks, 'locked/videos'), 0)
      const second = await startRostrum(toImportWords(db, talks), toNobody()).ended
      expect({ exitCode: second.exitCode, stderr: second.stderr }).toMatchObject({ exitCode: 65 })
      expect(second.stdout).toContain('locked')
    })
  })
})

/** Root may read everything, so it becomes somebody who may not. */
function toNobody(): readonly string[] {
  return process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []
}

describe('In a file of records', () => {
  test('a line of 50 MB is refused without keeping it in memory, and the next ones are read', async () => {
    await withFolder(async (folder) => {
      const [db, file] = [join(folder, 'a.db'), join(folder, 'long.ndjson')]
      const line = (title: string) => JSON.stringify({ title, category: 'C' })
      const long = `{"title":"Long","category":"C","description":"${'x'.repeat(50 * megabyte)}"}`
      writeFileSync(file, [line('Before'), long, line('After'), '{"title":', line('Last')].join('\n'))
      const { exitCode, report, peakBytes } = await importInto(db, file)
      expect([exitCode, toCounts(report)]).toEqual([65, [3, 0, 0, 2]])
      expect(report.refused).toMatchObject([
        { file: 'line 2', field: null, reason: expect.stringContaining('Longer than') },
        { file: 'line 4', field: null, reason: expect.stringContaining('Not JSON') },
      ])
      // Held as bytes and as text it would be at least 150 MB more than the program itself.
      expect(peakBytes / megabyte).toBeLessThan(140)
      checkStored(db)
    })
  })

  test('each wrong line is refused by its number and field', async () => {
    await withFolder(async (folder) => {
      const [db, file] = [join(folder, 'a.db'), join(folder, 'lines.ndjson')]
      const lines = [
        '{"title":"A","category":"C"}',
        '{"title":5,"category":"C","colour":"red"}',
        '[]',
        '{"title":"B","category":"C","id":"7"}',
        'null',
      ]
      writeFileSync(file, lines.join('\r\n'))
      const { exitCode, report } = await importInto(db, file)
      expect([exitCode, toCounts(report)]).toEqual([65, [2, 0, 0, 3]])
      expect(report.refused.map((each) => [each.file, each.field])).toEqual([
        ['line 2', 'title'],
        ['line 3', null],
        ['line 5', null],
      ])
    })
  })
})

describe('What is no archive', () => {
  test.each<[string, (place: string) => void]>([
    ['nothing', () => undefined],
    ['an empty folder', (place) => mkdirSync(place)],
    ['a folder of other things', (place) => writeTalk(place, 'a/b/c.json', {})],
    ['an empty file', (place) => writeFileSync(place, '')],
    ['a text', (place) => writeFileSync(place, 'Hello')],
    ['a text with a byte order mark', (place) => writeFileSync(place, '\ufeff{}')],
    ['a link to itself', (place) => symlinkSync(place, place)],
  ])('%s is refused in one line, and no store is made', async (_what, make) => {
    await withFolder(async (folder) => {
      const [db, place] = [join(folder, 'a.db'), join(folder, 'source')]
      make(place)
      const { exitCode, stderr } = await runRostrum('import', place, '--db', db)
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 66 })
      expect([stderr.trim().split('\n').length, existsSync(db)]).toEqual([1, false])
    })
  })

  test('a report that cannot be written is an error before anything is stored', async () => {
    await withFolder(async (folder) => {
      const [db, talks] = [join(folder, 'a.db'), join(folder, 'talks')]
      writeManyTalks(talks, 3)
      const report = join(folder, 'no/such/folder/report.json')
      const { exitCode, stderr } = await runRostrum('import', talks, '--db', db, '--report', report)
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 73 })
      expect(existsSync(db)).toBe(false)
    })
  })
})
