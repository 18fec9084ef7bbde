import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openForReading } from '../../src/store/sqlite/connection.ts'
import { createFolder } from '../harness/server.ts'
import { tamperings } from './dump-tampering.ts'
import { fillStore } from './dumped-store.ts'
import { createStore, runRostrum, spoil, toTalk } from './store-command.ts'

const folder = createFolder()
const at = (name: string) => join(folder, name)
let lines: readonly string[] = []

beforeAll(async () => {
  await fillStore(at('a.db'))
  expect(await runRostrum('export', '--format', 'dump', '--out', at('a.dump'), '--db', at('a.db'))).toMatchObject({
    exitCode: 0,
  })
  lines = readFileSync(at('a.dump'), 'utf8').trimEnd().split('\n')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(tamperings)(
  'a dump with $what is refused, and nothing of it is stored',
  async ({ at: mark, tamper, says }) => {
    const index = lines.findIndex((line) => line.includes(mark))
    const changed = lines.with(index, tamper(lines[index] ?? ''))
    expect(changed).not.toEqual([...lines])
    const [file, db] = [at(`${crypto.randomUUID()}.dump`), at(`${crypto.randomUUID()}.db`)]
    writeFileSync(file, `${changed.join('\n')}\n`)
    const { exitCode, stderr } = await runRostrum('import', file, '--db', db)
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 65 })
    expect(stderr).toMatch(says)
    expect(stderr).not.toContain('.ts:')
    if (!existsSync(db)) return
    const open = openForReading(db)
    const tables = ['version', 'record', 'category', 'batch', 'origin', 'tombstone']
    expect(tables.map((table) => open.query(`SELECT 1 FROM ${table}`).all().length)).toEqual(tables.map(() => 0))
    open.close()
  },
)

test('an export of a store with corrupted slugs and paths stays inside its folder', async () => {
  const db = at('spoilt.db')
  await createStore(db, [toTalk('One'), toTalk('Two')])
  spoil(db, `UPDATE category SET slug = '../../climbed'`)
  spoil(db, `UPDATE record SET body = CAST(replace(body, '"slug":"two"', '"slug":"../../../climbed"') AS BLOB)`)
  spoil(db, `INSERT INTO origin (record_id, source, path, imported) VALUES (1, 'x', '../climbed/videos/x.json', '{}')`)
  mkdirSync(at('a/b'), { recursive: true })
  const { exitCode, stderr } = await runRostrum('export', '--format', 'pyvideo', '--out', at('a/b/out'), '--db', db)
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
  expect(files.filter((name) => name.includes('climbed') || !name.startsWith('a/b/out/'))).toEqual([])
  expect(files.filter((name) => name.includes('/videos/'))).toHaveLength(2)
})
