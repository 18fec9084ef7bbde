import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Command } from '../../src/record/command.ts'
import type { NameLinesQuery } from '../../src/store/name-reads.ts'
import { createExamples, createNameLines } from '../../src/store/read/names/name-lines.ts'
import { createDismissedReader } from '../../src/store/read/names/variants.ts'
import { createVocabulary } from '../../src/store/read/names/vocabulary.ts'
import { type ListStore, openPostgresStore, openSqliteStore } from './list-stores.ts'

const timeoutMs = 120_000
const author = { name: 'test', role: 'admin' } as const
const noStep = () => undefined

const engines: { readonly [name: string]: () => Promise<ListStore> } = {
  SQLite: openSqliteStore,
  PostgreSQL: openPostgresStore,
}

describe.each(Object.keys(engines))('Names for curators on %s', (engine) => {
  let store: ListStore
  const ids = new Map<string, number>()

  const run = (command: Command) => store.writer.run([command], new Set())
  const create = (category: string, state: number, ...speakers: string[]) =>
    run({ kind: 'create', author, changes: { category, title: `${category} by ${speakers[0]}`, state, speakers } })
  const idOf = (name: string) => ids.get(name) ?? 0

  beforeAll(async () => {
    store = await (engines[engine] ?? openSqliteStore)()
    await create('Zeta', 1, 'Ada', 'ada', 'A. Da')
    await create('Zeta', 2, 'Ada')
    await create('Alpha', 1, 'Bob', 'ada')
    await create('Älpha', 2, 'Øyvind')
    const rows = await store.db.query<{ id: number; name: string }, []>('SELECT id, name FROM speaker').all()
    for (const { id, name } of rows) ids.set(name, id)
    const merge = { kind: 'merge names', of: 'speaker', author } as const
    await run({ ...merge, nameId: idOf('A. Da'), into: idOf('ada') })
    await run({ ...merge, nameId: idOf('ada'), into: idOf('Ada') })
    await run({ kind: 'merge categories', slug: 'alpha-2', into: 'alpha', author })
    await run({ kind: 'dismiss variants', of: 'speaker', author, ids: [idOf('Ada'), idOf('Bob')], isDismissed: true })
  }, timeoutMs)
  afterAll(() => store.remove(), timeoutMs)

  async function open(isLoaded: boolean) {
    if (!isLoaded) return null
    const indexes = store.createIndexes()
    for (const each of [indexes.columns, indexes.nameLoader]) while (await each.loadSome());
    return indexes
  }

  const all: NameLinesQuery = { kind: 'speaker', prefix: '', initial: null, order: 'name', page: 1, pageSize: 50 }

  describe.each([true, false])('with indexes in memory: %p', (isLoaded) => {
    async function list(query: Partial<NameLinesQuery>) {
      const indexes = await open(isLoaded)
      const vocabulary = createVocabulary(store.db, () => 0, noStep, indexes)
      return createNameLines(store.db, vocabulary, noStep, indexes)({ ...all, ...query })
    }
    const namesOf = async (query: Partial<NameLinesQuery>) => (await list(query)).lines.map(({ name }) => name)

    test('speakers have counts of all and of live records, and every alias', async () => {
      const { count, lines, initials } = await list({})
      expect(count).toBe(3)
      expect(lines).toEqual([
        { id: idOf('Ada'), name: 'Ada', slug: 'ada', count: 3, live: 2, aliases: ['A. Da', 'ada'] },
        { id: idOf('Bob'), name: 'Bob', slug: 'bob', count: 1, live: 1, aliases: [] },
        { id: idOf('Øyvind'), name: 'Øyvind', slug: 'oyvind', count: 1, live: 0, aliases: [] },
      ])
      expect(initials).toEqual([
        { initial: 'a', count: 1 },
        { initial: 'b', count: 1 },
        { initial: 'o', count: 1 },
      ])
    })

    test('can be sorted, searched and paged', async () => {
      expect(await namesOf({ order: 'use' })).toEqual(['Ada', 'Bob', 'Øyvind'])
      expect(await namesOf({ order: 'use', page: 2, pageSize: 1 })).toEqual(['Bob'])
      expect(await namesOf({ prefix: 'oy' })).toEqual(['Øyvind'])
      expect(await namesOf({ initial: 'b' })).toEqual(['Bob'])
      expect(await namesOf({ kind: 'tag' })).toEqual([])
    })

    test('categories are the same kind of list', async () => {
      const { lines, initials } = await list({ kind: 'category', order: 'use' })
      expect(lines).toMatchObject([
        { name: 'Alpha', slug: 'alpha', count: 2, live: 1, aliases: ['Älpha'] },
        { name: 'Zeta', slug: 'zeta', count: 2, live: 1, aliases: [] },
      ])
      expect(initials.map(({ initial }) => initial)).toEqual(['a', 'z'])
      expect(await namesOf({ kind: 'category', prefix: 'z' })).toEqual(['Zeta'])
      expect(await namesOf({ kind: 'category', slug: 'alpha' })).toEqual(['Alpha'])
      expect(await namesOf({ kind: 'category', page: 'last', pageSize: 1 })).toEqual(['Zeta'])
    })

    test('groups that were called different are listed with their names', async () => {
      const { count, lines } = await createDismissedReader(
        store.db,
        noStep,
        await open(isLoaded),
      )({ kind: 'speaker', page: 1, pageSize: 10 })
      expect(count).toBe(1)
      expect(lines).toMatchObject([
        {
          ids: [idOf('Ada'), idOf('Bob')],
          by: 'test',
          names: [
            { name: 'Ada', count: 3 },
            { name: 'Bob', count: 1 },
          ],
        },
      ])
    })
  })

  test('names have examples, the newest first', async () => {
    const found = await createExamples(store.db, noStep)({ kind: 'speaker', ids: [idOf('Ada'), 999], limit: 2 })
    expect(found.get(idOf('Ada'))).toEqual([
      { id: 3, title: 'Alpha by Bob', category: 'Alpha', recorded: null, state: 1 },
      { id: 2, title: 'Zeta by Ada', category: 'Zeta', recorded: null, state: 2 },
    ])
    expect(found.get(999)).toEqual([])
  })
})
