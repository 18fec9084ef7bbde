import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Command } from '../../src/record/command.ts'
import { createVocabulary } from '../../src/store/read/names/vocabulary.ts'
import { type ListStore, openPostgresStore, openSqliteStore } from './list-stores.ts'

const timeoutMs = 120_000
const author = { name: 'test', role: 'admin' } as const

const engines: { readonly [name: string]: () => Promise<ListStore> } = {
  SQLite: openSqliteStore,
  PostgreSQL: openPostgresStore,
}

describe.each(Object.keys(engines))('Lists of names on %s', (engine) => {
  let store: ListStore
  beforeAll(async () => {
    store = await (engines[engine] ?? openSqliteStore)()
    await create('Ada Lovelace', 'Łukasz Ødegård', '42nd Street', 'Zoë', 'Anna', 'Åsa', '山田太郎', 'Жанна')
  }, timeoutMs)
  afterAll(() => store.remove(), timeoutMs)

  async function create(...speakers: string[]): Promise<void> {
    const command: Command = { kind: 'create', author, changes: { category: 'C', title: 'T', state: 1, speakers } }
    await store.writer.run([command], new Set())
  }

  const all = { kind: 'speaker', visibility: 'live', prefix: '', page: 1, pageSize: 50 } as const

  async function open() {
    const indexes = store.createIndexes()
    for (const each of [indexes.columns, indexes.nameLoader]) while (await each.loadSome());
    return indexes
  }

  test('have initials in the order of the alphabet, and the names of each', async () => {
    const { list, listInitials } = createVocabulary(store.db, () => 0, undefined, await open())
    expect(await listInitials({ kind: 'speaker', visibility: 'live' })).toEqual([
      { initial: 'a', count: 3 },
      { initial: 'l', count: 1 },
      { initial: 'z', count: 1 },
      { initial: 'ж', count: 1 },
      { initial: 'other', count: 2 },
    ])
    const namesOf = async (initial: string, page: number | 'last' = 1, pageSize = 50) =>
      (await list({ ...all, initial, page, pageSize })).rows.map((row) => ('name' in row ? row.name : ''))
    expect(await namesOf('a')).toEqual(['Ada Lovelace', 'Anna', 'Åsa'])
    expect(await namesOf('a', 2, 2)).toEqual(['Åsa'])
    expect(await namesOf('a', 'last', 2)).toEqual(['Åsa'])
    expect(await namesOf('a', 3, 2)).toEqual([])
    expect(await namesOf('other')).toEqual(['42nd Street', '山田太郎'])
    expect(await namesOf('q')).toEqual([])
    expect(await listInitials({ kind: 'tag', visibility: 'live' })).toEqual([])
  })

  test('have one of the names that differ in case and accents only, the most used', async () => {
    await create('ZOE', 'Zoe')
    await create('Zoe')
    const { list, listInitials } = createVocabulary(store.db, () => 0, undefined, await open())
    const initials = await listInitials({ kind: 'speaker', visibility: 'live', hasOneSpelling: true })
    expect(initials.find(({ initial }) => initial === 'z')).toEqual({ initial: 'z', count: 1 })
    const { count, rows } = await list({ ...all, initial: 'z', hasOneSpelling: true })
    expect([count, rows]).toEqual([1, [expect.objectContaining({ name: 'Zoe', count: 2 })]])
    expect((await list({ ...all, initial: 'z' })).count).toBe(3)
  })

  test('do not remember what was counted before a change that came meanwhile', async () => {
    const { columns, ...others } = await open()
    let changes = 0
    let isMeanwhile = true
    const refresh = async () => {
      await columns.refresh()
      if (!isMeanwhile) return
      // After the snapshot was taken, and before anything is counted.
      isMeanwhile = false
      await create('Newcomer')
      changes++
    }
    const indexes = { ...others, columns: { ...columns, refresh } }
    const { list } = createVocabulary(store.db, () => changes, undefined, indexes)
    const before = (await list(all)).count
    expect((await list(all)).count).toBe(before + 1)
  })
})
