import { beforeAll, describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { useNames } from './curated-names.ts'
import { type Fields, useService } from './service.ts'
import { get as getPage, toShown } from './site-pages.ts'

// Runner: fast

const service = useService({ roles: ['publisher'] })
const { ask, findName } = useNames(service)

const talk = (fields: Fields) => service.create({ video_mp4_url: 'https://files.example.org/a.mp4', ...fields })
const locationOf = async (path: string) => {
  const answer = await getPage(service, path)
  return [answer.status, headerOf(answer, 'Location')]
}

/** Speakers and tags before they are merged or renamed. */
let [former, current, renamed]: [Fields, Fields, Fields] = [{}, {}, {}]
let [formerTag, currentTag]: [Fields, Fields] = [{}, {}]

beforeAll(async () => {
  await talk({ category: 'Zqformer Event', speakers: ['Zqformer Person'], tags: ['zqformer'], title: 'One' })
  await talk({ category: 'Current Event', speakers: ['Current Person'], tags: ['current'], title: 'Two' })
  await talk({ category: 'Current Event', speakers: ['Zqdeadname'], title: 'Three' })
  former = await findName('speaker', 'Zqformer Person')
  current = await findName('speaker', 'Current Person')
  renamed = await findName('speaker', 'Zqdeadname')
  formerTag = await findName('tag', 'zqformer')
  currentTag = await findName('tag', 'current')
  for (const path of ['/', `/speaker/${former.id}/${former.slug}`, '/category/zqformer-event', '/sitemap.xml?part=1']) {
    await getPage(service, path)
  }
  const answers = [
    await ask('POST', `speaker/${former.id}/merge`, { into: current.id }),
    await ask('POST', `tag/${formerTag.id}/merge`, { into: currentTag.id }),
    await ask('POST', 'category/zqformer-event/merge', { into: 'current-event' }),
    await ask('PATCH', `speaker/${renamed.id}`, { name: 'Livename' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
})

describe('An old address of the site leads to the current one', () => {
  const person = () => `/speaker/${current.id}/current-person`
  const live = () => `/speaker/${renamed.id}/livename`
  const cases: readonly (readonly [string, () => string, () => string])[] = [
    ['of a merged speaker', () => `/speaker/${former.id}/zqformer-person`, person],
    ['without a slug', () => `/speaker/${former.id}`, person],
    ['with the id of another time and a retired slug', () => '/speaker/987654/zqformer-person', person],
    ['with a merged id and another slug', () => `/speaker/${former.id}/livename`, live],
    ['of a renamed speaker', () => `/speaker/${renamed.id}/zqdeadname`, live],
    ['of a tag', () => `/tag/${formerTag.id}/zqformer`, () => `/tag/${currentTag.id}/current`],
    ['of an event', () => '/category/zqformer-event', () => '/category/current-event'],
    ['of an event with a number', () => '/category/7/zqformer-event', () => '/category/current-event'],
    ['of a feed of a speaker', () => `/speaker/${former.id}/zqformer-person/feed.atom`, () => `${person()}/feed.atom`],
    [
      'of a podcast of a renamed speaker',
      () => `/speaker/${renamed.id}/zqdeadname/feed.rss?format=mp4`,
      () => `${live()}/feed.rss?format=mp4`,
    ],
    [
      'of a feed of a tag',
      () => `/tag/${formerTag.id}/zqformer/feed.atom`,
      () => `/tag/${currentTag.id}/current/feed.atom`,
    ],
    ['of a feed of an event', () => '/category/zqformer-event/feed.atom', () => '/category/current-event/feed.atom'],
    [
      'of a feed of the changes of an event',
      () => '/category/zqformer-event/changes.atom',
      () => '/category/current-event/changes.atom',
    ],
  ]
  test.each(cases)('%s', async (_, from, to) => {
    expect(await locationOf(from())).toEqual([301, to()])
    expect((await getPage(service, to())).status).toBe(200)
  })
})

test('No page, feed or answer for the public has a former name', async () => {
  const paths = [
    ...['/', '/category', '/speaker', '/tag', '/stats', '/search', '/search?q=zqf', '/search?q=zqd'],
    ...['/category/current-event', `/speaker/${current.id}/current-person`, `/speaker/${renamed.id}/livename`],
    ...[`/tag/${currentTag.id}/current`, '/feed.atom', '/feed.rss?format=mp4', '/category/current-event/feed.atom'],
    '/category/current-event/changes.atom',
    ...['/sitemap.xml', '/sitemap.xml?part=1', '/dump/videos.ndjson.gz', '/suggestions.json?q=zq'],
    ...['/api/v2/speaker', '/api/v2/tag', '/api/v2/category', '/api/v2/suggest?q=zqf', '/api/v2/suggest?q=zqdea'],
    ...['/api/v2/video?facets=speaker,tag,category', `/api/v2/speaker/${current.id}`, `/api/v2/tag/${currentTag.id}`],
    ...['/api/v2/speaker?q=zq', '/api/v2/changes?since=0', '/search/suggest?q=zqd', '/api/v2/category?q=zq'],
  ]
  for (const path of paths) {
    // Asked for by its beginning, which is not a former name itself.
    const found = /(?:zqformer|zqdeadname).{0,40}/i.exec(toShown(await getPage(service, path)))
    expect([path, found?.[0]]).toEqual([path, undefined])
  }
})
