import { describe, expect, test } from 'bun:test'
import type { HeaderList } from '../harness/raw.ts'
import { listRefusals } from '../harness/refusals.ts'
import { until } from '../harness/until.ts'
import { checkEveryAnswer } from './every-answer.ts'
import { listPath, parseFields, requiredFields, type Service, toPath, useService } from './service.ts'

// Runner: one engine (headers of proxies are judged before the store is asked)

const args = ['--threads', '1']
const trusting = useService({ args: [...args, '--trusted-proxy', '10.0.0.0/8, 127.0.0.1,2001:db8::/32'] })
const plain = useService({ args })
const named = useService({
  args: [...args, '--trusted-proxy', '127.0.0.1', '--base-url', 'https://named.example.org/talks'],
})
const others = useService({ args: [...args, '--trusted-proxy', '10.0.0.0/8,::1'] })
/** An IPv4 client of this one has an address of IPv6. */
const dual = useService({ host: '::', args: [...args, '--trusted-proxy', '127.0.0.1', '--base-url', 'http://a.test'] })
const local = useService({ args: [...args, '--trusted-proxy', '127.0.0.1', '--auth', 'local'] })

/** Where the links of a request's answer lead. */
async function findBase(service: Service, headers: HeaderList): Promise<string> {
  const call = { method: 'GET', path: '/api/v2', headers: { Host: 'own.example.org', ...headers } }
  const answer = await service.call(call)
  checkEveryAnswer(call, answer)
  expect(answer.status).toBe(200)
  return String(parseFields(answer).docs).replace(/\/api\/docs$/, '')
}

const forwarded: readonly (readonly [HeaderList, string])[] = [
  [{ 'X-Forwarded-Proto': 'https' }, 'https://own.example.org'],
  [{ 'X-Forwarded-Proto': 'HTTPS', 'X-Forwarded-Host': 'talks.example.org' }, 'https://talks.example.org'],
  [{ 'X-Forwarded-Host': 'talks.example.org:8443' }, 'http://talks.example.org:8443'],
  [{ 'X-Forwarded-Host': '[2001:db8::1]:8443' }, 'http://[2001:db8::1]:8443'],
  [{ 'X-Forwarded-Host': 'evil.test, talks.example.org' }, 'http://talks.example.org'],
  [{ 'X-Forwarded-Host': ['evil.test', 'talks.example.org'] }, 'http://talks.example.org'],
  [
    { 'X-Forwarded-For': '192.0.2.1, 10.0.0.1', 'X-Forwarded-Host': 'talks.example.org, inner.test' },
    'http://talks.example.org',
  ],
  [{ Forwarded: 'for=192.0.2.1;proto=https;host=talks.example.org' }, 'https://talks.example.org'],
  [{ Forwarded: 'for=x;host="talks.example.org:444";proto=https' }, 'https://talks.example.org:444'],
  [
    { Forwarded: 'host=evil.test;for=192.0.2.6, for=192.0.2.7;host=talks.example.org, for="[2001:db8::1]:9"' },
    'http://talks.example.org',
  ],
  [
    { Forwarded: `host=evil.test, for=192.0.2.1;host=talks.example.org${', for=10.1.2.3'.repeat(100)}` },
    'http://talks.example.org',
  ],
]

const ignored: readonly HeaderList[] = [
  { Forwarded: 'for="unclosed;proto=https;host=evil.test' },
  { Forwarded: 'proto=https proto=https' },
  { Forwarded: 'proto=https;proto=http' },
  { Forwarded: 'proto="https\\' },
  { Forwarded: ['proto=https', 'for="x'] },
  { Forwarded: ',;,;,' },
  { Forwarded: '' },
  { Forwarded: 'proto=https', 'X-Forwarded-For': '192.0.2.1' },
  { 'X-Forwarded-Proto': 'javascript' },
  { 'X-Forwarded-Proto': '"https"' },
  { 'X-Forwarded-Proto': ' , ,' },
  { 'X-Forwarded-Host': ' , ,' },
  { 'X-Forwarded-For': '\u00ff\u00fe, <script>' },
  { 'X-Forwarded-Port': '444', 'X-Forwarded-Prefix': '/x', 'X-Forwarded-Server': 'evil.test' },
  { 'X-Real-IP': '192.0.2.1', 'CF-Connecting-IP': '192.0.2.1', Via: '1.1 evil.test' },
]

const badHosts = ['evil.test/x', 'user@evil.test', 'a b', '1.2.3.4.5', '[::1', 'evil.test:99999', '<script>', 'xn--a']

describe('Scheme and host', () => {
  for (const [headers, base] of forwarded) {
    test(`of a trusted proxy count: ${JSON.stringify(headers)}`.slice(0, 150), async () => {
      expect(await findBase(trusting, headers)).toBe(base)
    })
  }

  test('of anybody else change nothing', async () => {
    for (const [headers] of forwarded) {
      expect(await findBase(plain, headers)).toBe('http://own.example.org')
      expect(await findBase(others, headers)).toBe('http://own.example.org')
    }
  })

  test('that are malformed or unknown change nothing', async () => {
    for (const headers of ignored) expect(await findBase(trusting, headers)).toBe('http://own.example.org')
  })

  test('do not change --base-url', async () => {
    for (const [headers] of forwarded) expect(await findBase(named, headers)).toBe('https://named.example.org/talks')
  })

  test('are those of each request, for lists of the cache too', async () => {
    await trusting.create()
    await trusting.create()
    const findNext = async (host: string, proto: string) => {
      const headers = { 'X-Forwarded-Host': host, 'X-Forwarded-Proto': proto }
      const path = `${listPath}?page_size=1`
      return parseFields(await trusting.call({ method: 'GET', path, headers })).next
    }
    for (let round = 0; round < 3; round += 1) {
      for (const [host, proto] of [
        ['a.test', 'http'],
        ['a.test', 'https'],
        ['b.test', 'https'],
      ] as const) {
        expect(await findNext(host, proto)).toBe(`${proto}://${host}/api/v2/video?page_size=1&page=2`)
      }
    }
  })
})

describe('A host that a trusted proxy names', () => {
  const toHeaders = (host: string): readonly HeaderList[] => [
    { 'X-Forwarded-Host': host },
    { Forwarded: `host="${host}"` },
  ]

  test('is refused like a bad Host', async () => {
    const { id } = await trusting.create()
    for (const headers of badHosts.flatMap(toHeaders)) {
      for (const path of [toPath(id), listPath, '/api/v2']) {
        const answer = await trusting.call({ method: 'GET', path, headers })
        checkEveryAnswer({ method: 'GET', path }, answer)
        expect([headers, path, answer.status]).toEqual([headers, path, 400])
      }
    }
  })

  test('is not looked at if somebody else names it', async () => {
    const { id } = await plain.create()
    for (const headers of badHosts.flatMap(toHeaders)) {
      expect((await plain.call({ method: 'GET', path: toPath(id), headers })).status).toBe(200)
    }
  })

  test('does not stand in for a bad Host', async () => {
    const headers = { Host: 'a b', 'X-Forwarded-Host': 'a.test' }
    expect((await trusting.call({ method: 'GET', path: '/api/v2', headers })).status).toBe(400)
  })

  test('leaves a record as it is', async () => {
    const { id } = await trusting.create()
    const read = (headers: HeaderList) => trusting.call({ method: 'GET', path: toPath(id), headers })
    const bare = await read({})
    for (const [headers] of forwarded) {
      const { status, body } = await read(headers)
      expect([status, body]).toEqual([200, bare.body])
    }
  })
})

describe('Wrong tokens are counted for', () => {
  let keys = 0
  const guess = async (service: Service, headers: HeaderList) => {
    keys += 1
    const Authorization = `Token rst_${String(keys).padStart(40, '0')}`
    return (await service.call({ method: 'GET', path: toPath(1), headers: { ...headers, Authorization } })).status
  }
  const guessAll = async (service: Service, all: readonly HeaderList[]) => {
    const statuses: number[] = []
    for (const headers of all) statuses.push(await guess(service, headers))
    return statuses
  }
  const refused = [...Array<number>(20).fill(401), 429]

  test('the client that a trusted proxy names', async () => {
    const from = (client: string) => ({ 'X-Forwarded-For': `192.0.2.${keys % 200}, ${client}` })
    expect(await guessAll(trusting, Array<HeaderList>(21).fill(from('192.0.2.250')))).toEqual(refused)
    expect(await guess(trusting, from('192.0.2.251'))).toBe(401)
    expect(await guess(trusting, { Forwarded: 'for="192.0.2.250:1234"' })).toBe(429)
    expect(await guess(trusting, { 'X-Forwarded-For': '::ffff:192.0.2.250, 10.0.0.1' })).toBe(429)
    expect(await guess(trusting, {})).toBe(401)
    const logged = [
      'token refused 127.0.0.1',
      'token refused 192.0.2.250',
      'token refused 192.0.2.251',
      'too many wrong tokens 192.0.2.250',
    ]
    await until('all are logged', () => Bun.deepEquals(listRefusals(trusting.server().stderr()), logged))
  })

  test('one IPv6 client, however its address is written', async () => {
    const forms = ['2001:db9::1', '2001:DB9:0::1', '[2001:db9::1]:99', '2001:0db9:0:0:0:0:0:1']
    const all = Array.from({ length: 21 }, (_, number) => ({ 'X-Forwarded-For': forms[number % forms.length] ?? '' }))
    expect(await guessAll(trusting, all)).toEqual(refused)
  })

  test('the network of an IPv6 client, which has all of its addresses', async () => {
    const from = (address: string) => ({ 'X-Forwarded-For': address })
    const all = Array.from({ length: 21 }, (_, number) => from(`2001:db9:0:1:${number}::${number}`))
    expect(await guessAll(trusting, all)).toEqual(refused)
    expect(await guess(trusting, from('2001:db9:0:2::1'))).toBe(401)
  })

  test('the proxy itself if what it says is malformed', async () => {
    const all = Array.from({ length: 19 }, (_, number) => ({ 'X-Forwarded-For': `nonsense ${number}` }))
    expect(await guessAll(trusting, all)).toEqual(Array<number>(19).fill(401))
    expect(await guess(trusting, {})).toBe(429)
  })

  test('the peer of the connection, if it is not trusted', async () => {
    const all = Array.from({ length: 21 }, (_, number) => ({ 'X-Forwarded-For': `192.0.2.${number}` }))
    expect(await guessAll(plain, all)).toEqual(refused)
    expect(await guessAll(others, all)).toEqual(refused)
  })

  test('the client, on a socket for both families', async () => {
    const from = (client: string) => ({ 'X-Forwarded-For': client })
    expect(await guessAll(dual, Array<HeaderList>(21).fill(from('192.0.2.250')))).toEqual(refused)
    expect(await guess(dual, from('192.0.2.251'))).toBe(401)
    expect(await guess(dual, {})).toBe(401)
    const isLogged = () => listRefusals(dual.server().stderr()).includes('token refused 127.0.0.1')
    await until('it is logged as an IPv4 address', isLogged)
  })
})

describe('Local mode', () => {
  const post = (headers: HeaderList) => local.call({ method: 'POST', path: listPath, json: requiredFields, headers })

  test('is off with any header of a proxy, trusted or not', async () => {
    expect((await post({})).status).toBe(201)
    const { port } = local.server()
    const spoofed: readonly HeaderList[] = [
      { 'X-Forwarded-For': '127.0.0.1' },
      { 'X-Forwarded-Host': `127.0.0.1:${port}`, 'X-Forwarded-Proto': 'http' },
      { Forwarded: `for=127.0.0.1;host="localhost:${port}"` },
      { Forwarded: '"' },
      { Host: 'example.org', 'X-Forwarded-Host': 'localhost' },
    ]
    for (const headers of spoofed) expect((await post(headers)).status).toBe(401)
  })
})
