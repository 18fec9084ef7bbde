import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { SessionCommand } from '../../src/record/command.ts'
import { maxAgeMs, maxIdleMs, toAccessTokenHash, toSessionHash } from '../../src/record/credentials.ts'
import { toMs, toTimestamp } from '../../src/record/timestamp.ts'
import { createRecordReader } from '../../src/store/read/record.ts'
import { createSessionList } from '../../src/store/sessions.ts'
import { createAccessTokenRows } from '../../src/store/write/access-token-rows.ts'
import { type ListStore, openPostgresStore, openSqliteStore } from './list-stores.ts'

const hourMs = 3_600_000

describe.each([
  ['SQLite', openSqliteStore],
  ['PostgreSQL', openPostgresStore],
])('On %s', (_, open) => {
  let store: ListStore
  let count = 0
  beforeAll(async () => {
    store = await open()
  }, 180_000)
  afterAll(() => store.remove())

  const tokens = () => createAccessTokenRows(store.writing, Date.now)
  const run = async (command: SessionCommand) => (await store.writer.run([command], new Set()))[0]
  const find = (secret: string) => createRecordReader(store.db).findSession(toSessionHash(secret))
  const toLineHash = (secret: string) => toSessionHash(secret).toString('base64url')
  const toAuthor = (name: string) => ({ name, role: 'editor' }) as const

  /** A token of its own for each test. */
  async function createOwner(expires: string | null = null) {
    const name = `owner ${++count}`
    const key = (await tokens().create(name, 'editor', expires)) ?? expect.unreachable()
    let opened = 0
    const openOne = async (opener = key) => {
      const secret = `${name} ${++opened}`
      const session = { hash: toSessionHash(secret), tokenHash: toAccessTokenHash(opener), agent: `browser ${opened}` }
      expect(await run({ kind: 'open session', author: toAuthor(name), ...session })).toEqual({
        is: 'sessions',
        changed: 1,
      })
      return secret
    }
    const list = async (own: string) => {
      const query = { name, own: toLineHash(own), at: toTimestamp(Date.now()) }
      return (await createSessionList(store.db)(query)).map(({ hash }) => hash)
    }
    return { name, key, author: toAuthor(name), openOne, list }
  }

  const setTimes = async (secret: string, createdMs: number, usedMs: number) => {
    const sql = 'UPDATE session SET created = ?, last_used = ? WHERE hash = ?'
    const hash = toSessionHash(secret)
    const { changes } = await store.writing.query(sql).run(toTimestamp(createdMs), toTimestamp(usedMs), hash)
    expect(changes).toBe(1)
  }

  test('a session is found by its secret, with the token of the key that opened it', async () => {
    const expires = toTimestamp(Date.now() + hourMs)
    const { name, key, openOne } = await createOwner(expires)
    const before = Date.now()
    const found = (await find(await openOne())) ?? expect.unreachable()
    expect(found).toMatchObject({ token: { name, role: 'editor', expires }, lastUsed: found.created })
    expect(Buffer.from(found.tokenHash).toString('hex')).toBe(toAccessTokenHash(key).toString('hex'))
    expect(toMs(found.created)).toBeWithin(before, Date.now() + 1)
    expect(await find('another secret')).toBeNull()
  })

  test('neither the secret nor the key is stored', async () => {
    const { key, openOne } = await createOwner()
    const secret = await openOne()
    const rows = await store.db.query<{ readonly [column: string]: Uint8Array | string }>('SELECT * FROM session').all()
    const values = rows.flatMap((row) => Object.values(row).map((value) => Buffer.from(value).toString('latin1')))
    expect(values.filter((value) => value.includes(key) || value.includes(secret))).toEqual([])
    expect(values).toContain(toSessionHash(secret).toString('latin1'))
  })

  test('a session has no token once the token is revoked', async () => {
    const { name, openOne } = await createOwner()
    const secret = await openOne()
    await tokens().revoke(name)
    expect(await find(secret)).toMatchObject({ token: null })
  })

  test('a rotated key has its expiry, and none with isNow', async () => {
    const { name, openOne } = await createOwner()
    const secret = await openOne()
    const rotated = await tokens().rotate(name, { isNow: false })
    expect((await find(secret))?.token?.expires).toBe(rotated?.oldExpires ?? expect.unreachable())
    await tokens().rotate(name, { isNow: true })
    expect(await find(secret)).toMatchObject({ token: null })
  })

  test('a session of the key of the environment has no token', async () => {
    const { openOne } = await createOwner()
    expect(await find(await openOne('a-key-without-a-row'))).toMatchObject({ token: null })
  })

  test('a use is stored with its time, and never moves it back', async () => {
    const { openOne } = await createOwner()
    const secret = await openOne()
    await setTimes(secret, Date.now() - hourMs, Date.now() - hourMs)
    const before = Date.now()
    await store.writer.run([], new Set(), new Set([toSessionHash(secret).toString('hex')]))
    const { lastUsed = '' } = (await find(secret)) ?? {}
    expect(toMs(lastUsed)).toBeWithin(before, Date.now() + 1)
    await setTimes(secret, before, before + hourMs)
    await store.writer.run([], new Set(), new Set([toSessionHash(secret).toString('hex')]))
    expect((await find(secret))?.lastUsed).toBe(toTimestamp(before + hourMs))
  })

  test('an owner ends one session or all others, and nobody ends those of another', async () => {
    const [ann, bea] = [await createOwner(), await createOwner()]
    const [first, second, third] = [await ann.openOne(), await ann.openOne(), await ann.openOne()]
    const foreign = await bea.openOne()
    const end = (secret: string, author = ann.author) =>
      run({ kind: 'end session', author, hash: toSessionHash(secret) })
    expect(await end(first, bea.author)).toEqual({ is: 'sessions', changed: 0 })
    expect(await end(first)).toEqual({ is: 'sessions', changed: 1 })
    expect(await end(first)).toEqual({ is: 'sessions', changed: 0 })
    const others = { kind: 'end other sessions', author: ann.author, hash: toSessionHash(third) } as const
    expect(await run(others)).toEqual({ is: 'sessions', changed: 1 })
    const found = await Promise.all(
      [first, second, third, foreign].map(async (secret) => (await find(secret)) !== null),
    )
    expect(found).toEqual([false, false, true, true])
  })

  test('the list has the sessions of a name by last use, without those of keys that are no longer valid', async () => {
    const { name, openOne, list } = await createOwner()
    const now = Date.now()
    const [old, current] = [await openOne(), await openOne()]
    const others = [await openOne('the-key-of-the-environment'), await openOne('its-former-key')] as const
    await setTimes(old, now - hourMs, now - hourMs)
    await setTimes(current, now - hourMs, now - hourMs / 2)
    expect(await list(current)).toEqual([current, old].map(toLineHash))
    expect(await list(others[0])).toEqual([others[0], current, old].map(toLineHash))
    const next = (await tokens().rotate(name, { isNow: true })) ?? expect.unreachable()
    const newest = await openOne(next.key)
    expect(await list(newest)).toEqual([toLineHash(newest)])
  })

  test('who signs in removes the sessions of everybody that are too old or idle', async () => {
    const [ann, bea] = [await createOwner(), await createOwner()]
    const now = Date.now()
    const secrets = [await ann.openOne(), await ann.openOne(), await ann.openOne(), await ann.openOne()] as const
    const marginMs = 60_000
    await setTimes(secrets[0], now - maxAgeMs - marginMs, now)
    await setTimes(secrets[1], now - maxAgeMs + marginMs, now)
    await setTimes(secrets[2], now - maxIdleMs - marginMs, now - maxIdleMs - marginMs)
    await setTimes(secrets[3], now - maxIdleMs - marginMs, now - maxIdleMs + marginMs)
    await bea.openOne()
    const found = await Promise.all(secrets.map(async (secret) => (await find(secret)) !== null))
    expect(found).toEqual([false, true, false, true])
  })
})
