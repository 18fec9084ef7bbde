import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { eraseRecord } from '../../../src/store/maintain/erase.ts'
import type { MemoryIndexes } from '../../../src/store/search/memory-indexes.ts'
import { hasRoom } from '../../../src/store/search/snapshot-file.ts'
import type { SnapshotDeps } from '../../../src/store/search/words-loader.ts'
import { sample } from '../../harness/runs.ts'
import { until } from '../../harness/until.ts'
import { type ListStore, openPostgresStore, openSqliteStore } from '../list-stores.ts'
import {
  ask,
  author,
  create,
  createSnapshotFolder,
  hasWord,
  idle,
  isWritten,
  load,
  recordCount,
  run,
  toDeps,
  untilWritten,
} from './indexed-store.ts'

// Runner: slow

const timeoutMs = 120_000
const engines: { readonly [name: string]: () => Promise<ListStore> } = {
  SQLite: openSqliteStore,
  PostgreSQL: openPostgresStore,
}

describe.each(sample(Object.keys(engines)))('The index snapshot on %s', (name) => {
  let store: ListStore
  let folder: ReturnType<typeof createSnapshotFolder>
  /** A snapshot of the first records. */
  let first = ''
  const reports: unknown[] = []
  beforeAll(async () => {
    store = await (engines[name] ?? openSqliteStore)()
    folder = createSnapshotFolder()
    first = `${folder.path}.first`
    await run(store, ...Array.from({ length: recordCount }, (_, i) => create(i + 1)))
    const indexes = store.createIndexes({}, toDeps(store, first, reports))
    expect(await load(indexes)).toBe(false)
    await untilWritten(indexes, first)
    await indexes.snapshot?.close()
  }, timeoutMs)
  afterAll(async () => {
    expect(reports).toEqual([])
    await store.remove()
    folder.remove()
  }, timeoutMs)

  const reopen = (more: Partial<SnapshotDeps> = {}) => store.createIndexes({}, toDeps(store, first, reports, more))

  test('is readable by our user alone, and nothing else is left', () => {
    expect(statSync(first).mode & 0o777).toBe(0o600)
    expect(readdirSync(dirname(first))).toEqual([basename(first)])
  })

  test('answers every list as the store does', async () => {
    const [fresh, restored] = [store.createIndexes(), reopen({ isWriter: false })]
    expect([await load(fresh), await load(restored)]).toEqual([false, true])
    expect(await ask(store, restored)).toEqual(await ask(store, fresh))
    for (const kind of ['speaker', 'tag'] as const) {
      expect(restored.names.listIds(kind).sort()).toEqual(fresh.names.listIds(kind).sort())
    }
  })

  test('is followed by the changes since', async () => {
    await run(
      store,
      create(recordCount + 1),
      { kind: 'merge', id: 3, author, precondition: {}, changes: { title: 'needle in a stuck', state: 1 } },
      { kind: 'merge', id: 4, author, precondition: {}, changes: { summary: '', speakers: ['Someone Else'] } },
    )
    const [fresh, restored] = [store.createIndexes(), reopen({ isWriter: false })]
    expect([await load(fresh), await load(restored)]).toEqual([false, true])
    expect(await ask(store, restored)).toEqual(await ask(store, fresh))
  })

  test('is followed by names that were renamed or merged since', async () => {
    const [target] = await store.db
      .query<{ id: number }, [string]>('SELECT id FROM speaker WHERE name = ?')
      .all('Speaker 8')
    const outcomes = await store.writer.run(
      [
        { kind: 'rename name', of: 'speaker', nameId: 1, name: 'Renamed Since', author },
        { kind: 'merge names', of: 'speaker', nameId: 2, into: target?.id ?? 0, author },
      ],
      new Set(),
    )
    expect(outcomes).toMatchObject([{ is: 'batch' }, { is: 'batch' }])
    const [fresh, restored] = [store.createIndexes(), reopen({ isWriter: false })]
    for (const indexes of [fresh, restored]) await load(indexes)
    const listNames = ({ names, columns }: MemoryIndexes) =>
      Array.from({ length: names.end() }, (_, number) => names.get(number))
        .flatMap((name) => (name?.kind === 'speaker' ? [name] : []))
        .filter(({ id }) => columns.countOf('speaker', id, 'all') > 0)
        .map(({ id, text }) => `${id} ${text}`)
        .sort()
    expect(listNames(restored)).toEqual(listNames(fresh))
    expect(listNames(restored)).toContain('1 Renamed Since')
    expect(await ask(store, restored)).toEqual(await ask(store, fresh))
  })

  test('of another store is not used', async () => {
    expect(await load(reopen({ isWriter: false, readStoreId: async () => 'another' }))).toBe(false)
  })

  test('has no words of a record that was erased, and is wiped at once when one is', async () => {
    const path = `${folder.path}.erased`
    copyFileSync(first, path)
    expect(hasWord(path, 'unique1055')).toBe(true)
    const indexes = store.createIndexes({}, toDeps(store, path, reports))
    await load(indexes)
    expect(await eraseRecord(store.writing, 1055, '2026-01-01T00:00:00.000')).toBe(true)
    await idle(indexes, () => !hasWord(path, 'unique1055'))
    await idle(indexes, () => hasWord(path, 'unique1056'))
    expect(hasWord(path, 'unique1055')).toBe(false)
    await indexes.snapshot?.close()
    const restored = store.createIndexes({}, toDeps(store, path, reports, { isWriter: false }))
    expect(await load(restored)).toBe(true)
    const fresh = store.createIndexes()
    await load(fresh)
    expect(await ask(store, restored)).toEqual(await ask(store, fresh))
  })

  test('is wiped if a record was erased while it was written', async () => {
    const path = `${folder.path}.late`
    const indexes = store.createIndexes({}, toDeps(store, path, reports, { intervals: { lookMs: 1e9, writeMs: 0 } }))
    await load(indexes)
    await indexes.snapshot?.loadSome()
    await until('it is written', () => hasWord(path, 'unique1056'))
    expect(await eraseRecord(store.writing, 1056, '2026-01-01T00:00:00.000')).toBe(true)
    await idle(indexes, () => !hasWord(path, 'unique1056'))
    await idle(indexes, () => hasWord(path, 'unique1057'))
    expect(hasWord(path, 'unique1056')).toBe(false)
    await indexes.snapshot?.close()
  })

  test('of a store that has erased a record since is not used, and wiped', async () => {
    const path = `${folder.path}.since`
    copyFileSync(first, path)
    const indexes = store.createIndexes({}, toDeps(store, path, reports))
    expect([hasWord(path, 'unique1055'), await load(indexes)]).toEqual([true, false])
    await until('it is wiped', () => !isWritten(path))
    await indexes.snapshot?.close()
  })

  test('never replaces a file that is something else, unless its name is ours', async () => {
    const path = `${folder.path}.other`
    writeFileSync(path, 'a letter')
    const own: unknown[] = []
    const indexes = store.createIndexes({}, toDeps(store, path, own, { isOwnName: false }))
    await load(indexes)
    await idle(indexes, () => own.length > 1)
    expect(readFileSync(path, 'utf8')).toBe('a letter')
    await indexes.snapshot?.close()
    const ours = store.createIndexes({}, toDeps(store, path, own))
    await load(ours)
    await idle(ours, () => hasWord(path, 'unique1057'))
    await ours.snapshot?.close()
  })

  test('is done without if it cannot be written', async () => {
    expect([hasRoom(first, 1), hasRoom(first, Number.MAX_SAFE_INTEGER)]).toEqual([true, false])
    const own: unknown[] = []
    const path = `${folder.path}/missing/store.search`
    const indexes = store.createIndexes({}, toDeps(store, path, own))
    await load(indexes)
    await idle(indexes, () => own.length === 1)
    for (let step = 0; step < 20; step++) await indexes.snapshot?.loadSome()
    expect(own).toHaveLength(1)
    expect(await ask(store, indexes)).not.toEqual([])
    await indexes.snapshot?.close()
  })

  test('of a history that the store no longer has is not used', async () => {
    await run(store, create(recordCount + 2))
    const path = `${folder.path}.history`
    const indexes = store.createIndexes({}, toDeps(store, path, reports))
    await load(indexes)
    await untilWritten(indexes, path)
    await indexes.snapshot?.close()
    const open = () => store.createIndexes({}, toDeps(store, path, reports, { isWriter: false }))
    expect(await load(open())).toBe(true)
    // As if the store had been rolled back, and had got another change of that number.
    const rewrite = store.writing.query<null, [number]>(
      "UPDATE version SET at = '2026-01-01T00:00:00.000' WHERE seq = ?",
    )
    await store.writing.transaction('write', async () => rewrite.send(indexes.columns.lastChange().seq))
    const [fresh, restored] = [store.createIndexes(), open()]
    expect([await load(fresh), await load(restored)]).toEqual([false, false])
    expect(await ask(store, restored)).toEqual(await ask(store, fresh))
  })
})
