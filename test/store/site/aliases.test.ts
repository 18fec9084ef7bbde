import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { JsonObject } from '../../../src/record/json.ts'
import type { Database } from '../../../src/store/database.ts'
import { rebuildAliases } from '../../../src/store/derive/former-paths.ts'
import { createImporter } from '../../../src/store/import/importer.ts'
import { checkAliases } from '../../../src/store/maintain/check/records.ts'
import { exportDump } from '../../../src/store/maintain/dump/dump-export.ts'
import { createDumpImport } from '../../../src/store/maintain/dump/dump-import.ts'
import { eraseRecord } from '../../../src/store/maintain/erase.ts'
import { moveStore } from '../../../src/store/maintain/move-store.ts'
import { openSqliteStore } from '../list-stores.ts'
import { author } from '../random-talks.ts'
import { describeEngines, type SiteStore, timeoutMs } from './site-store.ts'

/** Imports talks with these extras; equal paths are equal talks. */
async function importTalks(db: Database, talks: { readonly [path: string]: JsonObject }): Promise<void> {
  const options = { source: 'test', author: 'import', reason: null, state: 1, isDryRun: false } as const
  const importer = createImporter(db, { ...options, hasPath: () => true, now: Date.now })
  const plain = { id: null, slug: null, added: null, updated: null, isTakenDown: false, unfitNames: [] }
  await importer.run(
    Object.entries(talks).map(([path, values]) => ({
      ...plain,
      path,
      changes: { category: 'Imported', title: `Talk ${path}` },
      toExtras: () => (Object.keys(values).length === 0 ? null : { values, basis: { said: {}, absent: [] } }),
    })),
    [],
  )
}

async function copyByDump(from: Database, to: Database): Promise<void> {
  await to.transaction('write', async () => {
    const dump = createDumpImport(to)
    for await (const line of exportDump(from)) await dump.take(Buffer.from(line))
    await dump.finish(() => undefined)
  })
}

const silent = { onStage: () => undefined, onStep: () => undefined }

function copyByMove(from: Database, to: Database): Promise<unknown> {
  return from.transaction('read', () => to.transaction('write', () => moveStore(from, to, silent)))
}

async function listFindings(db: Database): Promise<unknown[]> {
  const findings: unknown[] = []
  for await (const finding of checkAliases(db)) findings.push(finding)
  return findings
}

describeEngines((open) => {
  let store: SiteStore
  const find = (path: string) => store.site.findAlias(path)
  const first = { id: 1, slug: 'talk-a' }

  beforeAll(async () => {
    store = await open()
    await importTalks(store.writing, {
      a: { alias: '/video/1/old-a/' },
      b: { alias: 'video/2/old-b', other: 1 },
      c: { alias: 'video/2/old-b' },
      d: { alias: 7 },
      e: { alias: '///' },
      f: { alias: 'x'.repeat(501) },
      g: { alias: 'nul\0' },
      h: { other: 'alias' },
      i: {},
    })
  }, timeoutMs)
  afterAll(() => store.remove(), timeoutMs)

  test('an imported record is found by its alias, with or without slashes at the ends', async () => {
    for (const path of ['video/1/old-a', '/video/1/old-a', 'video/1/old-a/', '//video/1/old-a//']) {
      expect(await find(path)).toEqual(first)
    }
    for (const path of ['', '/', 'video/1', 'video/1/OLD-A', 'x'.repeat(501), 'nul\0', '\ud800', 'alias']) {
      expect(await find(path)).toBeNull()
    }
  })

  test('of two records with the same alias, the one with the lower id is found', async () => {
    expect((await find('video/2/old-b'))?.id).toBe(2)
  })

  test('the next import may change an alias, or remove it', async () => {
    await importTalks(store.writing, { a: { alias: 'video/1/newer' }, b: {} })
    expect(await find('video/1/newer')).toEqual(first)
    expect(await find('video/1/old-a')).toBeNull()
    expect((await find('video/2/old-b'))?.id).toBe(3)
  })

  test.each([
    ['dump', copyByDump],
    ['move', copyByMove],
  ])('a %s to another store takes aliases along', async (_, copy) => {
    const other = await openSqliteStore()
    try {
      await copy(store.db, other.writing)
      const rows = (db: Database) => db.query('SELECT record_id, alias FROM extras ORDER BY record_id').all()
      expect(await rows(other.db)).toEqual(await rows(store.db))
      expect(await listFindings(other.db)).toEqual([])
    } finally {
      await other.remove()
    }
  })

  test('the doctor finds wrong aliases, and a rebuild mends them', async () => {
    await store.writing.script(`UPDATE extras SET alias = 'wrong' WHERE record_id = 1`)
    expect(await listFindings(store.db)).toEqual([{ id: 1, what: 'its alias differs from its extras' }])
    await store.writing.transaction('write', () => rebuildAliases(store.writing))
    expect(await listFindings(store.db)).toEqual([])
    expect(await find('video/1/newer')).toEqual(first)
  })

  test('drafts and erased records are not found', async () => {
    await store.change(1, { state: 2 })
    expect(await find('video/1/newer')).toBeNull()
    await store.change(1, { state: 1 })
    await store.execute({ kind: 'undo', batch: 1, author })
    expect(await find('video/1/newer')).toBeNull()
    await store.execute({ kind: 'undo', batch: 2, author })
    expect(await find('video/1/newer')).toEqual(first)
    await eraseRecord(store.writing, 1, '2026-01-01T00:00:00.000')
    expect(await find('video/1/newer')).toBeNull()
  })
})
