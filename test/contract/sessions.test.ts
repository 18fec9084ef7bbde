import { describe, expect, test } from 'bun:test'
import { toSessionHash } from '../../src/record/credentials.ts'
import { headerOf, type RawAnswer } from '../harness/raw.ts'
import { listRefusals } from '../harness/refusals.ts'
import { createToken } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { type Curator, createCurator } from './curator.ts'
import { fail, listPath, requiredFields, type Service, toPath, useService } from './service.ts'

// Runner: long PostgreSQL, long checkout

const args = ['--threads', '2', '--wrong-tokens', '1000', '--access-log']
const service = useService({ roles: ['reader', 'editor'], args })
const secure = useService({ args: [...args, '--base-url', 'https://talks.example.org/talks'] })
const limited = useService({ args: ['--threads', '2'] })

const cookiesOf = (answer: RawAnswer) => answer.headers.get('set-cookie') ?? []
const secretOf = ({ cookies }: Curator) => cookies.get('rostrum_session') ?? fail('No session')

async function signedIn(key = service.keyOf('reader'), of: Service = service): Promise<Curator> {
  const curator = createCurator(of)
  await curator.signIn(key)
  return curator
}

const sendKey = (of: Service, key: string, origin = `http://127.0.0.1:${of.server().port}`) =>
  createCurator(of).post('/edit/sign-in', [['key', key]], { token: null, origin })

describe('Signing in', () => {
  test('leads to the pages for curators, with a cookie for these alone', async () => {
    const answer = await sendKey(service, service.keyOf('reader'))
    expect([answer.status, headerOf(answer, 'Location')]).toEqual([303, '/edit'])
    expect(cookiesOf(answer)).toEqual([
      expect.stringMatching(/^rostrum_session=[\w-]{43}; Max-Age=2592000; Path=\/edit; HttpOnly; SameSite=Lax$/),
    ])
    expect(headerOf(answer, 'Cache-Control')).toBe('private, no-store')
  })

  test('takes a key with spaces around it, as people paste it', async () => {
    expect((await sendKey(service, `  ${service.keyOf('reader')}\n`)).status).toBe(303)
  })

  test('sets a secure cookie below the path of an https address', async () => {
    const answer = await sendKey(secure, secure.keyOf('admin'), 'https://talks.example.org')
    expect([answer.status, headerOf(answer, 'Location')]).toEqual([303, '/talks/edit'])
    const [cookie = ''] = cookiesOf(answer)
    expect(cookie).toMatch(
      /^__Secure-rostrum_session=[\w-]{43}; Max-Age=2592000; Path=\/talks\/edit; HttpOnly; SameSite=Lax; Secure$/,
    )
    const [, value = ''] = /=([^;]+)/.exec(cookie) ?? []
    const open = async (name: string) => {
      const headers = { Cookie: `${name}=${value}` }
      return (await secure.call({ method: 'GET', path: '/edit', headers })).status
    }
    expect([await open('__Secure-rostrum_session'), await open('rostrum_session')]).toEqual([200, 303])
  })

  test('with a wrong key shows the form again, and sets no cookie', async () => {
    for (const key of ['', 'rst_0000000000000000000000000000000000000000', 'a b', 'x'.repeat(5_000), '<script>']) {
      const answer = await sendKey(service, key)
      expect([answer.status, cookiesOf(answer)]).toEqual([401, []])
      expect(answer.body).toContain('This access token is not valid')
      expect(key !== '' && answer.body.includes(key)).toBe(false)
    }
  })

  test('counts wrong keys as wrong tokens; right ones still pass', async () => {
    const statuses: number[] = []
    for (let number = 0; number < 22; number += 1) {
      const answer = await sendKey(limited, `rst_${String(number).padStart(40, '0')}`)
      statuses.push(answer.status)
      if (answer.status === 429) expect(headerOf(answer, 'Retry-After')).toMatch(/^([1-9]|[1-5]\d|60)$/)
    }
    expect(statuses).toEqual([...Array<number>(20).fill(401), 429, 429])
    const headers = { Authorization: 'Token rst_another' }
    expect((await limited.call({ method: 'GET', path: listPath, headers })).status).toBe(429)
    expect((await sendKey(limited, limited.keyOf('admin'))).status).toBe(303)
    const logged = ['sign-in refused 127.0.0.1', 'too many wrong tokens 127.0.0.1']
    await until('both are logged', () => Bun.deepEquals(listRefusals(limited.server().stderr()), logged))
  })

  test('gives a new secret each time, whatever the browser had', async () => {
    const curator = createCurator(service)
    const planted = 'A'.repeat(43)
    curator.cookies.set('rostrum_session', planted)
    expect(await curator.isIn()).toBe(false)
    await curator.signIn(service.keyOf('reader'))
    const first = secretOf(curator)
    await curator.signIn(service.keyOf('editor'))
    const second = secretOf(curator)
    expect(new Set([planted, first, second]).size).toBe(3)
    const isValid = async (secret: string) => {
      const other = createCurator(service)
      other.cookies.set('rostrum_session', secret)
      return other.isIn()
    }
    expect([await isValid(planted), await isValid(first), await isValid(second)]).toEqual([false, false, true])
  })
})

describe('A page for curators', () => {
  test('is for its caller alone: neither kept, compressed, indexed nor framed', async () => {
    const curator = await signedIn()
    const { id } = await service.create()
    for (const path of ['/edit', '/edit/sessions', `/edit/video/${id}`, '/edit/sign-in']) {
      const answer = await curator.get(path, { 'Accept-Encoding': 'br, gzip' })
      const headers = ['Cache-Control', 'Content-Encoding', 'ETag', 'Referrer-Policy', 'X-Robots-Tag'].map((name) =>
        headerOf(answer, name),
      )
      expect([path, answer.status, headers]).toEqual([
        path,
        200,
        ['private, no-store', null, null, 'same-origin', 'noindex'],
      ])
      expect(headerOf(answer, 'Content-Security-Policy')).toContain("frame-ancestors 'none'")
      expect(headerOf(answer, 'Access-Control-Allow-Origin')).toBeNull()
      expect(answer.body).toContain('<meta name="robots" content="noindex"')
      expect(answer.body).toContain('the reader')
    }
  })

  test('leads to the sign-in form without a session, and from there back', async () => {
    const curator = createCurator(service)
    const answer = await curator.get('/edit/sessions?a=1&b=%2F')
    expect([answer.status, headerOf(answer, 'Location')]).toEqual([
      303,
      '/edit/sign-in?next=%2Fedit%2Fsessions%3Fa%3D1%26b%3D%252F',
    ])
    expect(headerOf(answer, 'Cache-Control')).toBe('private, no-store')
    const form = await curator.get(headerOf(answer, 'Location') ?? '')
    expect([form.status, form.body.includes('value="/edit/sessions?a=1&amp;b=%2F"')]).toEqual([200, true])
    const next = '/edit/sessions?a=1&b=%2F'
    const fields = [['key', service.keyOf('reader')] as const, ['next', next] as const]
    const signed = await curator.post('/edit/sign-in', fields, { token: null })
    expect([signed.status, headerOf(signed, 'Location')]).toEqual([303, next])
  })

  test('does not look at Authorization', async () => {
    for (const key of [service.keyOf('admin'), 'rst_wrong']) {
      const answer = await createCurator(service).get('/edit', { Authorization: `Token ${key}` })
      expect(answer.status).toBe(303)
    }
  })

  test('takes a program that wants JSON for one', async () => {
    const answer = await createCurator(service).get('/edit', { Accept: 'application/json' })
    expect([answer.status, JSON.parse(answer.body).type]).toEqual([401, 'urn:rostrum:problem:session_needed'])
  })

  test('takes no session from two cookies of the same name, of which another host may have set one', async () => {
    const secret = secretOf(await signedIn())
    const open = async (cookie: string) => (await createCurator(service).get('/edit', { Cookie: cookie })).status
    const own = `rostrum_session=${secret}`
    expect(await open(`a=b; ${own}; c`)).toBe(200)
    for (const cookie of [`${own}; ${own}`, `rostrum_session=x; ${own}`, `${own}x`, `rostrum_session="${secret}"`]) {
      expect([cookie.replace(secret, ''), await open(cookie)]).toEqual([cookie.replace(secret, ''), 303])
    }
  })
})

describe('The API', () => {
  test('does not look at cookies', async () => {
    const { id } = await service.create({ state: 2 })
    const Cookie = `rostrum_session=${secretOf(await signedIn(service.keyOf('admin')))}`
    const read = await service.call({ method: 'GET', path: toPath(id), headers: { Cookie } })
    const write = await service.call({ method: 'POST', path: listPath, json: requiredFields, headers: { Cookie } })
    expect([read.status, write.status]).toEqual([404, 401])
  })
})

describe('The page of sessions', () => {
  const rowsOf = ({ body }: RawAnswer) => body.split('<tr>').slice(2)

  test('shows one’s own, by browser, and ends one of them or all others', async () => {
    const key = await createToken(service.server(), 'ann', 'reader')
    await signedIn(await createToken(service.server(), 'bea', 'reader'))
    const agents = [
      'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/126.0 Safari/537.36 Edg/126.0',
      'curl/8.5.0 <script>alert(1)</script>',
    ]
    const curators = agents.map(() => createCurator(service))
    for (const [i, curator] of curators.entries()) {
      const headers = { 'User-Agent': agents[i] ?? '' }
      await curator.post('/edit/sign-in', [['key', key]], { token: null, headers })
    }
    const [first = fail('None'), second = fail('None'), third = fail('None')] = curators
    const page = await first.get('/edit/sessions')
    expect(rowsOf(page)).toHaveLength(3)
    expect(page.body).toMatch(/Firefox on Linux <span[^>]*>\(this one\)/)
    expect(page.body).toContain('Edge on Windows')
    expect(page.body).not.toContain('<script>alert')
    const hash = toSessionHash(secretOf(second)).toString('base64url')
    const ended = await first.post('/edit/sessions', [['session', hash]])
    expect([ended.status, headerOf(ended, 'Location')]).toEqual([303, '/edit/sessions'])
    expect([await first.isIn(), await second.isIn(), await third.isIn()]).toEqual([true, false, true])
    await first.post('/edit/sessions', [['others', '1']])
    expect([await first.isIn(), await third.isIn()]).toEqual([true, false])
    expect(rowsOf(await first.get('/edit/sessions'))).toHaveLength(1)
  })

  test('ends no session of somebody else, and signs out who ends this one', async () => {
    const [ann, bea] = [await signedIn(service.keyOf('reader')), await signedIn(service.keyOf('editor'))]
    const toField = (curator: Curator) =>
      [['session', toSessionHash(secretOf(curator)).toString('base64url')] as const] as const
    expect((await ann.post('/edit/sessions', toField(bea))).status).toBe(303)
    expect([await ann.isIn(), await bea.isIn()]).toEqual([true, true])
    expect(headerOf(await ann.post('/edit/sessions', toField(ann)), 'Location')).toBe('/edit/sign-in')
    expect([await ann.isIn(), await bea.isIn()]).toEqual([false, true])
    for (const fields of [[], [['session', 'x']], [['session', '../../']]] as const) {
      expect((await bea.post('/edit/sessions', fields)).status).toBe(400)
    }
  })
})

test('Neither keys nor secrets nor tokens of forms are logged', async () => {
  const curator = await signedIn(service.keyOf('editor'))
  const secrets = [service.keyOf('editor'), secretOf(curator), await curator.readToken()]
  await curator.post('/edit/sessions', [['others', '1']])
  await curator.post('/edit/sign-in', [['key', 'rst_mistyped-by-a-person']], { token: null })
  await until('the requests are logged', async () => service.server().stderr().includes('"/edit/sign-in"'))
  const { stdout, stderr } = service.server()
  const output = `${stdout()}${stderr()}`
  expect([...secrets, 'rst_mistyped'].filter((secret) => output.includes(secret))).toEqual([])
})
