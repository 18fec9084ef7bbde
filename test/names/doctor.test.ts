import { describe, expect, test } from 'bun:test'
import { author, useNameStores } from './name-stores.ts'

const stores = useNameStores()

describe.each(stores)('On $name, the doctor', ({ run }) => {
  const damages: readonly (readonly [string, string, string, RegExp])[] = [
    [
      'an alias of a missing row',
      'UPDATE speaker SET merged_into = 99 WHERE id = 1',
      'merged_into = NULL',
      /speaker 1 is an alias of a missing entry/,
    ],
    [
      'an alias of itself',
      'UPDATE speaker SET merged_into = 1 WHERE id = 1',
      'merged_into = NULL',
      /speaker 1 is an alias of a missing entry/,
    ],
  ]
  test.each(damages)('finds %s', (_, damage, repair, says) =>
    run(async (store) => {
      await store.create({ speakers: ['Ann'] })
      await store.db.script(damage)
      expect((await store.check()).join()).toMatch(says)
      await store.db.script(`UPDATE speaker SET ${repair} WHERE id = 1`)
    }),
  )

  test('finds a link to another name, unless that is what the name is an alias of', () =>
    run(async (store) => {
      await store.create({ speakers: ['Ann'] })
      await store.create({ speakers: ['Bob'] })
      await store.db.script('UPDATE record_speaker SET speaker_id = 2 WHERE record_id = 1')
      expect(await store.check()).toEqual(['1 its speakers differ from the index'])
      await store.db.script('UPDATE speaker SET merged_into = 2 WHERE id = 1')
      expect(await store.check()).toEqual([])
    }))

  test('finds a category that has the id of a deleted one', () =>
    run(async (store) => {
      await store.create({ category: 'C' })
      await store.db.script(`INSERT INTO retired_name (kind, id, digest) SELECT 'category', 1, checksum FROM version`)
      expect((await store.check()).join()).toContain('category 1 has the id of one that was deleted')
      await store.db.script('DELETE FROM retired_name')
    }))

  test('finds nothing after a merge of a category whose title is written again', () =>
    run(async (store) => {
      await store.create({ category: 'One' })
      await store.create({ category: 'Two' })
      const merge = { kind: 'merge categories', slug: 'one', into: 'two', author } as const
      expect(await store.ask(merge)).toMatchObject({ batch: { changed: 1 } })
      await store.create({ category: 'One' })
      expect(await store.ask({ kind: 'undo', batch: 1, author })).toMatchObject({ batch: { changed: 1 } })
      const sql =
        'SELECT slug, merged_into, (SELECT count(*) FROM listing WHERE category_id = category.id) FROM category ORDER BY id'
      expect(await store.rows(sql)).toEqual([
        ['one', null, 2],
        ['two', null, 1],
      ])
    }))
})
