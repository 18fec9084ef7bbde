import { beforeAll, describe, expect, test } from 'bun:test'
import { headerOf, type RawAnswer } from '../harness/raw.ts'
import { startServer } from '../harness/server.ts'
import { createService, useService } from './service.ts'
import { get, listOpenAddresses, openTalks, readAll, toSecretTalk, toShown } from './site-pages.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader'], args: ['--threads', '2', '--query-threads', '2'] })

let paths: readonly string[] = []
/** What every address shows to callers without a token. */
let open: ReadonlyMap<string, string> = new Map()

beforeAll(async () => {
  for (const fields of openTalks) await service.create(fields)
  await service.create({ ...toSecretTalk(1), state: 2 })
  paths = await listOpenAddresses(service)
  open = await readAll(service, paths)
}, 180_000)

describe('Everybody sees the same', () => {
  const withoutDate = ({ headers }: RawAnswer) => [...headers].filter(([name]) => name !== 'date')
  const callers: readonly (readonly [string, () => Readonly<Record<string, string>>])[] = [
    ['with a token', () => ({ Authorization: `Token ${service.keyOf('reader')}` })],
    ['as an admin', () => ({ Authorization: `Token ${service.keyOf('admin')}` })],
    ['with an invalid token', () => ({ Authorization: 'Token rst_0000000000000000000000000000000000000000' })],
    ['with a broken header', () => ({ Authorization: 'Basic %%%' })],
    ['with a cookie', () => ({ Cookie: 'rostrum_session=0123456789; a=b' })],
    ['from another site', () => ({ Origin: 'https://evil.example.org', Referer: 'https://evil.example.org/' })],
    [
      'with headers of a proxy that nobody trusts',
      () => ({ 'X-Forwarded-Host': 'evil.example.org', Forwarded: 'host=evil.example.org' }),
    ],
    ['with unknown parameters', () => ({})],
  ]
  test.each(callers)(
    '%s',
    async (name, toHeaders) => {
      const isOdd = name === 'with unknown parameters'
      for (const path of paths.filter(
        (path) => !path.startsWith('/api/') && !(isOdd && /dump|no-such|98765/.test(path)),
      )) {
        const own = isOdd ? `${path}${path.includes('?') ? '&' : '?'}utm_source=evil&state=2&by=admin` : path
        const answer = await get(service, own, toHeaders())
        const plain = await get(service, path)
        expect([path, toShown(answer) === toShown(plain), toShown(plain) === open.get(path)]).toEqual([
          path,
          true,
          true,
        ])
        expect([path, withoutDate(answer)]).toEqual([path, withoutDate(plain)])
      }
    },
    60_000,
  )

  test('in local mode, where a program may do everything', async () => {
    const server = await startServer({ args: ['--threads', '1', '--auth', 'local'] })
    try {
      const local = createService(
        () => server,
        () => server.adminKey,
      )
      for (const fields of openTalks) await local.create(fields)
      const own = await listOpenAddresses(local)
      const before = await readAll(local, own)
      await local.create({ ...toSecretTalk(1), state: 2 })
      const after = await readAll(local, own)
      const proxied = new Map<string, string>()
      for (const path of own) proxied.set(path, toShown(await get(local, path, { 'X-Real-IP': '192.0.2.1' })))
      // The API does tell its callers apart.
      const pages = own.filter((path) => !path.startsWith('/api/'))
      expect(pages.filter((path) => after.get(path) !== before.get(path))).toEqual([])
      expect(own.filter((path) => proxied.get(path) !== before.get(path))).toEqual([])
      const [, suggest] = /data-suggest="([^"]+)"/.exec((await get(local, '/')).body) ?? []
      expect((await get(local, `${suggest}?q=xylo`)).body).toBe('{"results":[]}')
      expect((await get(local, `${suggest}?q=lante`)).body).toContain('Lanterns at dusk')
    } finally {
      await server.kill9()
    }
  }, 180_000)
})

describe('A foreign Host', () => {
  test('gets pages with its own address alone, and leaves nothing for others', async () => {
    const own = `127.0.0.1:${service.server().port}`
    for (const path of paths.filter((path) => !path.startsWith('/oembed'))) {
      for (let time = 0; time < 2; time++) {
        const foreign = await get(service, path, { Host: 'evil.example.org' })
        expect([path, toShown(foreign).includes(own)]).toEqual([path, false])
      }
      const plain = await get(service, path)
      expect([path, toShown(plain) === open.get(path), toShown(plain).includes('evil.example.org')]).toEqual([
        path,
        true,
        false,
      ])
      if (toShown(plain).includes(own) && headerOf(plain, 'ETag') !== null && !path.startsWith('/dump')) {
        const foreign = await get(service, path, {
          Host: 'evil.example.org',
          'If-None-Match': headerOf(plain, 'ETag') ?? '',
        })
        expect([path, foreign.status]).toEqual([path, 200])
      }
    }
  }, 180_000)

  test.each(['a"><script>alert(1)</script>', "a'b", 'a b', 'a/b', 'a@b', ''])('of %p gets no page', async (host) => {
    for (const path of ['/', '/feed.atom', '/no-such-page']) {
      const { status, body } = await get(service, path, { Host: host })
      expect([path, status, host !== '' && body.includes(host)]).toEqual([path, 400, false])
    }
  })
})
