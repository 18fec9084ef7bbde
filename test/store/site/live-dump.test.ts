import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { eraseRecord } from '../../../src/store/maintain/erase.ts'
import { createChangeLog } from '../../../src/store/read/change-log.ts'
import { createLiveDump, type LiveDump } from '../../../src/store/site/live-dump.ts'
import { importTalks } from '../talks.ts'
import { describeEngines, type SiteStore, timeoutMs } from './site-store.ts'

const talks = 250

describeEngines((open) => {
  let store: SiteStore
  let dump: LiveDump
  let folder = ''
  let now = Date.parse('2026-03-01T12:00:00Z')
  let storeId = 'store-1'
  let freeBytes = Number.POSITIVE_INFINITY

  beforeAll(async () => {
    store = await open()
    folder = mkdtempSync(join(tmpdir(), 'rostrum-dump-test-'))
    await importTalks(store.writing, talks, 'Imported')
    await store.create({ title: 'Draft', state: 2 })
  }, timeoutMs)
  afterAll(async () => {
    await store.remove()
    rmSync(folder, { recursive: true })
  }, timeoutMs)

  beforeEach(() => {
    const { db, createListSql, indexes } = store
    const { readChanges } = createChangeLog(db, { readStoreId: async () => storeId })
    let reads = 0
    // Each look reads the change log, as after a change.
    dump = createLiveDump({
      db,
      sql: createListSql(indexes),
      readChanges,
      folder,
      hasRoom: (_, bytes) => bytes <= freeBytes,
      changesCounter: () => ++reads,
      now: () => now,
    })
  })
  afterEach(() => dump.close())

  /** All pieces of a dump; null if it was thrown away meanwhile. */
  async function readAll(
    onPiece?: (number: number) => Promise<void>,
  ): Promise<{ version: string; lines: string[] } | null> {
    const parts: string[] = []
    let version: string | null = null
    for (let position = 0; ; ) {
      const piece = await dump.read({ version, position })
      if (piece === null) return null
      if (piece === 'full') throw new Error('there is room')
      parts.push(piece.bytes)
      position += piece.bytes.length
      version = piece.version
      if (piece.isLast) {
        const lines = gunzipSync(Buffer.from(parts.join(''), 'latin1'))
          .toString()
          .split('\n')
        expect(lines.pop()).toBe('')
        return { version, lines }
      }
      await onPiece?.(parts.length)
    }
  }

  const toIds = (lines: readonly string[] | undefined) => lines?.map((line): number => JSON.parse(line).id)

  test('it has every live record once, as it is served, and no draft', async () => {
    const read = await readAll()
    expect(toIds(read?.lines)).toEqual(Array.from({ length: talks }, (_, i) => i + 1))
    const stored = await store.db
      .query<{ body: Uint8Array }, []>('SELECT body FROM record WHERE state = 1 ORDER BY id')
      .all()
    expect(read?.lines).toEqual(stored.map(({ body }) => Buffer.from(body).toString()))
  })

  test('its file has no name, so that nothing is left behind', async () => {
    await dump.read({ version: null, position: 0 })
    expect(readdirSync(folder)).toEqual([])
  })

  test('several readers at different positions get the same dump, of which each part is made once', async () => {
    const first = await dump.read({ version: null, position: 0 })
    const read = await readAll()
    expect(first).toMatchObject({ version: String(read?.version) })
    expect(await dump.read({ version: String(read?.version), position: 0 })).toMatchObject({ isLast: true })
  })

  test('edits and new records leave it as it is, until the next day', async () => {
    const read = await readAll()
    await store.change(1, { title: 'Edited' })
    const added = await store.create({ title: 'New' })
    expect(await readAll()).toEqual(read)
    now += 86_400_000
    const next = await readAll()
    expect(next?.version).not.toBe(String(read?.version))
    expect(toIds(next?.lines)).toContain(added)
    expect(next?.lines[0]).toContain('"Edited"')
  })

  test('a withdrawn record ends it at once, for readers in the middle too', async () => {
    const whole = await readAll()
    await store.change(2, { state: 2 })
    expect(await dump.read({ version: String(whole?.version), position: 0 })).toBeNull()
    expect(toIds((await readAll())?.lines)).not.toContain(2)
    await store.change(2, { state: 1 })
    dump.close()
    const cut = await readAll(async (number) => {
      if (number === 1) await store.change(2, { state: 2 })
    })
    expect(cut).toBeNull()
    expect(toIds((await readAll())?.lines)).not.toContain(2)
  })

  test('a record that is withdrawn before it was written does not end it', async () => {
    const read = await readAll(async (number) => {
      if (number === 1) await store.change(talks, { state: 2 })
    })
    expect(toIds(read?.lines)).not.toContain(talks)
    expect(toIds(read?.lines)).toContain(talks - 1)
  })

  test('an erased record ends it', async () => {
    const read = await readAll()
    await eraseRecord(store.writing, 3, '2026-03-01T13:00:00.000')
    expect(await dump.read({ version: String(read?.version), position: 0 })).toBeNull()
    expect(toIds((await readAll())?.lines)).not.toContain(3)
  })

  test('another store under the same address ends it', async () => {
    const read = await readAll()
    storeId = 'store-2'
    expect(await dump.read({ version: String(read?.version), position: 0 })).toBeNull()
  })

  test('it is thrown away without any request', async () => {
    const read = await readAll()
    await dump.loadSome()
    expect(await dump.read({ version: String(read?.version), position: 0 })).not.toBeNull()
    await store.change(4, { state: 2 })
    expect(dump.isComplete()).toBe(false)
    expect(await dump.loadSome()).toBe(false)
    expect(dump.isComplete()).toBe(true)
  })

  test('on a full disk there is no dump, and no file stays open', async () => {
    freeBytes = 0
    try {
      const before = countOpen()
      for (let i = 0; i < 20; i++) expect(await dump.read({ version: null, position: 0 })).toBe('full')
      expect(countOpen()).toBeLessThan(before + 10)
    } finally {
      freeBytes = Number.POSITIVE_INFINITY
    }
    expect((await readAll())?.lines.length).toBeGreaterThan(0)
  })
})

/** The open files of this process. */
const countOpen = () => readdirSync('/proc/self/fd').length
