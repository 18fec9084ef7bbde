import { gunzipSync } from 'node:zlib'
import type { HeaderList, RawAnswer } from '../harness/raw.ts'
import { type Fields, fail, parseFields, type Service } from './service.ts'

/** Talks that the public sees. They share words, names and days with those that it does not. */
export const openTalks: readonly Fields[] = [
  {
    title: 'Harbour lights and what they tell',
    category: 'Open Event',
    speakers: ['Open Person', 'Other Person'],
    tags: ['shared', 'lamps'],
    language: 'English',
    recorded: '2020-05-01',
    duration: 1_800,
    summary: 'A lantern for each ship.',
    description: 'Ships and lanterns, and the keepers who know them.',
    video_mp4_url: 'https://files.example.org/lights.mp4',
    whiteboard: 'whiteboardofopen "\\ü🛶',
  },
  {
    title: 'Ships that pass',
    category: 'Open Event',
    speakers: ['Open Person'],
    tags: ['shared'],
    language: 'English',
    recorded: '2020-05-02',
    duration: 600,
    source_url: 'https://www.youtube.com/watch?v=openopen001',
    whiteboard: 'whiteboardofopen',
  },
  {
    title: 'Lanterns at dusk',
    category: 'Second Event',
    speakers: ['Third Person'],
    tags: ['lamps'],
    language: 'German',
  },
]

/** Words that only hidden records have. */
export const secretWords = [
  'xylograph',
  'quincunx',
  'vexillum',
  'zeugmatic',
  'zqspeaker',
  'zqtag',
  'zqevent',
  'zqboardsecret',
  'zqspoken',
  'icelandic',
] as const

/** A talk that nobody but curators may see: related to the open ones, and with words and names of its own. */
export function toSecretTalk(number: number): Fields {
  return {
    title: `Xylograph ${number} of harbour lanterns`,
    category: number % 2 === 0 ? 'Open Event' : `Zqevent ${number}`,
    speakers: ['Open Person', `Zqspeaker ${number}`],
    tags: ['shared', `zqtag${number}`],
    language: number % 2 === 0 ? 'Icelandic' : 'English',
    recorded: `2021-0${number}-05`,
    duration: 7_200,
    summary: 'Quincunx lantern.',
    description: 'Vexillum and zeugmatic ships.',
    video_mp4_url: 'https://files.example.org/xylograph.mp4',
    source_url: `https://www.youtube.com/watch?v=hiddenhid0${number}`,
    whiteboard: 'zqboardsecret',
  }
}

interface Named {
  readonly id: number
  readonly slug: string
}

/** Addresses of everything that the site shows of the open talks. */
export async function listOpenAddresses(service: Service): Promise<readonly string[]> {
  const [talks, speakers, tags] = [
    await listNamed(service, 'video?page_size=100'),
    await listNamed(service, 'speaker'),
    await listNamed(service, 'tag'),
  ]
  const [speaker] = speakers.filter(({ slug }) => slug === 'open-person')
  const [tag] = tags.filter(({ slug }) => slug === 'shared')
  const names = [
    ...speakers.map(({ id, slug }) => `/speaker/${id}/${slug}`),
    ...tags.map(({ id, slug }) => `/tag/${id}/${slug}`),
    '/category/open-event',
  ]
  const url = encodeURIComponent(`${service.server().url}/video/${talks[0]?.id}`)
  return [
    ...[
      '/',
      '/category',
      '/speaker',
      '/tag',
      '/stats',
      '/about',
      '/language',
      '/language/en',
      '/category/open-event?day=2020-05-01',
    ],
    ...['/speaker?letter=h', '/speaker?letter=o', '/tag?letter=h', '/tag?letter=s', '/speaker?q=p', '/tag?q=s'],
    ...['/moments', '/moments?q=lantern', '/search?q=zqspoken', '/moments?q=zqspoken', '/api/v2/moments?q=lantern'],
    ...['/search', '/search?q=lantern', '/search?q=lanterm', '/search?q=ships&sort=newest', '/search?year=2020'],
    ...[
      `/search?speaker=${speaker?.id}`,
      `/search?tag=${tag?.id}`,
      '/search?category=open-event',
      '/search?language=en',
    ],
    ...['/search?length=long', '/search?download=yes', '/search?q=harbour+-passing'],
    ...talks.flatMap(({ id, slug }) => [`/video/${id}/${slug}`, `/video/${id}.md`, `/video/${id}.txt`, `/embed/${id}`]),
    ...talks.flatMap(({ id }) => [`/video/${id}/chapters.vtt`, `/video/${id}/chapters.json`]),
    ...names,
    ...names.map((path) => `${path}/feed.atom`),
    '/category/open-event/changes.atom',
    // Also of ids that drafts will have.
    ...[
      '/list?ids=3,1,2',
      '/list?ids=1,4,5,6,7,8,9,10',
      '/list.atom?ids=4,1,5,6,7,8,9,10',
      '/list.rss?ids=1,4,5,6,7,8',
    ],
    ...['/feed.atom', '/feed.rss?format=mp4', '/search.atom', '/search.atom?q=lantern', '/search.rss?format=mp4'],
    ...['/sitemap.xml', '/sitemap.xml?part=1', '/robots.txt', '/opensearch.xml', '/dump/videos.ndjson.gz'],
    ...[`/oembed?url=${url}`, '/api/v2/suggest?q=ha', '/api/v2/suggest?q=open'],
    ...['/search/suggest?q=ha', '/search/suggest?q=open', '/suggestions.json?q=ha'],
    ...['/no-such-page', '/category/lantern-ships', '/video/987654321/lantern'],
  ]
}

async function listNamed(service: Service, path: string): Promise<readonly Named[]> {
  const { results } = parseFields(await service.call({ method: 'GET', path: `/api/v2/${path}` }))
  // The lists of the API have rows with these.
  return Array.isArray(results) ? (results as readonly Named[]) : fail(`${path} is not a list`)
}

/** Each on a connection of its own, so that any thread may answer. A node that may have old records says 503 instead. */
export async function get(service: Service, path: string, headers: HeaderList = {}): Promise<RawAnswer> {
  const ask = () => service.call({ method: 'GET', path, headers: { Accept: 'text/html', ...headers } })
  let answer = await ask()
  for (let tries = 1; answer.status === 503 && tries < 50; tries++) {
    await Bun.sleep(100)
    answer = await ask()
  }
  return answer
}

/** Status and text of an answer, with what differs by request taken out. */
export function toShown({ status, body, bytes }: RawAnswer): string {
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b
  const text = isZipped ? gunzipSync(bytes).toString() : body
  return `${status} ${text.replace(/urn:rostrum:request:[\w-]+/g, 'urn:rostrum:request')}`
}

export async function readAll(service: Service, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const shown = new Map<string, string>()
  for (const path of paths) shown.set(path, toShown(await get(service, path)))
  return shown
}
