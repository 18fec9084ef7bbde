import { beforeAll, describe, expect, test } from 'bun:test'
import { runRostrum } from '../cli/store-command.ts'
import { headerOf, type RawAnswer } from '../harness/raw.ts'
import { startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { createService, type Fields, type Service, useService } from './service.ts'
import { get, listOpenAddresses, openTalks, readAll, secretWords, toSecretTalk, toShown } from './site-pages.ts'

// Runner: fast

const service = useService({ roles: ['reader'], args: ['--threads', '2', '--query-threads', '2'] })

let paths: readonly string[] = []
/** What every address shows while there are only open talks. */
let open: ReadonlyMap<string, string> = new Map()

beforeAll(async () => {
  for (const fields of openTalks) await service.create(fields)
  paths = await listOpenAddresses(service)
  open = await readAll(service, paths)
}, 60_000)

/** Each request has a connection of its own, so after this many all threads have been asked with near certainty. */
const manyTimes = 8

const findDifferent = (shown: ReadonlyMap<string, string>) => paths.filter((path) => shown.get(path) !== open.get(path))

/** Addresses at which the public sees anything else than open talks, asked of every thread. */
async function findLeaks(from: Service = service): Promise<readonly string[]> {
  const leaks = new Set<string>()
  for (let time = 0; time < manyTimes; time++)
    for (const path of findDifferent(await readAll(from, paths))) leaks.add(path)
  return [...leaks]
}

async function purge(id: unknown): Promise<void> {
  const { db } = service.server()
  expect(await runRostrum('purge', String(id), '--yes', '--db', db)).toMatchObject({ exitCode: 0 })
  const areGone = async () =>
    (await Promise.all(Array.from({ length: 8 }, () => service.read(id)))).every(({ status }) => status === 410)
  await until('every thread has noticed', areGone)
}

describe('What the public sees', () => {
  test('shows the open talks, and their whiteboard nowhere', () => {
    const texts = [...open].filter(([path]) => !/^\/(?:robots|no-such|video\/9876|category\/lantern)/.test(path))
    expect(texts.filter(([, text]) => !text.startsWith('200 ')).map(([path]) => path)).toEqual(['/sitemap.xml?part=1'])
    const shows = (path: string, word: string) => open.get(path)?.includes(word)
    expect(
      ['/', '/search', '/feed.atom', '/dump/videos.ndjson.gz'].map((path) => shows(path, 'Ships that pass')),
    ).toEqual([true, true, true, true])
    expect([...open].filter(([, text]) => text.includes('whiteboardofopen')).map(([path]) => path)).toEqual([])
  })

  test('is the same to the byte whether there are drafts or not', async () => {
    for (const number of [1, 2]) await service.create({ ...toSecretTalk(number), state: 2 })
    expect(await findLeaks()).toEqual([])
  }, 60_000)

  test('is the same to the byte on every thread as soon as a talk is withdrawn', async () => {
    const made = [await service.create(toSecretTalk(3)), await service.create(toSecretTalk(4))]
    for (let time = 0; time < 3; time++) await readAll(service, paths)
    const different = findDifferent(await readAll(service, paths))
    expect(different).toEqual(
      expect.arrayContaining(['/', '/search', '/stats', '/feed.atom', '/sitemap.xml', '/speaker', '/tag']),
    )
    expect(different.length).toBeGreaterThan(20)
    for (const { id } of made) expect((await service.patch(id, { state: 2 })).status).toBe(200)
    expect(await findLeaks()).toEqual([])
  }, 60_000)

  test('is the same to the byte once a talk is erased', async () => {
    const { id } = await service.create(toSecretTalk(5))
    await readAll(service, paths)
    await purge(id)
    const isGone = async () => findDifferent(await readAll(service, paths)).length === 0
    await until('it is nowhere any more', isGone)
    expect(await findLeaks()).toEqual([])
  }, 60_000)

  test('knows no word, name or event that only hidden records have', async () => {
    const unknown = 'brfgkwm'
    const toPaths = (word: string) => [
      `/search?q=${word}`,
      `/search?q=${word}+lantern`,
      `/search.atom?q=${word}`,
      `/speaker?q=${word}`,
      `/tag?q=${word}`,
      `/category/${word}-3`,
      `/speaker/987654321/${word}-1`,
      `/tag/987654321/${word}1`,
      `/video/987654321/${word}`,
      `/language/${word}`,
      `/api/v2/suggest?q=${word}`,
      `/api/v2/suggest?q=${word.slice(0, 5)}`,
      // Misspelled, so that it would be corrected.
      `/search?q=${word.slice(0, -1)}qq`,
      `/search?q=${word.slice(0, 5)}`,
    ]
    const asked = secretWords.filter((word) => word !== 'icelandic')
    const expected = await Promise.all(toPaths(unknown).map((path) => get(service, path)))
    for (const word of asked) {
      for (const [at, path] of toPaths(word).entries()) {
        const seen = withoutWord(await get(service, path), word)
        expect([path, seen]).toEqual([path, withoutWord(expected[at] ?? expect.unreachable(), unknown)])
      }
    }
  }, 60_000)

  test('is 404 or 410 for their own addresses, which name nothing of them', async () => {
    const [draft, withdrawn, erased] = await findHidden()
    const names = await Promise.all(['speaker', 'tag'].map((kind) => listHidden(kind)))
    const url = (id: unknown) => encodeURIComponent(`${service.server().url}/video/${id}`)
    const toAddresses = (id: unknown) => [`/video/${id}`, `/video/${id}/x`, `/embed/${id}`, `/oembed?url=${url(id)}`]
    const missing = [
      ...toAddresses(draft),
      ...names.flat(),
      ...names.flat().map((path) => `${path}/feed.atom`),
      '/category/zqevent-1',
      '/category/zqevent-3',
      '/category/zqevent-3/feed.atom',
      '/language/is',
    ]
    expect(names.flat().length).toBeGreaterThan(4)
    for (const [path, status] of [
      ...missing.map((path) => [path, 404] as const),
      ...[withdrawn, erased].flatMap(toAddresses).map((path) => [path, 410] as const),
    ]) {
      const answer = await get(service, path)
      expect([path, answer.status]).toEqual([path, status])
      const echoed = decodeURIComponent(path).replace('language/is', 'icelandic')
      const named = secretWords.filter((word) => !echoed.includes(word) && answer.body.toLowerCase().includes(word))
      expect([path, named]).toEqual([path, []])
    }
  }, 60_000)
})

/** The text of an answer without the word that was asked for, or the beginning of it. */
function withoutWord(answer: RawAnswer, word: string): string {
  const text = toShown(answer)
    .toLowerCase()
    .replace(/urn:uuid:[\w-]+/, 'urn:uuid')
  return [word, `${word.slice(0, -1)}qq`, word.slice(0, 5)].reduce((rest, each) => rest.replaceAll(each, '?'), text)
}

async function findHidden(): Promise<readonly unknown[]> {
  const answer = await service.call({
    method: 'GET',
    path: '/api/v2/video?state=2&ordering=id&page_size=100',
    as: 'admin',
  })
  const { results }: { results: readonly Fields[] } = JSON.parse(answer.body)
  const ids = results.map(({ id }) => Number(id))
  return [ids[0], ids.at(-1), Math.max(...ids) + 1]
}

/** Pages of names that only hidden records have. */
async function listHidden(kind: string): Promise<readonly string[]> {
  const answer = await service.call({ method: 'GET', path: `/api/v2/${kind}?page_size=100&q=zq`, as: 'admin' })
  const { results }: { results: readonly Fields[] } = JSON.parse(answer.body)
  return results.map(({ id, slug }) => `/${kind}/${id}/${slug}`)
}

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
    } finally {
      await server.kill9()
    }
  }, 60_000)
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
  }, 60_000)
})
