import { beforeAll, describe, expect, test } from 'bun:test'
import { runRostrum } from '../cli/store-command.ts'
import { headerOf, type RawAnswer } from '../harness/raw.ts'
import { isLong, runs } from '../harness/runs.ts'
import { until } from '../harness/until.ts'
import { type Fields, type Service, useService } from './service.ts'
import { get, listOpenAddresses, openTalks, readAll, secretWords, toSecretTalk, toShown } from './site-pages.ts'

// Runner: long PostgreSQL

const service = useService({ args: ['--threads', '2', '--query-threads', '2'] })

let paths: readonly string[] = []
/** What every address shows while there are only open talks. */
let open: ReadonlyMap<string, string> = new Map()

beforeAll(async () => {
  for (const fields of openTalks) await service.create(fields)
  paths = await listOpenAddresses(service)
  open = await readAll(service, paths)
}, 180_000)

/** Each request has a connection of its own, so after this many all threads have been asked with near certainty. */
const manyTimes = isLong ? 8 : 3

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

/** A secret talk in which a secret word is said. */
async function createSecret(number: number, fields: Fields = {}): Promise<Fields> {
  const talk = await service.create({ ...toSecretTalk(number), ...fields })
  const segments = [{ startTime: 0, endTime: 2, body: `A lantern for zqspoken ${number}` }]
  const path = `/api/v2/video/${talk.id}/transcripts/en`
  expect((await service.call({ method: 'PUT', path, as: 'admin', json: { segments } })).status).toBe(200)
  await until('its transcript is indexed', async () => {
    const { body } = await service.call({ method: 'GET', path: '/api/v2/moments?q=zqspoken', as: 'admin' })
    return body.includes(`"id":${talk.id},`) && !body.includes('at_least')
  })
  return talk
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
    for (const number of [1, 2]) await createSecret(number, { state: 2 })
    expect(await findLeaks()).toEqual([])
  }, 180_000)

  test('is the same to the byte on every thread as soon as a talk is withdrawn', async () => {
    const made = [await createSecret(3), await createSecret(4)]
    for (let time = 0; time < 3; time++) await readAll(service, paths)
    const different = findDifferent(await readAll(service, paths))
    expect(different).toEqual(
      expect.arrayContaining(['/', '/search', '/stats', '/feed.atom', '/sitemap.xml', '/speaker', '/tag']),
    )
    expect(different.length).toBeGreaterThan(20)
    for (const { id } of made) expect((await service.patch(id, { state: 2 })).status).toBe(200)
    expect(await findLeaks()).toEqual([])
  }, 180_000)

  test('is rid of a withdrawn talk even if pages are asked for all the time, or again by their ETag', async () => {
    const asked = ['/', '/search', '/search?q=xylograph', '/feed.atom', '/category/open-event', '/stats']
    const { id, slug } = await service.create(toSecretTalk(4))
    const own = [`/video/${id}/${slug}`, `/embed/${id}`]
    let isOver = false
    const ask = async () => {
      for (let count = 0; !isOver && count < 5_000; count++) await get(service, asked[count % asked.length] ?? '/')
    }
    const asking = Promise.all([ask(), ask(), ask()])
    try {
      for (let round = 0; round < runs(20); round++) {
        const etags = await Promise.all(
          [...own, ...asked].map(async (path) => headerOf(await get(service, path), 'ETag')),
        )
        expect((await service.patch(id, { state: 2 })).status).toBe(200)
        for (const [at, path] of [...own, ...asked].entries()) {
          const answers = [await get(service, path), await get(service, path, { 'If-None-Match': etags[at] ?? '"x"' })]
          const expected = own.includes(path) ? 410 : 200
          expect([path, ...answers.map(({ status }) => status)]).toEqual([path, expected, expected])
          // The search box has the words of the address, which the caller knows.
          for (const body of answers.map((answer) => answer.body.replace(/ value="[^"]*"/, '')))
            expect([path, /of harbour lanterns|vexillum/i.test(body)]).toEqual([path, false])
        }
        expect((await service.patch(id, { state: 1 })).status).toBe(200)
      }
    } finally {
      isOver = true
      await asking
    }
    await service.patch(id, { state: 2 })
    expect(await findLeaks()).toEqual([])
  }, 180_000)

  test('is the same to the byte once a talk is erased', async () => {
    const { id } = await service.create(toSecretTalk(5))
    await readAll(service, paths)
    await purge(id)
    const isGone = async () => findDifferent(await readAll(service, paths)).length === 0
    await until('it is nowhere any more', isGone)
    expect(await findLeaks()).toEqual([])
  }, 180_000)

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
      `/search/suggest?q=${word.slice(0, 5)}`,
      `/suggestions.json?q=${word.slice(0, 5)}`,
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
  }, 180_000)

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
      '/category/zqevent-3/changes.atom',
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
  }, 180_000)
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
