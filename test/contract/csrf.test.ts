import { beforeAll, describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { type Curator, createCurator, type PostOptions } from './curator.ts'
import { fail, useService } from './service.ts'

// Runner: long PostgreSQL

const args = ['--threads', '2', '--wrong-tokens', '1000']
const service = useService({ roles: ['reader', 'editor'], args })
const based = useService({ args: [...args, '--base-url', 'http://talks.example.org/talks'] })
const local = useService({ args: [...args, '--auth', 'local'] })

const secretOf = ({ cookies }: Curator) => cookies.get('rostrum_session') ?? fail('No session')

async function signedIn(): Promise<Curator> {
  const curator = createCurator(service)
  await curator.signIn(service.keyOf('reader'))
  return curator
}

const ownOrigin = () => `http://127.0.0.1:${service.server().port}`

describe('A form is refused', () => {
  let curator: Curator
  let other: Curator
  let ended = ''
  let foreign = ''
  beforeAll(async () => {
    ;[curator, other] = [await signedIn(), await signedIn()]
    foreign = await other.readToken()
    const past = await signedIn()
    ended = await past.readToken()
    await past.post('/edit/sign-out', [])
  })

  const cases: readonly (readonly [string, () => PostOptions])[] = [
    ['without a token', () => ({ token: null })],
    ['with an empty token', () => ({ token: '' })],
    ['with a made-up token', () => ({ token: 'A'.repeat(43) })],
    ['with the token of another session of the same person', () => ({ token: foreign })],
    ['with the token of a session that has ended', () => ({ token: ended })],
    ['with the secret itself as its token', () => ({ token: secretOf(curator) })],
    ['without Origin', () => ({ origin: null })],
    ['with the Origin null', () => ({ origin: 'null' })],
    ['with the Origin of another site', () => ({ origin: 'https://evil.example.org' })],
    ['with an Origin that begins like ours', () => ({ origin: `${ownOrigin()}.evil.example.org` })],
    ['with our Origin on another port', () => ({ origin: 'http://127.0.0.1:1' })],
    ['with our Origin of another scheme', () => ({ origin: ownOrigin().replace('http', 'ftp') })],
    ['with two Origins', () => ({ origin: null, headers: { Origin: [ownOrigin(), 'https://evil.example.org'] } })],
  ]
  test.each(cases)('%s', async (_, toOptions) => {
    const answers = [
      await curator.post('/edit/sessions', [['others', '1']], toOptions()),
      await curator.post('/edit/sign-out', [], toOptions()),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403])
    for (const answer of answers) {
      expect(headerOf(answer, 'Content-Type')).toBe('text/html; charset=utf-8')
      expect(headerOf(answer, 'Cache-Control')).toBe('private, no-store')
    }
    expect([await curator.isIn(), await other.isIn()]).toEqual([true, true])
  })

  test('at sign-in too, if it comes from another site', async () => {
    for (const origin of [null, 'null', 'https://evil.example.org']) {
      const fields = [['key', service.keyOf('reader')]] as const
      const answer = await createCurator(service).post('/edit/sign-in', fields, { token: null, origin })
      expect([origin, answer.status, headerOf(answer, 'Set-Cookie')]).toEqual([origin, 403, null])
    }
  })

  test('with --base-url, unless it comes from that origin', async () => {
    const sign = async (origin: string) => {
      const fields = [['key', based.keyOf('admin')]] as const
      return (await createCurator(based).post('/edit/sign-in', fields, { token: null, origin })).status
    }
    expect(await sign('http://talks.example.org')).toBe(303)
    for (const origin of [
      'https://talks.example.org',
      'http://talks.example.org:81',
      `http://127.0.0.1:${based.server().port}`,
    ]) {
      expect([origin, await sign(origin)]).toEqual([origin, 403])
    }
  })

  test('but not if a proxy terminates TLS without saying so', async () => {
    const https = { origin: ownOrigin().replace('http:', 'https:') }
    expect((await (await signedIn()).post('/edit/sign-out', [], https)).status).toBe(303)
  })

  test('if it is not a form, cannot be read, or has files', async () => {
    const token = await curator.readToken()
    const file = new FormData()
    file.append('csrf', token)
    file.append('file', new File(['x'], 'x.txt'))
    const withFile = new Response(file)
    const fileType = withFile.headers.get('Content-Type') ?? ''
    const bodies: readonly (readonly [number, string, string | Uint8Array])[] = [
      [415, 'application/json', JSON.stringify({ csrf: token, others: 1 })],
      [415, 'text/plain', `csrf=${token}&others=1`],
      [400, 'multipart/form-data; boundary=x', `csrf=${token}`],
      [400, 'multipart/form-data', '--x--'],
      [400, fileType, await withFile.bytes()],
    ]
    for (const [status, type, body] of bodies) {
      const headers = {
        Cookie: `rostrum_session=${secretOf(curator)}`,
        Origin: ownOrigin(),
        Accept: 'text/html',
        'Content-Type': type,
      }
      const answer = await service.call({ method: 'POST', path: '/edit/sessions', headers, body })
      expect([type, answer.status]).toEqual([type, status])
    }
    expect([await curator.isIn(), await other.isIn()]).toEqual([true, true])
  })
})

test('Reading a page changes nothing, whatever its URL contains', async () => {
  const [curator, other] = [await signedIn(), await signedIn()]
  const token = await curator.readToken()
  expect((await curator.get(`/edit/sessions?others=1&csrf=${token}`)).status).toBe(200)
  expect((await curator.get(`/edit/sign-out?csrf=${token}`)).status).toBe(405)
  const sign = await createCurator(service).get(`/edit/sign-in?key=${service.keyOf('reader')}`)
  expect([sign.status, headerOf(sign, 'Set-Cookie')]).toEqual([200, null])
  expect(sign.body).not.toContain(service.keyOf('reader'))
  expect([await curator.isIn(), await other.isIn()]).toEqual([true, true])
})

describe('In local mode', () => {
  const origin = () => `http://127.0.0.1:${local.server().port}`

  test('nobody signs in, and forms are bound to a random cookie', async () => {
    const curator = createCurator(local)
    const page = await curator.get('/edit')
    expect(page.status).toBe(200)
    expect(page.headers.get('set-cookie')).toEqual([
      expect.stringMatching(/^rostrum_local=[\w-]{43}; Path=\/edit; HttpOnly; SameSite=Lax$/),
    ])
    expect((await curator.get('/edit')).headers.get('set-cookie')).toBeUndefined()
    expect((await curator.get('/edit/sessions')).body).toContain('there are no sessions')
    expect((await createCurator(local).get('/edit', { 'X-Real-IP': '192.0.2.1' })).status).toBe(303)
  })

  test('a form needs an Origin, and the token of that cookie', async () => {
    const [one, two] = [createCurator(local), createCurator(local)]
    await Promise.all([one.get('/edit'), two.get('/edit')])
    const formToken = await readLocalToken(one)
    const post = async (curator: Curator, options: PostOptions) =>
      (await curator.post('/edit/sign-out', [], options)).status
    expect(await post(one, { token: formToken, origin: origin() })).toBe(303)
    expect(await post(one, { token: formToken, origin: null })).toBe(403)
    expect(await post(one, { token: null, origin: origin() })).toBe(403)
    expect(await post(two, { token: formToken, origin: origin() })).toBe(403)
    expect(await post(createCurator(local), { token: formToken, origin: origin() })).toBe(403)
    expect(await post(one, { token: formToken, origin: 'https://evil.example.org' })).toBe(403)
  })

  /** A page without a form has no token, so it is computed as the server does. */
  async function readLocalToken({ cookies }: Curator): Promise<string> {
    const secret = cookies.get('rostrum_local') ?? fail('No cookie')
    return new Bun.CryptoHasher('sha256').update(`csrf ${secret}`).digest('base64url')
  }
})
