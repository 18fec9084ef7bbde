import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Command } from '../../src/record/command.ts'
import type { VariantsQuery } from '../../src/record/variants/variant.ts'
import { createVariantReader } from '../../src/store/read/names/variants.ts'
import { countedBySql, type ListStore, openPostgresStore, openSqliteStore } from './list-stores.ts'

const timeoutMs = 120_000
const author = { name: 'test', role: 'admin' } as const

const engines: { readonly [name: string]: () => Promise<ListStore> } = {
  SQLite: openSqliteStore,
  PostgreSQL: openPostgresStore,
}

describe.each(Object.keys(engines))('Variants of names on %s', (engine) => {
  let store: ListStore
  beforeAll(async () => {
    store = await (engines[engine] ?? openSqliteStore)()
    await create(['Ann Lee', 'ann lee', 'Betty Brown', 'Carl  Chen', 'Carl Chen'])
    await create(['Ann Lee'])
  }, timeoutMs)
  afterAll(() => store.remove(), timeoutMs)

  async function run(command: Command) {
    const outcomes = await store.writer.run([command], new Set())
    return outcomes === 'busy' ? null : outcomes[0]
  }
  const create = (speakers: readonly string[], state = 1) =>
    run({ kind: 'create', author, changes: { category: 'C', title: 'T', state, speakers: [...speakers] } })
  const dismiss = (ids: readonly number[], isDismissed = true) =>
    run({ kind: 'dismiss variants', of: 'speaker', author, ids, isDismissed })

  const all: VariantsQuery = { kind: 'speaker', page: 1, pageSize: 50 }

  async function open() {
    const indexes = store.createIndexes()
    for (const each of [indexes.columns, indexes.nameLoader]) while (await each.loadSome());
    return indexes
  }

  async function read(onStep = () => undefined) {
    const { lines } = await createVariantReader(store.db, () => 0, onStep, await open()).list(all)
    return lines.map(({ reason, names }) => [reason, ...names.map(({ name, count }) => `${name} ${count}`)])
  }

  async function findId(name: string): Promise<number> {
    const row = await store.db.query<{ id: number }, [string]>('SELECT id FROM speaker WHERE name = ?').get(name)
    return row?.id ?? 0
  }

  test('are the same from memory and from tables', async () => {
    const expected = [
      ['case', 'Ann Lee 2', 'ann lee 1'],
      ['space', 'Carl  Chen 1', 'Carl Chen 1'],
    ]
    expect(await read()).toEqual(expected)
    const bySql = createVariantReader(
      store.db,
      () => 0,
      () => undefined,
      countedBySql(await open()),
    )
    const { count, lines } = await bySql.list(all)
    expect([
      count,
      lines.map(({ reason, names }) => [reason, ...names.map((each) => `${each.name} ${each.count}`)]),
    ]).toEqual([2, expected])
    expect(await bySql.list({ ...all, kind: 'tag' })).toEqual({ count: 0, page: 1, lines: [], reasons: [] })
  })

  test('are counted by reason, also in a list of one reason', async () => {
    const reader = createVariantReader(
      store.db,
      () => 0,
      () => undefined,
      await open(),
    )
    const { count, lines, reasons } = await reader.list({ ...all, reason: 'space' })
    expect([count, lines.map(({ reason }) => reason)]).toEqual([1, ['space']])
    expect(reasons).toEqual([
      { reason: 'case', count: 1 },
      { reason: 'space', count: 1 },
    ])
  })

  test('tell of a merged name that is written again', async () => {
    const [nameId, into] = [await findId('Betty Brown'), await findId('Carl Chen')]
    await run({ kind: 'merge names', of: 'speaker', author, nameId, into })
    expect(await read()).toEqual([
      ['case', 'Ann Lee 2', 'ann lee 1'],
      ['space', 'Carl  Chen 1', 'Carl Chen 1'],
    ])
    await create(['Betty Brown'], 2)
    const alias = ['alias', 'Betty Brown 1', 'Carl Chen 1']
    expect((await read())[0]).toEqual(alias)
    await store.writing.transaction('write', () =>
      store.writing.query<null, [number, number]>('UPDATE speaker SET merged_into = ? WHERE id = ?').run(into, nameId),
    )
    expect((await read())[0]).toEqual(alias)
  })

  test('that were dismissed stay hidden until another name joins', async () => {
    const ids = [await findId('Ann Lee'), await findId('ann lee')].sort((a, b) => a - b)
    expect(await dismiss(ids)).toMatchObject({ is: 'dismissal', wasWritten: true })
    expect(await dismiss(ids)).toMatchObject({ is: 'dismissal', wasWritten: false })
    expect((await read()).map(([reason]) => reason)).toEqual(['alias', 'space'])
    await create(['ANN LEE'])
    expect(await read()).toContainEqual(['case', 'Ann Lee 2', 'ANN LEE 1', 'ann lee 1'])
    expect(await dismiss([...ids, await findId('ANN LEE')])).toMatchObject({ wasWritten: true })
    expect((await read()).map(([reason]) => reason)).toEqual(['alias', 'space'])
    expect(await dismiss(ids, false)).toMatchObject({ is: 'dismissal', wasWritten: true })
    expect((await read()).map(([reason]) => reason)).toEqual(['alias', 'case', 'space'])
    expect(await dismiss(ids, false)).toMatchObject({ is: 'dismissal', wasWritten: false })
    expect(await dismiss([ids[0] ?? 0, 999_999])).toMatchObject({ is: 'refused', refusal: { code: 'bad_fields' } })
  })

  test('are searched on in the background when a request has no time left', async () => {
    let left = 2
    let changes = 0
    const late = () => {
      if (left-- <= 0) throw new Error('out of time')
    }
    const reader = createVariantReader(store.db, () => changes, late, await open())
    expect(reader.isComplete()).toBe(true)
    await expect(reader.list(all)).rejects.toThrow('out of time')
    expect(reader.isComplete()).toBe(false)
    for (let steps = 0; (await reader.loadSome()) && steps < 1_000; steps++);
    expect(reader.isComplete()).toBe(true)
    left = 0
    const before = await reader.list(all)
    // The names stay the same, so nothing is searched again, and the counts are new.
    await create(['Carl Chen'])
    changes++
    const after = await reader.list(all)
    expect(after.lines.map(({ reason }) => reason)).toEqual(before.lines.map(({ reason }) => reason))
    expect(after.lines.at(-1)?.names.map(({ name, count }) => `${name} ${count}`)).toEqual([
      'Carl Chen 2',
      'Carl  Chen 1',
    ])
    await create(['carl chen'])
    changes++
    await expect(reader.list(all)).rejects.toThrow('out of time')
  })

  test('are those of the last search, without names that are gone, for a caller that cannot wait', async () => {
    let changes = 0
    let isSlow = false
    const reader = createVariantReader(
      store.db,
      () => changes,
      () => {
        if (isSlow) Bun.sleepSync(2)
      },
      await open(),
    )
    const hurried = { ...all, patienceMs: 1 }
    const toNames = ({ lines }: Awaited<ReturnType<typeof reader.list>>) =>
      lines
        .map(({ names }) =>
          names
            .map(({ name }) => name)
            .toSorted()
            .join(),
        )
        .filter((group) => group.includes('Hurry'))
    await create(['Eve Hurry', 'eve hurry', 'Eve  Hurry'])
    changes++
    expect(toNames(await reader.list(all))).toEqual(['Eve  Hurry,Eve Hurry,eve hurry'])
    const ids = new Map((await reader.list(all)).lines.flatMap(({ names }) => names.map(({ id, name }) => [name, id])))
    isSlow = true
    const merge = { kind: 'merge names', of: 'speaker', author, into: ids.get('Eve Hurry') ?? 0 } as const
    await store.writer.run([{ ...merge, nameId: ids.get('Eve  Hurry') ?? 0 }], new Set())
    changes++
    expect(toNames(await reader.list(hurried))).toEqual(['Eve Hurry,eve hurry'])
    await store.writer.run([{ ...merge, nameId: ids.get('eve hurry') ?? 0 }], new Set())
    changes++
    expect(toNames(await reader.list(hurried))).toEqual([])
    expect(reader.isComplete()).toBe(false)
    const fresh = createVariantReader(
      store.db,
      () => changes,
      () => Bun.sleepSync(2),
      await open(),
    )
    await expect(fresh.list(hurried)).rejects.toThrow('exceeded its time limit')
  })

  test('do not keep names of an older snapshot', async () => {
    const { columns, ...others } = await open()
    let changes = 0
    let isMeanwhile = true
    const refresh = async () => {
      await columns.refresh()
      if (!isMeanwhile) return
      // After the snapshot was taken, and before its names are listed.
      isMeanwhile = false
      await create(['Dora Dunn', 'dora dunn'])
      changes++
    }
    const reader = createVariantReader(
      store.db,
      () => changes,
      () => undefined,
      { ...others, columns: { ...columns, refresh } },
    )
    const before = (await reader.list(all)).count
    expect((await reader.list(all)).count).toBe(before + 1)
  })
})
