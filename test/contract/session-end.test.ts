import { describe, expect, test } from 'bun:test'
import { toSessionHash } from '../../src/record/credentials.ts'
import { toTimestamp } from '../../src/record/timestamp.ts'
import { openEngine } from '../../src/store/open.ts'
import { headerOf, type RawAnswer } from '../harness/raw.ts'
import { createToken, revokeToken, rotateToken } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { type Curator, createCurator, listForms } from './curator.ts'
import { fail, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader'], args: ['--threads', '2'] })

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const cookiesOf = (answer: RawAnswer) => answer.headers.get('set-cookie') ?? []
const secretOf = ({ cookies }: Curator) => cookies.get('rostrum_session') ?? fail('No session')

async function signedIn(key = service.keyOf('reader')): Promise<Curator> {
  const curator = createCurator(service)
  await curator.signIn(key)
  return curator
}

describe('A session ends on every thread', () => {
  /** Waits as long as a revocation may take. */
  const isInASecondLater = async (curator: Curator) => {
    await Bun.sleep(1_000)
    return curator.isIn()
  }

  test('at once when its owner signs out, and the browser forgets it', async () => {
    const curator = await signedIn()
    const secret = secretOf(curator)
    expect(await curator.isIn()).toBe(true)
    const answer = await curator.post('/edit/sign-out', [])
    expect([answer.status, headerOf(answer, 'Location')]).toEqual([303, '/edit/sign-in'])
    expect(cookiesOf(answer)).toEqual(['rostrum_session=; Max-Age=0; Path=/edit; HttpOnly; SameSite=Lax'])
    curator.cookies.set('rostrum_session', secret)
    expect(await curator.isIn()).toBe(false)
  })

  test('within a second when its token is revoked', async () => {
    const curator = await signedIn(await createToken(service.server(), 'leaving', 'editor'))
    expect(await curator.isIn()).toBe(true)
    await revokeToken(service.server(), 'leaving')
    expect(await isInASecondLater(curator)).toBe(false)
  })

  test('when its key is rotated out, not while the old key still works', async () => {
    const curator = await signedIn(await createToken(service.server(), 'rotating', 'editor'))
    await rotateToken(service.server(), 'rotating')
    expect(await isInASecondLater(curator)).toBe(true)
    const key = await rotateToken(service.server(), 'rotating', '--now')
    expect(await isInASecondLater(curator)).toBe(false)
    expect(await (await signedIn(key)).isIn()).toBe(true)
  })

  test('within a second when its token expires', async () => {
    const expiresMs = Date.now() + 8_000
    const expires = ['--expires', new Date(expiresMs).toISOString()]
    const curator = await signedIn(await createToken(service.server(), 'guest', 'reader', ...expires))
    expect(await curator.isIn()).toBe(true)
    await Bun.sleep(expiresMs - Date.now())
    expect(await isInASecondLater(curator)).toBe(false)
  })

  /** Makes a session older, or unused for longer. */
  async function backdate(curator: Curator, createdMs: number, usedMs: number): Promise<void> {
    const db = (await openEngine(service.server().db)).open('write')
    const sql = 'UPDATE session SET created = ?, last_used = ? WHERE hash = ?'
    const times = [createdMs, usedMs].map((ago) => toTimestamp(Date.now() - ago))
    const { changes } = await db.query(sql).run(...times, toSessionHash(secretOf(curator)))
    await db.close()
    expect(changes).toBe(1)
  }

  const ages: readonly (readonly [string, number, number, boolean])[] = [
    ['after 12 hours without use', 13 * hourMs, 12 * hourMs + 1_000, false],
    ['not before', 13 * hourMs, 12 * hourMs - 60_000, true],
    ['30 days after it began, though it is used', 30 * dayMs + 1_000, 0, false],
    ['not before that', 30 * dayMs - 60_000, 0, true],
  ]
  test.each(ages)('%s', async (_, createdMs, usedMs, isValid) => {
    const [curator, other] = [await signedIn(), await signedIn()]
    await backdate(curator, createdMs, usedMs)
    // Threads look again when a session has ended.
    await other.post('/edit/sign-out', [])
    expect(await curator.isIn()).toBe(isValid)
  })

  test('later for every use', async () => {
    const [curator, other] = [await signedIn(), await signedIn()]
    await backdate(curator, 13 * hourMs, 11 * hourMs)
    await other.post('/edit/sign-out', [])
    expect(await curator.isIn()).toBe(true)
    await until('the use is stored', async () => {
      const db = (await openEngine(service.server().db)).open('write')
      const sql = 'SELECT last_used AS used FROM session WHERE hash = ?'
      const row = await db.query<{ used: string }, [Uint8Array]>(sql).get(toSessionHash(secretOf(curator)))
      await db.close()
      return (row?.used ?? '') > toTimestamp(Date.now() - 60_000)
    })
  })
})

test('Who signs out without a session has to sign in, and does not sign out again', async () => {
  const curator = createCurator(service)
  const answer = await curator.post('/edit/sign-out', [], { token: 'x' })
  const [form = fail(answer.body)] = listForms(answer.body)
  expect([answer.status, form.fields]).toEqual([401, [['next', '/edit']]])
})
