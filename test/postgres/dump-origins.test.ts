import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fillStore } from '../cli/dumped-store.ts'
import { runRostrum } from '../cli/store-command.ts'
import { createFolder } from '../harness/server.ts'
import { readRows, useDatabases } from './databases.ts'

const { createAddress } = useDatabases()
const folder = createFolder()
const at = (name: string) => join(folder, name)
let lines: readonly string[] = []
let categoryIds: readonly number[] = []

const clean = 'http://talks.example.org'
const ann = 'http://ann:s3cret@talks.example.org'
const bob = 'http://bob@talks.example.org'

beforeAll(async () => {
  await fillStore(at('a.db'))
  await runRostrum('export', '--format', 'dump', '--out', at('a.dump'), '--db', at('a.db'))
  lines = readFileSync(at('a.dump'), 'utf8').trimEnd().split('\n')
  categoryIds = lines.flatMap((line) => JSON.parse(line).category?.id ?? [])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Three = readonly [string, string, string]

/** The dump with other places that its three records, and three categories, came from: all have the same path. */
function writeDump(name: string, sources: Three): string {
  const others = lines.filter((line) => !/^\{"(?:origin|origin_alias|category_origin)"/.test(line))
  const toLines = (kind: string, toRow: (id: number) => object) =>
    sources.map((source, i) => JSON.stringify({ [kind]: { source, path: 'x', ...toRow(i + 1) } }))
  const kept = { body: '{}', basis: '{"said":{},"absent":[]}' }
  const origins = toLines('origin', (id) => ({ id, imported: '{}', body: null, basis: null }))
  const aliases = toLines('origin_alias', (id) => ({ record_id: id }))
  const categories = toLines('category_origin', (id) => ({ category_id: categoryIds[id - 1], ...kept }))
  const firstBatch = others.findIndex((line) => line.startsWith('{"batch"'))
  const all = [...others.slice(0, firstBatch), ...categories, ...others.slice(firstBatch, -1), ...origins, ...aliases]
  writeFileSync(at(name), `${[...all, others.at(-1)].join('\n')}\n`)
  return at(name)
}

/** As an upgrade of the store would have left it: who has no password goes first, then by the alphabet. */
const cases: readonly { sources: Three; paths: Three; first: number }[] = [
  { sources: [ann, clean, bob], paths: ['x (record 1)', 'x', 'x (record 3)'], first: 2 },
  { sources: [bob, ann, clean], paths: ['x (record 1)', 'x (record 2)', 'x'], first: 3 },
  { sources: [clean, bob, ann], paths: ['x', 'x (record 2)', 'x (record 3)'], first: 1 },
  { sources: [bob, 'elsewhere', ann], paths: ['x (record 1)', 'x', 'x'], first: 3 },
]

test.each(cases)('a dump with $sources for the same place comes in, on either engine', async (each) => {
  const { sources, paths, first } = each
  const dump = writeDump('old.dump', sources)
  for (const db of [at(`${crypto.randomUUID()}.db`), await createAddress()]) {
    expect(await runRostrum('import', dump, '--db', db)).toMatchObject({ exitCode: 0 })
    expect(await readRows(db, 'SELECT source, path FROM origin ORDER BY record_id')).toEqual(
      sources.map((source, i) => ({ source: source === 'elsewhere' ? source : clean, path: paths[i] })),
    )
    const here = `WHERE source = '${clean}'`
    expect(await readRows(db, `SELECT path, record_id FROM origin_alias ${here}`)).toEqual([
      { path: 'x', record_id: first },
    ])
    expect(await readRows(db, `SELECT path, category_id AS id FROM category_origin ${here}`)).toEqual([
      { path: 'x', id: categoryIds[first - 1] },
    ])
    expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0 })
    if (!db.includes('://')) expect(readFileSync(db, 'latin1').includes('s3cret')).toBe(false)
  }
})

test('a dump in which two records came from the same place of the same source is damaged', async () => {
  for (const source of [clean, ann]) {
    const dump = writeDump('twice.dump', [source, source, 'elsewhere'])
    const { exitCode, stderr } = await runRostrum('import', dump, '--db', at('twice.db'))
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 65, stderr: expect.stringContaining('is damaged (line') })
    expect(stderr).not.toContain('s3cret')
  }
})
