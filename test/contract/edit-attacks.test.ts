import { describe, expect, test } from 'bun:test'
import { companionNames } from '../../src/record/companion/kinds.ts'
import { hasRole } from '../../src/record/role.ts'
import { movedTables } from '../../src/store/maintain/move-store.ts'
import type { RawAnswer } from '../harness/raw.ts'
import { readTables } from '../postgres/databases.ts'
import { type Curator, createCurator, encode, type FieldList, type PostOptions } from './curator.ts'
import { type Deed, deeds } from './edit-deeds.ts'
import { checkEditHeaders, editRows } from './edit-table.ts'
import { fail, type Service, useService } from './service.ts'

// Runner: long PostgreSQL

const args = ['--threads', '1', '--wrong-tokens', '1000']
const service = useService({ roles: ['reader', 'editor', 'publisher'], args })
const local = useService({ args: [...args, '--auth', 'local'] })

/** Forms that need a session. That of sign-in has none yet; csrf.test.ts has it. */
const forms = editRows.filter(({ method, role }) => method === 'POST' && role !== null)

test('There is a valid form for every page that accepts one', () => {
  expect(Object.keys(deeds).toSorted()).toEqual(forms.map(({ path }) => path).toSorted())
  expect(forms.length).toBeGreaterThan(10)
})

/** What a form could change. When a token was last used changes with every request, and old keys of requests are deleted. */
function readState({ server }: Service): Promise<unknown> {
  const { token: _token, idempotency: _idempotency, ...tables } = movedTables
  return readTables(server().db, tables)
}

async function signedIn(role: 'reader' | 'editor' | 'publisher' | 'admin'): Promise<Curator> {
  const curator = createCurator(service)
  await curator.signIn(service.keyOf(role))
  return curator
}

/** The server has one thread, so one answer is enough. */
const isIn = async (curator: Curator) => (await curator.get('/edit/keys')).status === 200

/** Sends a body of another type, with everything else in order. */
async function sendAs(curator: Curator, deed: Deed, type: string, token: string): Promise<RawAnswer> {
  const fields = [...deed.fields, ['csrf', token] as const]
  const body = type.endsWith('json') ? JSON.stringify(Object.fromEntries(fields)) : toQuery(fields)
  const cookie = [...curator.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const origin = `http://127.0.0.1:${service.server().port}`
  const headers = { Cookie: cookie, Origin: origin, Accept: 'text/html', 'Content-Type': type }
  return service.call({ method: 'POST', path: deed.address, headers, body })
}

const toQuery = (fields: FieldList) => fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')

const bodyTypes = ['application/x-www-form-urlencoded', 'text/plain', 'application/json']

/** Editors may send these forms, but not about live talks or batches of others. */
const notForEditors = [
  '/edit/video/:id',
  ...companionNames.map((name) => `/edit/video/:id/${name}`),
  '/edit/video/:id/transcripts',
  '/edit/video/:id/history/:version',
  '/edit/batches/:id',
  '/edit/bulk',
  '/edit/table',
]

describe.each(forms)('$path', ({ path, role }) => {
  const prepare = deeds[path] ?? (() => fail(`No form for ${path}`))

  test('does what its form says only if everything is valid', async () => {
    const [curator, other, editor, past] = await Promise.all([
      ...(['admin', 'admin', 'editor', 'admin'] as const).map(signedIn),
    ])
    if (!curator || !other || !editor || !past) return fail('No session')
    const ended = await past.readToken()
    await past.post('/edit/sign-out', [])
    const deed = await prepare({ service, curator })
    const token = await curator.readToken()
    const look = async () => [await readState(service), await isIn(curator), await isIn(other)]
    const before = await look()
    const attacks: readonly (readonly [string, PostOptions])[] = [
      ['no token', { token: null }],
      ['a made-up token', { token: 'A'.repeat(43) }],
      ['the token of another session', { token: await other.readToken() }],
      ['the token of somebody else', { token: await editor.readToken() }],
      ['the token of a session that has ended', { token: ended }],
      ['no Origin', { token, origin: null }],
      ['the Origin null', { token, origin: 'null' }],
      ['a foreign Origin', { token, origin: 'https://evil.example.org' }],
    ]
    for (const [name, options] of attacks) {
      const answer = await curator.post(deed.address, deed.fields, options)
      expect([name, answer.status]).toEqual([name, 403])
      checkEditHeaders(answer)
    }
    for (const type of bodyTypes) {
      const answer = await sendAs(curator, deed, type, token)
      expect([type, answer.status]).toEqual([type, 415])
      checkEditHeaders(answer)
    }
    const asked = await curator.get(`${deed.address}?${toQuery([...deed.fields, ['csrf', token]])}`)
    expect([asked.status < 500, await look()]).toEqual([true, before])
    checkEditHeaders(asked)
    const done = await curator.post(deed.address, deed.fields, { token })
    expect(deed.changes ? [303] : [200]).toContain(done.status)
    checkEditHeaders(done)
    if (deed.changes) expect(await look()).not.toEqual(before)
    else expect(await look()).toEqual(before)
  }, 180_000)

  test('is for its role and those above', async () => {
    const deed = await prepare({ service, curator: await signedIn('admin') })
    const before = await readState(service)
    const nobody = createCurator(service)
    const late = await nobody.post(deed.address, deed.fields, { token: await (await signedIn('admin')).readToken() })
    expect(late.status).toBe(401)
    checkEditHeaders(late)
    for (const own of ['reader', 'editor', 'publisher'] as const) {
      const isTooLow = role !== null && !hasRole(own, role)
      if (!isTooLow && !(own === 'editor' && notForEditors.includes(path))) continue
      const answer = await (await signedIn(own)).post(deed.address, deed.fields)
      expect([own, answer.status]).toEqual([own, 403])
      checkEditHeaders(answer)
    }
    expect(await readState(service)).toEqual(before)
  }, 180_000)

  test('needs its own cookie and Origin in local mode, too', async () => {
    const [curator, other] = [createCurator(local), createCurator(local)]
    await Promise.all([curator.get('/edit'), other.get('/edit')])
    const toToken = ({ cookies }: Curator) => {
      const secret = cookies.get('rostrum_local') ?? fail('No cookie')
      return new Bun.CryptoHasher('sha256').update(`csrf ${secret}`).digest('base64url')
    }
    const token = toToken(curator)
    const post: Curator['post'] = (address, fields, options) => curator.post(address, fields, { token, ...options })
    const deed = await prepare({ service: local, curator: { ...curator, post } })
    const before = await readState(local)
    const attacks: readonly PostOptions[] = [
      { origin: null },
      { origin: 'https://evil.example.org' },
      { token: null },
      { token: toToken(other) },
    ]
    for (const options of attacks) {
      const { status } = await post(deed.address, deed.fields, options)
      expect([options, status]).toEqual([options, 403])
    }
    const { body, type } = await encode([...deed.fields, ['csrf', token]])
    const headers = { 'Content-Type': type, Origin: `http://127.0.0.1:${local.server().port}`, Accept: 'text/html' }
    const bare = await local.call({ method: 'POST', path: deed.address, headers, body })
    expect([bare.status, await readState(local)]).toEqual([403, before])
    // Local mode has no sessions to end.
    const isOfSessions = deed.address === '/edit/sessions' || deed.address === '/edit/sign-out'
    const done = await post(deed.address, deed.fields)
    const isChanged = deed.changes && !isOfSessions
    if (!isOfSessions) expect(done.status).toBe(deed.changes ? 303 : 200)
    if (isChanged) expect(await readState(local)).not.toEqual(before)
    else expect(await readState(local)).toEqual(before)
  }, 180_000)
})
