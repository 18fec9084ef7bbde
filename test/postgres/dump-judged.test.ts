import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tamperings } from '../cli/dump-tampering.ts'
import { fillStore } from '../cli/dumped-store.ts'
import { runRostrum } from '../cli/store-command.ts'
import { createFolder } from '../harness/server.ts'
import { readRows, useDatabases } from './databases.ts'

const { createAddress } = useDatabases()
const folder = createFolder()
const at = (name: string) => join(folder, name)
let lines: readonly string[] = []

beforeAll(async () => {
  await fillStore(at('a.db'))
  await runRostrum('export', '--format', 'dump', '--out', at('a.dump'), '--db', at('a.db'))
  lines = readFileSync(at('a.dump'), 'utf8').trimEnd().split('\n')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Those that the database itself has a say in; the others are judged before it hears of them. */
const asked = ['a batch that is missing', 'a batch that miscounts', 'an erasure with a taken number', 'raw markup']

test.each(tamperings.filter(({ what }) => asked.includes(what)))(
  'PostgreSQL takes no dump with $what either',
  async ({ at: mark, tamper, says }) => {
    const index = lines.findIndex((line) => line.includes(mark))
    writeFileSync(at('b.dump'), `${lines.with(index, tamper(lines[index] ?? '')).join('\n')}\n`)
    const address = await createAddress()
    const { exitCode, stderr } = await runRostrum('import', at('b.dump'), '--db', address)
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 65, stderr: expect.stringMatching(says) })
    expect(await readRows(address, 'SELECT seq FROM version')).toEqual([])
  },
)

test('and a whole dump comes in', async () => {
  expect(await runRostrum('import', at('a.dump'), '--db', await createAddress())).toMatchObject({ exitCode: 0 })
})
