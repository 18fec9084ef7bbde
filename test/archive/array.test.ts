import { describe, expect, test } from 'bun:test'
import { closeSync, openSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Incoming } from '../../src/archive/incoming.ts'
import { openArray } from '../../src/archive/json-array/array.ts'
import { withFolder } from '../faults/scratch.ts'
import { importInto, toCounts } from './command.ts'
import { checkStored, readStored } from './stored.ts'

const megabyte = 1024 * 1024
const toJson = (title: string, more: object = {}) => JSON.stringify({ title, category: 'C', ...more })
const empty = { records: [], versions: 0, batches: 0, categories: [] }

/** Imports a file of this text. */
async function withArray(text: string, check: (db: string, file: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const file = join(folder, 'talks.json')
    writeFileSync(file, text)
    await check(join(folder, 'a.db'), file)
  })
}

describe('An array', () => {
  test.each(['[]', ' \r\n[\t\n] \n'])('without entries (%j) brings nothing, and that is no mistake', async (text) => {
    await withArray(text, async (db, file) => {
      const { exitCode, report } = await importInto(db, file)
      expect([exitCode, toCounts(report), report.batch]).toEqual([0, [0, 0, 0, 0], null])
    })
  })

  test('may have spaces everywhere; talks with an id come first, and each is called by its place', async () => {
    const talks = [toJson('One'), '{ "title" : "Two" , "id" \n : 1 }', toJson('Three \\ "],[" ü 💡', { id: 2 }), '{}']
    await withArray(`\n [\r\n\t${talks.join('\n , \t')}\n]\n \n`, async (db, file) => {
      const { exitCode, report } = await importInto(db, file)
      expect([exitCode, toCounts(report), report.renumbered]).toEqual([65, [3, 0, 0, 1], []])
      expect(report.unfit.map((each) => [each.file, each.field])).toEqual([['id 1', 'category']])
      expect(report.refused.map((each) => [each.file, each.field])).toEqual([['entry 4', 'title']])
      expect(readStored(db).records.map(({ id, title }) => [id, title])).toEqual([
        [1, 'Two'],
        [2, 'Three \\ "],[" ü 💡'],
        [3, 'One'],
      ])
    })
  })

  test('has each wrong entry refused for what it is, and the others come in', async () => {
    const deep = `{"title":"A","x":${'['.repeat(9_999)}${']'.repeat(9_999)}}`
    const long = toJson('Long', { description: 'x'.repeat(50 * megabyte) })
    const wrong = ['{"title":}', 'oops', '5', '{"title":"A","title":"B"}', deep, long, '[]']
    await withArray(`[\n${[toJson('First'), ...wrong, toJson('Last')].join(',\n')}\n]`, async (db, file) => {
      const { exitCode, report, peakBytes } = await importInto(db, file)
      expect([exitCode, toCounts(report)]).toEqual([65, [2, 0, 0, wrong.length]])
      expect(report.refused.map(({ file, reason }) => [file, reason])).toEqual([
        ['entry 2', 'Not JSON: Invalid value, at line 1, column 10. The entry begins at byte 37 of the file.'],
        ['entry 3', 'Not JSON: Invalid value, at line 1, column 1. The entry begins at byte 49 of the file.'],
        ['entry 4', 'Not a JSON object.'],
        ['entry 5', expect.stringMatching(/^Not JSON: Duplicate name "title", .* byte 58 of the file\.$/)],
        ['entry 6', expect.stringMatching(/Nested deeper than 32 levels/)],
        [
          'entry 7',
          expect.stringMatching(/^Longer than 8 MiB, which is too large for a record\. The entry begins at byte \d+ /),
        ],
        ['entry 8', 'Not a JSON object.'],
      ])
      // Held as bytes and as text the long one would be at least 150 MB more than the program itself.
      expect(peakBytes / megabyte).toBeLessThan(140)
      expect(readStored(db).records.map(({ title }) => title)).toEqual(['First', 'Last'])
      checkStored(db)
    })
  })
})

describe('What is not one array', () => {
  const [one, two] = [toJson('Ünö 💡', { id: 5 }), toJson('Two')]
  test.each<[what: string, text: string, said: string]>([
    [
      'is cut off in an entry',
      `[\n${one},\n ${two.slice(0, -9)}`,
      'The file ends within entry 2, which begins here, at line 3, column 2.',
    ],
    [
      'is cut off in a string',
      `[${one}, {"title": "Two`,
      `The file ends within entry 2, which begins here, at line 1, column ${one.length + 4}.`,
    ],
    ['is cut off between entries', `[\n${one},\n`, 'Expected entry 2, found the end of the file, at line 3, column 1.'],
    [
      'is not closed',
      `[${one}\n`,
      'Expected "," or "]" after entry 1, found the end of the file, at line 2, column 1.',
    ],
    ['has text after it', `[${one}]\n  and more`, 'Expected the end of the file, found "a", at line 2, column 3.'],
    ['has another after it', `[${one}]\n[${two}]`, 'Expected the end of the file, found "[", at line 2, column 1.'],
    ['lacks a comma', `[${one}\n${two}]`, 'Expected "," or "]" after entry 1, found "{", at line 2, column 1.'],
    ['has a comma too many', `[${one},\n,${two}]`, 'Expected entry 2, found ",", at line 2, column 1.'],
    ['has a comma at its end', `[${one},\n]`, 'Expected entry 2, found "]", at line 2, column 1.'],
    [
      'closes what it has not opened',
      `[${one},\n{"title":["a"}]`,
      'Expected "]" within entry 2, found "}", at line 2, column 14.',
    ],
  ])('because it %s is refused as a whole, with the place', async (_what, text, said) => {
    await withArray(text, async (db, file) => {
      const { exitCode, report, stdout } = await importInto(db, file)
      expect(report.refused).toEqual([
        { file: 'talks.json', field: null, reason: `${said} Nothing of it was imported.` },
      ])
      expect([exitCode, toCounts(report), report.batch]).toEqual([65, [0, 0, 0, 1], null])
      expect(stdout).toContain(`refused talks.json: ${said}`)
      expect(readStored(db)).toEqual(empty)
    })
  })

  test('because it was cut off while it was read is told, after what it had', async () => {
    const talks = Array.from({ length: 4_000 }, (_, i) => toJson(`Talk ${i}`, { id: i + 1, summary: 'x'.repeat(400) }))
    await withArray(`[${talks.join(',\n')}]`, async (_db, file) => {
      const read: Incoming[] = []
      for await (const each of openArray(file).read()) {
        read.push(each)
        // By then all were found to be there, and most are still to be read.
        if (read.length === 1) truncateSync(file, 1_000_000)
      }
      expect(read.filter(({ is }) => is === 'talk').length).toBe(read.length - 1)
      expect(read.at(-1)).toMatchObject({
        path: 'talks.json',
        reason: expect.stringMatching(
          /^The file ends within .* The file changed during the import and was not read to its end\. Import it again\.$/,
        ),
      })
    })
  })
})

/** All in one line, and each refused for its title, so that nothing is held for being stored. */
function writeUntitled(path: string, count: number): void {
  const file = openSync(path, 'w')
  const description = 'Words of a talk. '.repeat(300)
  for (let id = 1; id <= count; id++) writeSync(file, `${id === 1 ? '[' : ','}${toJson('', { id, description })}`)
  writeSync(file, ']')
  closeSync(file)
}

test('memory does not grow with the array: 20 MB and 100 MB in one line take the same', async () => {
  await withFolder(async (folder) => {
    const peaks: number[] = []
    for (const count of [4_000, 20_000]) {
      const file = join(folder, `${count}.json`)
      writeUntitled(file, count)
      const { report, peakBytes } = await importInto(join(folder, 'a.db'), file, '--dry-run')
      expect(toCounts(report)).toEqual([0, 0, 0, count])
      peaks.push(peakBytes / megabyte)
    }
    const [few = 0, many = 0] = peaks
    // Held as bytes and as values, the other 80 MB would be at least 160 MB more.
    expect({ few, many, isFlat: many - few < 80 }).toMatchObject({ isFlat: true })
  })
}, 90_000)
