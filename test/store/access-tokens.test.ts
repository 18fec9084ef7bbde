import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { toAccessTokenHash } from '../../src/record/credentials.ts'
import { toTimestamp } from '../../src/record/timestamp.ts'
import { createRecordReader } from '../../src/store/read/record.ts'
import { createAccessTokenRows } from '../../src/store/write/access-token-rows.ts'
import { type ListStore, openPostgresStore, openSqliteStore } from './list-stores.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const startMs = Date.UTC(2030, 0, 1)
const start = toTimestamp(startMs)

describe.each([
  ['SQLite', openSqliteStore],
  ['PostgreSQL', openPostgresStore],
])('On %s', (_, open) => {
  let store: ListStore
  let nowMs = startMs
  let count = 0
  beforeAll(async () => {
    store = await open()
  }, 180_000)
  afterAll(() => store.remove())

  /** A token of its own for each test. */
  async function create(expires: string | null = null) {
    nowMs = startMs
    const name = `token ${++count}`
    const tokens = createAccessTokenRows(store.writing, () => nowMs)
    const key = (await tokens.create(name, 'editor', expires)) ?? expect.unreachable()
    const rotate = async (options: { isNow?: boolean; expires?: string | null } = {}) =>
      (await tokens.rotate(name, { isNow: false, ...options })) ?? expect.unreachable()
    const list = async () => (await tokens.list()).filter((row) => row.name === name)
    return { tokens, name, key, rotate, list }
  }

  const find = (key: string) => createRecordReader(store.db).findToken(toAccessTokenHash(key))

  test('a token has the expiry that it was given', async () => {
    const at = toTimestamp(startMs + dayMs)
    const { name, key, list } = await create(at)
    expect(await find(key)).toMatchObject({ name, role: 'editor', expires: at })
    expect(await list()).toMatchObject([{ created: start, expires: at, replaced: null, revoked: null }])
    expect(await find((await create()).key)).toMatchObject({ expires: null })
  })

  test('a name is free again when its token has expired, and not before', async () => {
    const { tokens, name, key, list } = await create(toTimestamp(startMs + dayMs))
    nowMs = startMs + dayMs - 1
    expect(await tokens.create(name, 'reader', null)).toBeNull()
    nowMs++
    const other = (await tokens.create(name, 'reader', null)) ?? expect.unreachable()
    expect([await find(key), await find(other)]).toMatchObject([
      { role: 'editor', expires: toTimestamp(startMs + dayMs) },
      { role: 'reader', expires: null },
    ])
    expect(await list()).toMatchObject([{ replaced: toTimestamp(nowMs) }, { replaced: null }])
  })

  test('a replaced key works for another day, under the same name and role', async () => {
    const { name, key, rotate, list } = await create()
    nowMs += hourMs
    const end = toTimestamp(nowMs + dayMs)
    const made = await rotate()
    expect(made).toEqual({ key: made.key, role: 'editor', expires: null, oldExpires: end })
    expect(await find(key)).toMatchObject({ name, role: 'editor', expires: end })
    expect(await find(made.key)).toMatchObject({ name, role: 'editor', expires: null })
    expect(await list()).toMatchObject([
      { replaced: toTimestamp(nowMs), expires: end, revoked: null },
      { replaced: null, expires: null, created: toTimestamp(nowMs) },
    ])
  })

  test('a replaced key does not live longer than it would have', async () => {
    const end = toTimestamp(startMs + hourMs)
    const { key, rotate } = await create(end)
    expect(await rotate()).toMatchObject({ oldExpires: end })
    expect(await find(key)).toMatchObject({ expires: end })
  })

  test('the new key lives as long as the old one was to live, or as it is told', async () => {
    const { rotate } = await create(toTimestamp(startMs + 90 * dayMs))
    nowMs += 80 * dayMs
    expect(await rotate()).toMatchObject({ expires: toTimestamp(startMs + 170 * dayMs) })
    expect(await rotate({ expires: toTimestamp(nowMs + hourMs) })).toMatchObject({
      expires: toTimestamp(nowMs + hourMs),
    })
    expect(await rotate({ expires: null })).toMatchObject({ expires: null })
  })

  test('a token that has expired is renewed', async () => {
    const end = toTimestamp(startMs + dayMs)
    const { key, rotate } = await create(end)
    nowMs += 3 * dayMs
    const made = await rotate()
    expect(made).toMatchObject({ oldExpires: null, expires: toTimestamp(nowMs + dayMs) })
    expect([await find(key), await find(made.key)]).toMatchObject([{ expires: end }, { name: expect.any(String) }])
  })

  test('with isNow no older key works, those replaced before included', async () => {
    const { key, rotate, list } = await create()
    const second = await rotate()
    nowMs += hourMs
    const third = await rotate({ isNow: true })
    expect(third.oldExpires).toBeNull()
    expect(await Promise.all([key, second.key, third.key].map(find))).toEqual([
      null,
      null,
      expect.objectContaining({ role: 'editor' }),
    ])
    expect((await list()).map(({ revoked }) => revoked)).toEqual([toTimestamp(nowMs), toTimestamp(nowMs), null])
  })

  test('revoking ends all keys of the name; then there is none to rotate, and the name is free', async () => {
    const { tokens, name, key, rotate } = await create()
    const second = await rotate()
    expect(await tokens.revoke(name)).toBe(true)
    expect([await find(key), await find(second.key), await tokens.revoke(name)]).toEqual([null, null, false])
    expect(await tokens.rotate(name, { isNow: false })).toBeNull()
    expect(await tokens.create(name, 'admin', null)).not.toBeNull()
  })
})
