import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { importInto, runRostrum } from '../archive/command.ts'
import { createFolder, removeFolder } from '../harness/server.ts'

// Runner: long checkout

const folder = createFolder()
const [db, csv, report] = [`${folder}/store.db`, `${folder}/table.csv`, `${folder}/report.json`]
beforeAll(async () => {
  const talks = [1, 2].map((i) => JSON.stringify({ category: 'Event', title: `Talk ${i}`, tags: ['old'] }))
  writeFileSync(`${folder}/talks.ndjson`, talks.join('\n'))
  await importInto(db, `${folder}/talks.ndjson`)
}, 180_000)
afterAll(() => removeFolder(folder))

function importTable(text: string | Uint8Array, ...args: string[]) {
  writeFileSync(csv, text)
  return runRostrum('import', csv, '--db', db, ...args)
}

const counted = (created: number, changed: number, unchanged: number, refused: number) =>
  `${created} created, ${changed} changed, ${unchanged} unchanged, ${refused} refused`

describe('rostrum import of a table', () => {
  const table = '\ufeffid;title;tags\r\n1;"Talk 1";"old; new"\r\n2;Talk 2;old\r\n;Talk 3;\r\n'

  test('shows in a dry run what every row would do, and stores nothing', async () => {
    const { exitCode, stdout } = await importTable(table, '--event', 'Event', '--dry-run')
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringContaining(`${counted(1, 1, 1, 0)} (dry run: nothing was stored)`),
    ])
    expect(stdout).toContain('row 2: record 1, overwriting\n  tags: ["old"] -> ["old","new"]\n')
    expect(stdout).toContain('row 4: new record "Talk 3"\n')
  })

  test('changes and creates, once, as one batch', async () => {
    const done = await importTable(table, '--event', 'Event', '--report', report)
    expect([done.exitCode, done.stdout]).toEqual([0, expect.stringContaining(counted(1, 1, 1, 0))])
    expect(done.stdout).toContain('This table is batch 2.')
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
      ...{ created: 1, changed: 1, unchanged: 1, refused: 0, batch: 2 },
      rows: [
        { row: 2, id: 1, is: 'changed' },
        { row: 3, id: 2, is: 'unchanged' },
        { row: 4, id: null, is: 'created' },
      ],
    })
    const same = await importTable('id,title\n1,Talk 1\n3,Talk 3\n')
    expect([same.exitCode, same.stdout]).toEqual([0, `${counted(0, 0, 2, 0)}\n`])
  })

  test('stores nothing if a row is refused, unless --partial is given', async () => {
    const text = 'id,title,recorded\n1,Uno,2024-02-30\n99,X,\n2,Dos,\n'
    const refused = await importTable(text)
    expect([refused.exitCode, refused.stdout]).toEqual([
      65,
      expect.stringContaining(`${counted(0, 1, 0, 2)} (nothing was stored)`),
    ])
    expect(refused.stdout).toContain('refused row 2 (record 1), recorded: Must be an existing calendar day')
    expect(refused.stdout).toContain('refused row 3 (record 99): not_found')
    const partial = await importTable(text, '--partial')
    expect([partial.exitCode, partial.stdout]).toEqual([65, expect.stringContaining('This table is batch 3.')])
  })

  /** What is wrong, the file, and what the message must have. */
  const wrong: readonly (readonly [string, string | Uint8Array, string])[] = [
    ['an unknown column', 'title,Room\nA,B', 'Unknown column "Room".'],
    ['a column twice', 'title,Title\nA,B', 'Unknown column "Title".'],
    ['no names of columns', 'A,https://example.org/1', 'The first row must have the names'],
    ['no rows', 'title,event\n', 'The table has no rows.'],
    ['an open quotation mark', 'title\n"A', 'Row 2, column 1: The closing quotation mark is missing.'],
    ['another encoding', Buffer.from([0x74, 0x69, 0x74, 0x6c, 0x65, 0x0a, 0xfc]), 'The file is not UTF-8.'],
    ['a NUL', 'title\n\0', 'NUL'],
    ['too many bytes', new Uint8Array(10 * 1024 * 1024 + 1).fill(97), 'larger than 10 MiB'],
  ]
  test.each(wrong)('is refused for %s', async (_, text, message) => {
    const { exitCode, stdout, stderr } = await importTable(text)
    expect([exitCode, stdout, stderr]).toEqual([65, '', expect.stringContaining(message)])
  })

  test('is refused for a file that does not exist', async () => {
    expect((await runRostrum('import', `${folder}/none.csv`, '--db', db)).exitCode).toBe(66)
  })
})
