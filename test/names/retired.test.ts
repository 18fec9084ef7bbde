import { describe, expect, test } from 'bun:test'
import type { Command } from '../../src/record/command.ts'
import { eraseRecord } from '../../src/store/maintain/erase.ts'
import { author, fail, type NameStore, useNameStores } from './name-stores.ts'

const at = '2026-01-01T00:00:00.000'
const stores = useNameStores()

const readNames = (store: NameStore) => store.rows('SELECT id, name, slug, merged_into FROM speaker ORDER BY id')
const rename = (nameId: number, name: string): Command => ({ kind: 'rename name', of: 'speaker', nameId, name, author })
const merge = (nameId: number, into: number): Command => ({ kind: 'merge names', of: 'speaker', nameId, into, author })

async function erase(store: NameStore, id: number): Promise<void> {
  if (!(await eraseRecord(store.db, id, at))) fail(`no record ${id}`)
}

describe.each(stores)('On $name', ({ run }) => {
  test('the id and slug of an erased name are never used again', () =>
    run(async (store) => {
      const id = await store.create({ speakers: ['Ann'], tags: ['red'] })
      await erase(store, id)
      expect(await readNames(store)).toEqual([])
      await store.create({ speakers: ['Bob', 'Ann'], tags: ['Red'] })
      expect(await readNames(store)).toEqual([
        [2, 'Bob', 'bob', null],
        [3, 'Ann', 'ann-2', null],
      ])
      expect(await store.rows('SELECT id, slug FROM tag')).toEqual([[2, 'red-2']])
    }))

  test('what a slug was is not kept', () =>
    run(async (store) => {
      await erase(store, await store.create({ speakers: ['Ann'] }))
      const rows = await store.db
        .query<{ kind: string; digest: Uint8Array }, []>('SELECT kind, digest FROM retired_name')
        .all()
      const digest = new Bun.CryptoHasher('sha256').update('ann').digest('hex')
      expect(rows.map((row) => [row.kind, Buffer.from(row.digest).toString('hex')])).toEqual([['speaker', digest]])
    }))

  test('aliases are erased with the last record of their name, and not before', () =>
    run(async (store) => {
      const [first, second] = [await store.create({ speakers: ['Ann'] }), await store.create({ speakers: ['Ann'] })]
      await store.ask(rename(1, 'Anna'))
      await erase(store, first)
      expect(await readNames(store)).toEqual([
        [1, 'Anna', 'anna', null],
        [2, 'Ann', 'ann', 1],
      ])
      await erase(store, second)
      expect(await readNames(store)).toEqual([])
      expect(await store.rows('SELECT id FROM retired_name ORDER BY id')).toEqual([[1], [2]])
      // Neither is the name in what is left of the batch.
      const left = await store.rows('SELECT names FROM batch')
      expect(JSON.stringify(left)).not.toContain('Ann')
      expect(await store.ask({ kind: 'undo', batch: 1, author })).toMatchObject({ batch: { changed: 0 } })
    }))

  test('an alias that is an entry again stays when what it led to is erased', () =>
    run(async (store) => {
      await store.create({ speakers: ['Ann'] })
      const target = await store.create({ speakers: ['Bob'] })
      await store.ask(merge(1, 2))
      await store.create({ speakers: ['Ann'] })
      await erase(store, target)
      await erase(store, 1)
      expect(await readNames(store)).toEqual([[1, 'Ann', 'ann', null]])
    }))
})
