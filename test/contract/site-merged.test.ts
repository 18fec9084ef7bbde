import { beforeAll, describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { useNames } from './curated-names.ts'
import { resultsOf } from './every-answer.ts'
import { type Fields, parseFields, useService } from './service.ts'
import { get as getPage, toShown } from './site-pages.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['publisher'] })
const { ask: curate, get, findName, undo } = useNames(service)

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
  await talk({ category: 'Zqhidden Event', title: 'Draft', state: 2 })
  former = await findName('speaker', 'Zqformer Person')
  current = await findName('speaker', 'Current Person')
  renamed = await findName('speaker', 'Zqdeadname')
  formerTag = await findName('tag', 'zqformer')
  currentTag = await findName('tag', 'current')
  for (const path of ['/', `/speaker/${former.id}/${former.slug}`, '/category/zqformer-event', '/sitemap.xml?part=1']) {
    await getPage(service, path)
  }
  const answers = [
    await curate('POST', `speaker/${former.id}/merge`, { into: current.id }),
    await curate('POST', `tag/${formerTag.id}/merge`, { into: currentTag.id }),
    await curate('POST', 'category/zqformer-event/merge', { into: 'current-event' }),
    await curate('PATCH', `speaker/${renamed.id}`, { name: 'Livename' }),
    await curate('POST', 'category/zqhidden-event/merge', { into: 'current-event' }, 'publisher', {
      'Change-Reason': 'hidden',
    }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
})

describe('An old address of the site leads to the current one', () => {
  const person = () => `/speaker/${current.id}/current-person`
  const personFeed = () => `${person()}/feed.atom`
  const live = () => `/speaker/${renamed.id}/livename`
  const toApi = (path: string) => `${service.server().url}/api/v2/${path}`
  const cases: readonly (readonly [string, () => string, () => string])[] = [
    ['of a merged speaker', () => `/speaker/${former.id}/zqformer-person`, person],
    ['without a slug', () => `/speaker/${former.id}`, person],
    ['with the id of another archive and a current slug', () => '/speaker/987654/current-person', person],
    ['with a merged id and a current slug', () => `/speaker/${former.id}/livename`, live],
    ['with an id, and a former name of another', () => `/speaker/${current.id}/zqdeadname`, person],
    ['with an id, and a word that nobody had', () => `/speaker/${current.id}/nobody-had-this`, person],
    [
      'of a feed with an id, and a former name of another',
      () => `/speaker/${current.id}/zqdeadname/feed.atom`,
      personFeed,
    ],
    ['of a tag with the id of another archive', () => '/tag/987654/current', () => `/tag/${currentTag.id}/current`],
    ['of a merged speaker in the API', () => `/api/v2/speaker/${former.id}`, () => toApi(`speaker/${current.id}`)],
    ['of a merged tag in the API', () => `/api/v2/tag/${formerTag.id}`, () => toApi(`tag/${currentTag.id}`)],
    ['of a merged event in the API', () => '/api/v2/category/zqformer-event', () => toApi('category/current-event')],
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
    const target = to().replace(service.server().url, '')
    expect((await getPage(service, target)).status).toBe(200)
  })
})

describe('A former name alone leads nowhere, as a name that nobody had', () => {
  /** The answer with the words of its address replaced: what tells a former name from any other text. */
  async function ask(path: string, word: string): Promise<unknown> {
    const { status, headers, body } = await getPage(service, path.replace('*', word))
    const changing = ['date', 'etag', 'x-request-id', 'server-timing']
    const shown = [...headers]
      .filter(([name]) => !changing.includes(name))
      .map(([name, values]) => [name, values.map((value) => value.replaceAll(word, '*'))])
    const text = body.replaceAll(word, '*').replaceAll(word.replaceAll('-', ' '), '*')
    return { status, headers: shown, text: text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '') }
  }

  const hidden = ['zqhidden-event', 'zqabsent-event'] as const
  const cases: readonly (readonly [path: string, former: string, unknown: string, status: number])[] = [
    ...(['', '/feed.atom', '/feed.rss', '/feed.rss?format=webm'] as const).flatMap((end) => [
      [`/speaker/987654/*${end}`, 'zqdeadname', 'zqnobodyss', 404] as const,
      [`/speaker/987654/*${end}`, 'zqformer-person', 'zqnobody-person', 404] as const,
      [`/tag/987654/*${end}`, 'zqformer', 'zqnobody', 404] as const,
      [`/category/*${end}`, ...hidden, 404] as const,
    ]),
    ['/speaker/*.html', 'zqdeadname', 'zqnobodyss', 404],
    ['/speaker/*', 'zqformer-person', 'zqnobody-person', 404],
    ['/tag/*.html', 'zqformer', 'zqnobody', 404],
    ['/events/*.html', ...hidden, 404],
    ['/*/some-talk.html', ...hidden, 404],
    ['/speaker/0/*', 'zqdeadname', 'zqnobodyss', 404],
    ['/category/*/changes.atom', ...hidden, 404],
    ['/category/7/*', ...hidden, 404],
    ['/api/v2/category/*', ...hidden, 404],
    ['/api/v2/video?category=*', ...hidden, 200],
    ['/api/v2/video?category=*', 'Zqhidden%20Event', 'Zqabsent%20Event', 200],
    ['/api/v2/video?q=*', ...hidden, 200],
    ['/api/v2/video?speaker=*', 'zqdeadname', 'zqnobodyss', 200],
    ['/api/v2/video?match=best&q=*', 'zqdeadname', 'zqnobodyss', 200],
    ['/api/v2/suggest?q=*', 'zqdeadname', 'zqnobodyss', 200],
    ['/api/v2/speaker?q=*', 'zqdeadname', 'zqnobodyss', 200],
    ['/api/v2/tag?q=*', 'zqformer', 'zqnobody', 200],
    ['/search?category=*', ...hidden, 200],
    ['/search?q=*', 'zqdeadname', 'zqnobodyss', 200],
    ['/speaker?q=*', 'zqdeadname', 'zqnobodyss', 200],
  ]
  test.each(cases)('%s with %s, %s', async (path, word, unknown, status) => {
    const answer = await ask(path, word)
    expect(answer).toMatchObject({ status })
    expect(answer).toEqual(await ask(path, unknown))
  })

  test('and a merged event that was hidden leads on for curators alone, also after the merge was undone twice', async () => {
    const merge = resultsOf(await get('batches?page_size=100')).find(({ reason }) => reason === 'hidden')
    const undone = await undo(merge?.id)
    await undo(undone.id)
    const [curator, viewer] = [await get('category/zqhidden-event'), await get('category/zqhidden-event', 'none')]
    expect([curator.status, viewer.status]).toEqual([301, 404])
  })

  test('but an event that was public when it was merged leads on after the merge was undone twice', async () => {
    await talk({ category: 'Twice Event', title: 'Four' })
    const { id } = parseFields(await curate('POST', 'category/twice-event/merge', { into: 'current-event' }))
    const undone = await undo(id)
    expect(await locationOf('/category/twice-event')).toEqual([200, null])
    await undo(undone.id)
    expect(await locationOf('/category/twice-event')).toEqual([301, '/category/current-event'])
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
    const found = /(?:zqformer|zqdeadname|zqhidden).{0,40}/i.exec(toShown(await getPage(service, path)))
    expect([path, found?.[0]]).toEqual([path, undefined])
  }
})
