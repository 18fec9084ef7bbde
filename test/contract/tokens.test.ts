import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openEngine } from '../../src/store/open.ts'
import { createToken, revokeToken } from '../harness/server.ts'
import { listPath, toPath, useService } from './service.ts'

// Runner: executable

const service = useService({ roles: ['reader'] })

const taken = [
  (key: string) => `Token ${key}`,
  (key: string) => `token ${key}`,
  (key: string) => `TOKEN ${key}`,
  (key: string) => `Bearer ${key}`,
  (key: string) => `bearer ${key}`,
]

const refused = [
  (key: string) => key,
  (key: string) => `Basic ${key}`,
  (key: string) => `Token ${key}x`,
  (key: string) => `Token ${key.slice(0, -1)}`,
  (key: string) => `Token ${key} ${key}`,
  (key: string) => `Token "${key}"`,
  (key: string) => `Token ${key.toUpperCase()}`,
  () => 'Token',
  () => 'Bearer',
  () => 'Token rst_',
]

const toName = (toValue: (key: string) => string) => toValue('<key>')

describe('The Authorization header', () => {
  for (const toValue of taken) {
    test(`may be ${toName(toValue)}`, async () => {
      const { id } = await service.create({ state: 2 })
      const headers = { Authorization: toValue(service.keyOf('reader')) }
      expect((await service.call({ method: 'GET', path: toPath(id), headers })).status).toBe(200)
    })
  }

  for (const toValue of refused) {
    test(`gets 401 even on a public read when it is ${toName(toValue)}`, async () => {
      const { id } = await service.create()
      const headers = { Authorization: toValue(service.keyOf('reader')) }
      expect((await service.call({ method: 'GET', path: toPath(id), headers })).status).toBe(401)
    })
  }
})

describe('A revoked token', () => {
  test('gets 401 on every thread within a second', async () => {
    const headers = { Authorization: `Token ${await createToken(service.server(), 'short-lived', 'reader')}` }
    const get = () => service.call({ method: 'GET', path: listPath, headers })
    expect((await get()).status).toBe(200)
    await revokeToken(service.server(), 'short-lived')
    await Bun.sleep(1_000)
    const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await get()).status))
    expect(statuses).toEqual(Array(6).fill(401))
  })
})

describe('A key', () => {
  test('has the prefix rst_ and at least 160 random bits', () => {
    expect(service.keyOf('reader')).toMatch(/^rst_[A-Za-z0-9_-]{27,}$/)
  })

  test('is another each time', async () => {
    const key = await createToken(service.server(), 'another reader', 'reader')
    expect(key).not.toBe(service.keyOf('reader'))
  })

  test('is not stored', async () => {
    const db = (await openEngine(service.server().db)).open('write')
    const rows = await db.query<{ name: string; hash: Uint8Array }, []>('SELECT * FROM token ORDER BY id').all()
    await db.close()
    const stored = rows.map(({ hash, ...row }) => `${JSON.stringify(row)} ${Buffer.from(hash).toString('latin1')}`)
    expect(stored.join('\n')).toContain('the reader')
    expect(stored.join('\n')).not.toContain(service.keyOf('reader').slice('rst_'.length))
    for (const file of listFiles(service.server().db)) {
      expect(readFileSync(file).includes(service.keyOf('reader'))).toBe(false)
    }
  })

  test('is not written to the server’s output', () => {
    const { stdout, stderr } = service.server()
    for (const key of [service.keyOf('reader'), service.keyOf('admin')]) expect(stdout() + stderr()).not.toContain(key)
  })
})

/** Those beside the store, if it is one of them. */
function listFiles(db: string): readonly string[] {
  if (!existsSync(db)) return []
  const entries = readdirSync(dirname(db), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
