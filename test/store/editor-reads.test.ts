import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Command } from '../../src/record/command.ts'
import type { PickKind } from '../../src/record/query/completion.ts'
import type { Changes } from '../../src/record/record.ts'
import { createSameVideo } from '../../src/store/read/duplicates.ts'
import { createNamePicker } from '../../src/store/read/names/pick.ts'
import { type ListStore, openPostgresStore, openSqliteStore } from './list-stores.ts'

const timeoutMs = 120_000
const author = { name: 'test', role: 'admin' } as const
const ignore = () => undefined

const engines = {
  SQLite: { open: openSqliteStore, bodyContains: 'instr(body, ?) > 0' },
  PostgreSQL: { open: openPostgresStore, bodyContains: 'position(? in body) > 0' },
}

describe.each(Object.entries(engines))('What assists an editor on %s', (_, { open, bodyContains }) => {
  let store: ListStore
  beforeAll(async () => {
    store = await open()
  }, timeoutMs)
  afterAll(() => store.remove(), timeoutMs)

  async function run(command: Command) {
    const outcomes = await store.writer.run([command], new Set())
    const outcome = outcomes === 'busy' ? undefined : outcomes[0]
    if (outcome === undefined || outcome.is === 'refused' || outcome.is === 'failed') throw new Error('not stored')
    return outcome
  }
  async function create(changes: Changes): Promise<number> {
    const outcome = await run({ kind: 'create', author, changes: { category: 'Pond 2020', title: 'T', ...changes } })
    return outcome.is === 'stored' ? outcome.stored.id : 0
  }
  async function findId(table: string, name: string): Promise<number> {
    const row = await store.db.query<{ id: number }, [string]>(`SELECT id FROM ${table} WHERE name = ?`).get(name)
    return row?.id ?? 0
  }
  async function merge(from: string, into: string): Promise<void> {
    const [nameId, target] = [await findId('speaker', from), await findId('speaker', into)]
    await run({ kind: 'merge names', author, of: 'speaker', nameId, into: target })
  }

  /** As a query thread answers once all is in memory, and before. */
  async function pick(kind: PickKind, prefix: string, limit = 10) {
    const indexes = store.createIndexes()
    for (const each of [indexes.columns, indexes.nameLoader]) while (await each.loadSome());
    const query = { kind, prefix, limit }
    const found = await createNamePicker(store.db, () => 0, ignore, indexes)(query)
    expect(await createNamePicker(store.db, () => 0, ignore, null)(query)).toEqual(found)
    return found.map(({ text, count, alias }) => `${text} ${count}${alias === null ? '' : ` (${alias})`}`)
  }

  test('names that begin like the text come first, then the most used', async () => {
    await create({ speakers: ['Zoe Adams', 'Ada Quill'], tags: ['sea'], state: 1 })
    await create({ speakers: ['Zoe Adams', 'Adam Lake'], tags: ['sea', 'deep sea'], state: 1 })
    await create({ speakers: ['Zoe Adams', 'Adam Lake', 'Ada'], tags: ['deep sea'], state: 2 })
    expect(await pick('speaker', 'ada')).toEqual(['Ada 1', 'Adam Lake 2', 'Ada Quill 1', 'Zoe Adams 3'])
    expect(await pick('speaker', 'ada', 2)).toEqual(['Ada 1', 'Adam Lake 2'])
    expect(await pick('tag', 'sea')).toEqual(['sea 2', 'deep sea 2'])
    expect(await pick('speaker', '', 1)).toEqual(['Zoe Adams 3'])
    expect(await pick('tag', 'nothing like it')).toEqual([])
  })

  test('an alias suggests the name that it was merged into, through several merges', async () => {
    await create({ speakers: ['Bob Reed'] })
    await create({ speakers: ['Robert Reed'] })
    await create({ speakers: ['Rob B. Reed'] })
    await merge('Bob Reed', 'Rob B. Reed')
    await merge('Rob B. Reed', 'Robert Reed')
    expect(await pick('speaker', 'bob')).toEqual(['Robert Reed 3 (Bob Reed)'])
    expect(await pick('speaker', 'reed')).toEqual(['Robert Reed 3'])
    await create({ speakers: ['Bob Reed'] })
    expect(await pick('speaker', 'bob')).toEqual(['Robert Reed 3 (Bob Reed)', 'Bob Reed 1'])
  })

  test('events are picked too: empty and merged ones, and those of drafts', async () => {
    await create({ category: 'Lake Days 2021', state: 2 })
    await create({ category: 'Lakedays 21', state: 1 })
    await run({ kind: 'create category', author, changes: { title: 'Lake Days 2022' } })
    await run({ kind: 'merge categories', author, slug: 'lakedays-21', into: 'lake-days-2021' })
    expect(await pick('category', 'lake')).toEqual(['Lake Days 2021 2', 'Lake Days 2022 0'])
    expect(await pick('category', 'lakedays')).toEqual(['Lake Days 2021 2 (Lakedays 21)'])
  })

  test('a video is found by its source in any form, and by the addresses of its files', async () => {
    const find = async (...addresses: string[]) => {
      const { ids, isPartial } = await createSameVideo(store.db, bodyContains, ignore)({ urls: addresses, limit: 10 })
      expect(isPartial).toBe(false)
      return ids
    }
    const hosted = await create({ source_url: 'http://www.youtube.com/embed/abcdefghijk', state: 2 })
    const file = 'https://media.example.org/ä"\\/talk one.webm'.replaceAll(' ', '%20')
    const first = await create({ video_webm_url: file })
    const second = await create({ video_mp4_url: file, source_url: 'https://other.example.org/' })
    const third = await create({ source_url: file })
    expect(await find('https://youtu.be/abcdefghijk')).toEqual([hosted])
    expect(await find('https://youtu.be/abcdefghijk?t=90')).toEqual([])
    expect(await find(file)).toEqual([first, second, third])
    expect(await find(`${file}x`, file.slice(0, -1), 'https://media.example.org/')).toEqual([])
    expect(await find('')).toEqual([])
  })
})
