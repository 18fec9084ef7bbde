import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openEngine } from '../../src/store/open.ts'
import { runRostrum } from '../cli/store-command.ts'
import { createToken, revokeToken, rotateToken } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { fail, listPath, parseFields, requiredFields, toPath, useService } from './service.ts'

// Runner: long checkout, long PostgreSQL

const service = useService({ roles: ['reader'], args: ['--threads', '2', '--wrong-tokens', '1000'] })

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

/** A moment in so many seconds, as `--expires` takes it. */
const toMoment = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()

async function getStatuses(key: string): Promise<ReadonlySet<number>> {
  const headers = { Authorization: `Token ${key}` }
  const calls = Array.from({ length: 6 }, () => service.call({ method: 'GET', path: listPath, headers }))
  return new Set((await Promise.all(calls)).map(({ status }) => status))
}

const listTokens = async () => (await runRostrum('token', 'list', '--db', service.server().db)).stdout

describe('A token that expires', () => {
  test('gets 401 on every thread from then on, though it was used before, and nothing that says why', async () => {
    const key = await createToken(service.server(), 'guest', 'reader', '--expires', toMoment(6))
    const started = performance.now()
    expect(await getStatuses(key)).toEqual(new Set([200]))
    expect(await listTokens()).toMatch(/^guest +reader .* expires in 1 minute$/m)
    await Bun.sleep(6_500 - (performance.now() - started))
    const headers = { Authorization: `Token ${key}` }
    const [expired, wrong] = [
      await service.call({ method: 'GET', path: listPath, headers }),
      await service.call({ method: 'GET', path: listPath, as: 'wrong' }),
    ]
    expect([expired.status, expired.headers.get('www-authenticate')]).toEqual([401, ['Token']])
    expect({ ...parseFields(expired), instance: '' }).toEqual({ ...parseFields(wrong), instance: '' })
    expect(await getStatuses(key)).toEqual(new Set([401]))
    expect(await listTokens()).toMatch(/^guest +reader .* expired$/m)
    const renewed = await rotateToken(service.server(), 'guest', '--expires', '2w')
    expect([await getStatuses(renewed), await getStatuses(key)]).toEqual([new Set([200]), new Set([401])])
  })

  test('may be made again under its name', async () => {
    await createToken(service.server(), 'passing', 'reader', '--expires', toMoment(4))
    const again = ['token', 'create', '--name', 'passing', '--role', 'editor', '--db', service.server().db]
    expect(await runRostrum(...again)).toMatchObject({ exitCode: 65, stdout: '' })
    await Bun.sleep(4_000)
    expect(await runRostrum(...again)).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^rst_\S+\n$/) })
  })
})

describe('A token whose key is replaced', () => {
  const create = async (key: string) => {
    const headers = { Authorization: `Token ${key}`, 'Idempotency-Key': 'of-the-author' }
    const answer = await service.call({ method: 'POST', path: listPath, headers, json: requiredFields })
    return parseFields(answer).id ?? fail(answer.body)
  }

  test('has two keys for a day, is the same author with both, and shows the last use of both', async () => {
    const old = await createToken(service.server(), 'rotated', 'editor')
    const { exitCode, stdout, stderr } = await runRostrum(
      ...['token', 'rotate', '--name', 'rotated', '--db', service.server().db],
    )
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^rst_[A-Za-z0-9_-]{27,}\n$/)])
    expect(stderr).toMatch(/rotated \(editor\).*never expires\. The old key expires at \S+ \S+ UTC\.$/m)
    const key = stdout.trim()
    await until('the new key is known', async () => (await getStatuses(key)).has(200))
    expect([await getStatuses(key), await getStatuses(old)]).toEqual([new Set([200]), new Set([200])])
    const id = await create(old)
    expect(await create(key)).toBe(id)
    await service.call({
      method: 'PATCH',
      path: toPath(id),
      headers: { Authorization: `Token ${key}` },
      json: { summary: 'x' },
    })
    const history = await service.call({ method: 'GET', path: `${toPath(id)}/history`, as: 'reader' })
    expect(history.body.match(/"by":"rotated"/g)).toHaveLength(2)
    const used = / \d{4}-\d\d-\d\d \d\d:\d\d:\d\d +(?:valid|replaced, works for 23 hours)$/
    await until('both uses are shown', async () => {
      const lines = (await listTokens()).split('\n').filter((line) => line.startsWith('rotated '))
      return lines.length === 2 && lines.every((line) => used.test(line))
    })
  })

  test('has one key at once with --now, whatever was replaced before', async () => {
    const first = await createToken(service.server(), 'leaked', 'reader')
    const second = await rotateToken(service.server(), 'leaked')
    expect(await getStatuses(first)).toEqual(new Set([200]))
    const third = await rotateToken(service.server(), 'leaked', '--now')
    // The server follows commands within a second.
    await Bun.sleep(1_000)
    expect(await Promise.all([first, second, third].map(getStatuses))).toEqual([401, 401, 200].map((s) => new Set([s])))
    expect(await listTokens()).toMatch(/^leaked .* revoked \S+ \S+\nleaked .* revoked \S+ \S+\nleaked .* valid$/m)
  })

  test('has none once it is revoked', async () => {
    const first = await createToken(service.server(), 'dropped', 'reader')
    const second = await rotateToken(service.server(), 'dropped')
    await revokeToken(service.server(), 'dropped')
    await Bun.sleep(1_000)
    expect([await getStatuses(first), await getStatuses(second)]).toEqual([new Set([401]), new Set([401])])
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
