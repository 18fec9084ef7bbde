import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportFrom, runRostrum, toCounts } from '../archive/command.ts'
import { withFolder } from '../faults/scratch.ts'
import { findBySlug, importServed, writeFile, writeRecords } from './importing.ts'
import { parseFields, type Service, useService } from './service.ts'

// Runner: long, slow (archive/broken-input has the common mistakes)

const service = useService()
const mebibyte = 1024 * 1024

/** Each is a category's description that its field cannot hold. */
const descriptions = {
  surrogate: 'half \ud800 of a pair',
  nul: 'a\0b',
  control: 'a\u0001b',
  long: 'x'.repeat(100_001),
  huge: 'x'.repeat(2 * mebibyte),
  number: 5,
}

const notes = {
  /** Longer than a line of records may be, and again longer where each quote is escaped. */
  quotes: '"'.repeat(3 * mebibyte),
  signs: 'é\ud800\0'.repeat(1000),
  '__proto__ ': { nested: [null, { x: '\u2028' }] },
}

const tooLarge = 'More than 16 MiB of extra data.'
const toNumbers = (count: number) => `{"title":"Numbers","x":[${'1e20,'.repeat(count)}1]}`

const wrongTimes = {
  never: '2014-02-31T25:61:61.000',
  text: 'yesterday',
  number: 1_400_000_000,
  future: '9999-01-01T00:00:00.000',
}

test(
  'whatever a folder or a file brings, doctor finds in order, and a new store takes its dump as it is',
  () =>
    withFolder(async (folder) => {
      const talks = join(folder, 'hostile')
      for (const [name, description] of Object.entries(descriptions)) {
        writeFile(talks, `${name}/category.json`, { title: `Hostile ${name}`, description })
      }
      writeFile(talks, 'nul/videos/notes.json', { title: 'Notes', recorded: '31/02/2014', ...notes })
      // Each number is four times as long when it is written again.
      writeFile(talks, 'nul/videos/numbers.json', toNumbers(mebibyte / 2))
      writeFile(talks, 'nul/videos/too-many.json', toNumbers((3 * mebibyte) / 4))

      const { report, stdout } = await importServed(service, talks)
      expect(report.refused).toEqual([{ file: 'nul/videos/too-many.json', field: null, reason: tooLarge }])
      expect([toCounts(report), report.unfit.map(({ file, field }) => `${file} ${field}`).sort()]).toEqual([
        [2, 0, 0, 1],
        [
          ...Object.keys(descriptions).map((name) => `${name}/category.json description`),
          'nul/videos/notes.json recorded',
        ].sort(),
      ])
      expect(stdout).toContain(
        'left empty in control/category.json, description: Contains the control character U+0001.',
      )
      expect(await readDescription(service, 'hostile-control')).toBe('')
      const again = await importServed(service, talks)
      expect(toCounts(again.report)).toEqual([0, 0, 2, 1])

      const records = Object.entries(wrongTimes).flatMap(([name, time]) => [
        { title: `Added ${name}`, category: 'Times', added: time },
        { title: `Updated ${name}`, category: 'Times', updated: time },
      ])
      const others = { title: 'Other fields', category: 'Times', quotes: '"'.repeat(2 * mebibyte), '\ud800': '\0' }
      const unknown = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`unknown_${i}`, i]))
      const many = { ...unknown, title: 'Many names', category: 'Times', duration: 'long', slug: 'many-names' }
      const file = writeRecords(folder, 'hostile.ndjson', [...records, others, many])
      const lines = await importServed(service, file)
      expect([
        toCounts(lines.report),
        lines.report.unfit.map(({ file, field }) => `${file} ${field}`).slice(0, 10),
      ]).toEqual([
        [10, 0, 0, 0],
        [
          ...records.map((record, i) => `line ${i + 1} ${'added' in record ? 'added' : 'updated'}`),
          'line 9 quotes',
          'line 9 \ud800',
        ],
      ])
      expect(lines.report.unfit.slice(-1)).toMatchObject([{ file: 'line 10', field: 'duration' }])
      const { id } = await findBySlug(service, 'many-names')
      const kept = await service.call({ method: 'GET', path: `/api/v2/video/${id}/extras`, as: 'admin' })
      expect(parseFields(kept).extras).toEqual({ ...unknown, duration: 'long' })
      await expectSameInNewStore(service.server().db, folder)
    }),
  180_000,
)

test(
  'ids and slugs that no record can have, and a slug that no database can look for, do not stop an import',
  () =>
    withFolder(async (folder) => {
      const odd = [
        { id: Number.MAX_SAFE_INTEGER, slug: 'a\0b' },
        { id: -1, slug: '\ud800' },
        { id: 'seven', slug: '../../x' },
        { id: 1.5, slug: 'x'.repeat(5000) },
        { id: 0, slug: 5 },
        { id: null, slug: '' },
      ]
      const records = odd.map((fields, i) => ({ title: `Odd ${i}`, category: 'Odd', ...fields }))
      const { report } = await importServed(service, writeRecords(folder, 'odd.ndjson', records))
      expect([toCounts(report), report.renumbered.length]).toEqual([[6, 0, 0, 0], 1])
      const told = report.unfit.map(({ file, field }) => `${file} ${field}`)
      expect(told.filter((each) => each.endsWith('slug')).length).toBe(5)
      expect(told.filter((each) => each.endsWith(' id')).sort()).toEqual([2, 3, 4, 5].map((line) => `line ${line} id`))
      odd.forEach((fields, i) => {
        writeFile(join(folder, 'odd'), `odd/videos/${i}.json`, { title: `File ${i}`, ...fields })
      })
      expect(toCounts((await importServed(service, join(folder, 'odd'))).report)).toEqual([6, 0, 0, 0])
      expect(await runRostrum('doctor', '--db', service.server().db)).toMatchObject({ exitCode: 0, stdout: '' })
    }),
  30_000,
)

test('a reason that the API would refuse is refused before anything is read', () =>
  withFolder(async (folder) => {
    const file = writeRecords(folder, 'one.ndjson', [{ title: 'One', category: 'Refused' }])
    const { db } = service.server()
    for (const [value, says] of [
      ['x'.repeat(501), '--reason: Must have at most 500 characters.'],
      ['a\u0007b', '--reason: Contains the control character U+0007.'],
    ] as const) {
      const { exitCode, stderr } = await runRostrum('import', file, '--db', db, '--reason', value)
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 64, stderr: expect.stringContaining(says) })
    }
    expect((await importServed(service, file, '--reason', '  ')).exitCode).toBe(0)
  }))

async function readDescription({ call }: Service, slug: string): Promise<unknown> {
  const answer = await call({ method: 'GET', path: `/api/v2/category/${slug}`, as: 'admin' })
  return parseFields(answer).description
}

/** The store is in order, and so is one that is made of its dump, which gives the same dump. */
async function expectSameInNewStore(db: string, folder: string): Promise<void> {
  const [first, second, copy] = [join(folder, '1.dump'), join(folder, '2.dump'), join(folder, 'copy.db')]
  expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })
  expect(await exportFrom(db, 'dump', first)).toMatchObject({ exitCode: 0 })
  expect(await runRostrum('import', first, '--db', copy)).toMatchObject({ exitCode: 0 })
  expect(await runRostrum('doctor', '--db', copy)).toMatchObject({ exitCode: 0, stdout: '' })
  expect(await exportFrom(copy, 'dump', second)).toMatchObject({ exitCode: 0 })
  expect(Bun.deepEquals(readLines(first), readLines(second))).toBe(true)
}

/** Of tables without an order of their own, in any. */
const readLines = (path: string): unknown[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .sort()
    .map((line) => JSON.parse(line))
