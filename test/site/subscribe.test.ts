import { beforeAll, describe, expect, test } from 'bun:test'
import { useService } from '../contract/service.ts'
import { headerOf } from '../harness/raw.ts'
import { get } from './machine/feed-service.ts'
import { feedView, findFaults } from './machine/schema.ts'
import { parseXml } from './machine/xml-tree.ts'
import { createBrowser, hrefOf, textsOf } from './search-talks.ts'

// Runner: long PostgreSQL

const service = useService({ args: ['--threads', '1'] })
const open = createBrowser(service)

beforeAll(async () => {
  const ann = { category: 'Conf', speakers: ['Ann Bell'], tags: ['tools'], language: 'English' }
  await service.create({ ...ann, title: 'Looms', video_mp4_url: 'https://files.example.org/a.mp4' })
  await service.create({
    ...ann,
    title: 'Lathes',
    category: 'Meetup',
    video_ogv_url: 'https://files.example.org/b.ogv',
  })
  await service.create({ title: 'Kilns', category: 'Other', video_flv_url: 'https://files.example.org/c.flv' })
  await service.create({ ...ann, title: 'Hidden', state: 2, video_webm_url: 'https://files.example.org/d.webm' })
})

const pages: readonly (readonly [path: string, feed: string, formats: readonly string[]])[] = [
  ['/', '/feed.atom', ['mp4', 'ogv']],
  ['/about', '/feed.atom', ['mp4', 'ogv']],
  ['/category/conf', '/category/conf/feed.atom', ['mp4']],
  ['/category/other', '/category/other/feed.atom', []],
  ['/speaker/1/ann-bell', '/speaker/1/ann-bell/feed.atom', ['mp4', 'ogv']],
  ['/tag/1/tools', '/tag/1/tools/feed.atom', ['mp4', 'ogv']],
  ['/language/en', '/search.atom?language=en', ['mp4', 'ogv']],
  ['/search?q=lathes', '/search.atom?q=lathes', ['ogv']],
  ['/search?category=conf', '/search.atom?category=conf', ['mp4']],
  ['/list?ids=2,1', '/list.atom?ids=2,1', ['mp4', 'ogv']],
]

describe('The addresses to subscribe to', () => {
  test.each(pages)(
    'of %s are its feed and podcasts of the formats that its talks have',
    async (path, feed, formats) => {
      const page = await open(path)
      const sign = feed.includes('?') ? '&' : '?'
      const podcasts = formats.map((format) => `${feed.replace('.atom', '.rss')}${sign}format=${format}`)
      const rows = page.one('.subscriptions')
      expect(rows.all('a').map(hrefOf)).toEqual([feed, ...podcasts])
      const { url } = service.server()
      expect(rows.all('input').map((field) => field.attribute('value'))).toEqual(
        [feed, ...podcasts].map((each) => url + each),
      )
      const links = page.one('head').all('link')
      const listed = (type: string) => links.filter((link) => link.attribute('type') === type).map(hrefOf)
      expect(listed('application/atom+xml')).toContain(feed)
      expect(listed('application/rss+xml')).toEqual(podcasts)
    },
  )

  test('all lead to a feed', async () => {
    for (const [path] of pages) {
      for (const link of (await open(path)).one('.subscriptions').all('a')) {
        expect([hrefOf(link), (await get(service, hrefOf(link))).status]).toEqual([hrefOf(link), 200])
      }
    }
  })

  test('are in a menu that needs no script, each with a line that explains it', async () => {
    const menu = (await open('/category/conf')).one('details.subscribe')
    expect(textsOf(menu.all('summary'))).toEqual(['Subscribe'])
    expect(textsOf(menu.one('.subscriptions').all('p'))).toEqual([
      'For feed readers: the newest talks with their descriptions.',
      'For podcast apps: talks with an MP4 file, which every app plays.',
    ])
    expect(textsOf((await open('/search?q=looms')).one('.subscriptions').all('a'))).toEqual([
      'Feed of this search',
      'MP4 podcast of this search',
    ])
  })
})

describe('A feed in a browser', () => {
  const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

  test.each(['/feed.atom', '/feed.rss?format=mp4', '/category/conf/changes.atom', '/list.atom?ids=1'])(
    '%s is a page with a style sheet, which feed readers do not get',
    async (path) => {
      const [shown, fed] = [await get(service, path, browser), await get(service, path)]
      const [view = ''] = /<div xmlns.*<\/div>/.exec(shown.body) ?? []
      expect(findFaults(parseXml(view), feedView)).toEqual([])
      expect(shown.body.replace(view, '').replace(/<\?xml-stylesheet.*\n/, '')).toBe(fed.body)
      expect(headerOf(shown, 'Content-Type')).toBe('application/xml; charset=utf-8')
      expect(headerOf(fed, 'Content-Type')).toMatch(/^application\/(?:atom|rss)\+xml; charset=utf-8$/)
      expect(headerOf(shown, 'Vary')).toBe('Accept, Accept-Encoding')
      const [, style = ''] = /<\?xml-stylesheet type="text\/css" href="([^"]+)"\?>/.exec(shown.body) ?? []
      const sheet = await get(service, style)
      expect([sheet.status, headerOf(sheet, 'Content-Type')]).toEqual([200, 'text/css; charset=utf-8'])
    },
  )

  test('a feed reader that names HTML too gets the type of the feed', async () => {
    const Accept = 'application/rss+xml, application/atom+xml, text/html;q=0.5, */*;q=0.1'
    expect(headerOf(await get(service, '/feed.atom', { Accept }), 'Content-Type')).toContain('atom+xml')
  })
})
