import { describe, expect, test } from 'bun:test'
import { closeSync, openSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { maxArrayBytes } from '../../src/archive/records.ts'
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
  test.each(['[]', ' \r\n[\t\n] \n'])('without entries (%j) imports nothing, and is not an error', async (text) => {
    await withArray(text, async (db, file) => {
      const { exitCode, report } = await importInto(db, file)
      expect([exitCode, toCounts(report), report.batch]).toEqual([0, [0, 0, 0, 0], null])
    })
  })

  test('may have spaces everywhere; talks with an id come first, and each is named by its position', async () => {
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

  test('is imported without the entries that are not records, which are refused', async () => {
    const wrong = ['5', '[]', '{"category":"C"}']
    await withArray(`[\n${[toJson('First'), ...wrong, toJson('Last')].join(',\n')}\n]`, async (db, file) => {
      const { exitCode, report } = await importInto(db, file)
      expect([exitCode, toCounts(report)]).toEqual([65, [2, 0, 0, wrong.length]])
      expect(report.refused.map(({ file, field }) => [file, field])).toEqual([
        ['entry 2', null],
        ['entry 3', null],
        ['entry 4', 'title'],
      ])
      expect(readStored(db).records.map(({ title }) => title)).toEqual(['First', 'Last'])
      checkStored(db)
    })
  })
})

describe('What is not one array', () => {
  const [one, two] = [toJson('Ünö 💡', { id: 5 }), toJson('Two')]
  test.each<[what: string, text: string, said: string]>([
    ['is cut off in an entry', `[\n${one},\n ${two.slice(0, -1)}`, 'Expected "}", at line 3, column 31.'],
    ['is cut off in a string', `[${one},\n{"title": "Two`, 'Unterminated string, at line 2, column 11.'],
    ['is cut off between entries', `[\n${one},\n`, 'Unexpected end, expected a value, at line 3, column 1.'],
    ['is not closed', `[${one}\n`, 'Expected "]", at line 2, column 1.'],
    ['has text after it', `[${one}]\n  and more`, 'Unexpected text after the value, at line 2, column 3.'],
    ['has another after it', `[${one}]\n[${two}]`, 'Unexpected text after the value, at line 2, column 1.'],
    ['lacks a comma', `[${one}\n${two}]`, 'Expected "]", at line 2, column 1.'],
    ['has a comma too many', `[${one},\n,${two}]`, 'Invalid value, at line 2, column 1.'],
    ['has a comma at its end', `[${one},\n]`, 'Invalid value, at line 2, column 1.'],
    ['has a name twice', `[${one},\n{"title":"A","title":"B"}]`, 'Duplicate name "title", at line 2, column 14.'],
  ])('because it %s is refused as a whole, with the position', async (_what, text, said) => {
    await withArray(text, async (db, file) => {
      const { exitCode, report, stdout } = await importInto(db, file)
      expect(report.refused).toEqual([
        { file: 'talks.json', field: null, reason: `Not JSON: ${said} Nothing of it was imported.` },
      ])
      expect([exitCode, toCounts(report), report.batch]).toEqual([65, [0, 0, 0, 1], null])
      expect(stdout).toContain(`refused talks.json: Not JSON: ${said}`)
      expect(readStored(db)).toEqual(empty)
    })
  })
})

test('an array that is too large is refused without reading it, and the report says what to do', async () => {
  await withArray('[{"title": "One"}]', async (db, file) => {
    truncateSync(file, maxArrayBytes + 1)
    const { exitCode, report, peakBytes } = await importInto(db, file)
    const reason = expect.stringMatching(/^A JSON array of more than 64 MiB .* one record per line \(NDJSON\)/)
    expect(report.refused).toEqual([{ file: 'talks.json', field: null, reason }])
    expect([exitCode, toCounts(report)]).toEqual([65, [0, 0, 0, 1]])
    expect(peakBytes / megabyte).toBeLessThan(140)
    expect(readStored(db)).toEqual(empty)
  })
})

/** Each is refused for its title, so that nothing is held for being stored. */
function writeUntitled(path: string, count: number): void {
  const file = openSync(path, 'w')
  const description = 'Words of a talk. '.repeat(300)
  for (let id = 1; id <= count; id++) writeSync(file, `${toJson('', { id, description })}\n`)
  closeSync(file)
}

test('memory does not grow with a file of lines: 20 MB and 100 MB use the same', async () => {
  await withFolder(async (folder) => {
    const peaks: number[] = []
    for (const count of [4_000, 20_000]) {
      const file = join(folder, `${count}.ndjson`)
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
