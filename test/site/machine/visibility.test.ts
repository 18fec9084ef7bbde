import { beforeAll, expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { runRostrum } from '../../cli/store-command.ts'
import { useService } from '../../contract/service.ts'
import { until } from '../../harness/until.ts'
import { get } from './feed-service.ts'

const service = useService()

const word = 'Quokka'
const ids: number[] = []

beforeAll(async () => {
  for (const [i, state] of [1, 1, 2, 1].entries()) {
    const record = await service.create({
      category: `${word} Conf ${i}`,
      title: `${word} ${i}`,
      speakers: [`${word} Speaker ${i}`],
      tags: [`${word} tag ${i}`],
      video_mp4_url: `https://example.org/quokka-${i}.mp4`,
      state,
    })
    ids.push(Number(record.id))
  }
}, 180_000)

const paths = ['/feed.atom', '/feed.rss?format=mp4', '/search.atom', `/search.atom?q=${word}`, '/sitemap.xml']

async function readDump(): Promise<string> {
  const response = await fetch(`${service.server().url}/dump/videos.ndjson.gz`)
  return gunzipSync(await response.arrayBuffer()).toString()
}

/** The numbers of the talks that occur anywhere, requested several times to reach several threads. */
async function listShown(): Promise<{ [path: string]: number[] }> {
  const shown: { [path: string]: number[] } = {}
  for (const path of paths) shown[path] = findNumbers((await get(service, path)).body)
  shown.dump = findNumbers(await readDump())
  return shown
}

function findNumbers(text: string): number[] {
  const found = text.toLowerCase().matchAll(/quokka(?:[ -](?:conf|speaker|tag))?[ -](\d)/g)
  return [...new Set(Array.from(found, ([, number]) => Number(number)))].sort()
}

const everywhere = (numbers: readonly number[]) =>
  Object.fromEntries([...paths, 'dump'].map((path) => [path, [...numbers]]))

test('drafts appear nowhere', async () => {
  expect(await listShown()).toEqual(everywhere([0, 1, 3]))
  expect((await get(service, '/category/quokka-conf-2/feed.atom')).status).toBe(404)
  expect((await get(service, '/speaker/3/quokka-speaker-2/feed.atom')).status).toBe(404)
  expect((await get(service, '/tag/3/quokka-tag-2/feed.rss')).status).toBe(404)
})

test('a withdrawn record vanishes immediately, and returns when it is live again', async () => {
  for (let round = 0; round < 5; round++) {
    await service.patch(ids[1], { state: 2 })
    expect(await listShown()).toEqual(everywhere([0, 3]))
    expect((await get(service, '/speaker/2/quokka-speaker-1/feed.atom')).status).toBe(404)
    await service.patch(ids[1], { state: 1 })
    expect((await listShown())['/feed.atom']).toEqual([0, 1, 3])
  }
})

test('an erased record vanishes', async () => {
  expect(findNumbers(await readDump())).toContain(3)
  const { db } = service.server()
  expect(await runRostrum('purge', String(ids[3]), '--yes', '--db', db)).toMatchObject({ exitCode: 0 })
  await until('the server has noticed', async () => (await service.read(ids[3])).status === 410)
  const isGone = async () => Object.values(await listShown()).every((numbers) => !numbers.includes(3))
  await until('it is nowhere any more', isGone)
  expect(await listShown()).toEqual(everywhere([0, 1]))
})
