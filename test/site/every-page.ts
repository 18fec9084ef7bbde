import type { Server } from '../harness/server.ts'

/** A page of the site by what it shows, with the status that it must have. */
export interface PageCase {
  readonly name: string
  readonly path: string
  readonly status: number
}

interface Entry {
  readonly id: number
  readonly slug: string
  readonly count: number
}

interface Listed {
  readonly results: readonly Entry[]
}

/**
 * One page of each type and state, for a server with records. Withdraws one of the records, so that there is a page
 * of a talk that is gone.
 */
export async function listPages(server: Server): Promise<readonly PageCase[]> {
  const list = async (path: string) => (await read(server, path)).results
  const [first, second] = await list('video?page_size=2&has=mp4&ordering=id')
  const [chaptered] = await list('video?page_size=1&has=chapters&ordering=id')
  const [part] = await list('video?page_size=1&q=digits+of+pi')
  const [hosted] = await list('video?page_size=1&ordering=-id&missing=media&has=embed')
  const [category] = await list('category?page_size=1')
  const speaker = toMostUsed(await list('speaker?page_size=100'))
  const tag = toMostUsed(await list('tag?page_size=100'))
  const gone = await withdrawOne(server)
  const pages: readonly (readonly [string, string, number?])[] = [
    ['home', '/'],
    ['search without words', '/search'],
    ['search', '/search?q=the'],
    ['search with filters', `/search?q=a&speaker=${speaker.id}&tag=${tag.id}&download=yes&sort=newest`],
    ['search that names a speaker', `/search?q=${speaker.slug.replaceAll('-', '+')}`],
    ['search without results but with filters', `/search?q=zzzzqqqxx&speaker=${speaker.id}&tag=${tag.id}`],
    ['search that corrects a word', '/search?q=cachign'],
    ['search without results', '/search?q=zzzzqqqxx'],
    ['second page of a search', '/search?page=2'],
    ['what was said', '/moments?q=the'],
    ['what nobody has said', '/moments?q=zzzzqqqxx'],
    ['events', '/category'],
    ['event', `/category/${category?.slug}`],
    ['speakers', '/speaker'],
    ['speakers that match', '/speaker?q=a'],
    ['speakers of a letter', '/speaker?letter=a'],
    ['no speakers', '/speaker?q=zzzzqqq'],
    ['speaker', `/speaker/${speaker.id}/${speaker.slug}`],
    ['tags', '/tag'],
    ['tag', `/tag/${tag.id}/${tag.slug}`],
    ['tags of a letter', `/tag?letter=${tag.slug.charAt(0)}`],
    ['languages', '/language'],
    ['language', '/language/en'],
    ['list', `/list?ids=${second?.id},${first?.id}`],
    ['list with a talk that is not there', `/list?ids=${first?.id},987654321`],
    ['list of the visitor', '/list'],
    ['list that is none', '/list?ids=1,x', 400],
    ['statistics', '/stats'],
    ['about', '/about'],
    ['talk with a file', `/video/${first?.id}/${first?.slug}`],
    ['talk with chapters', `/video/${(chaptered ?? first)?.id}/${(chaptered ?? first)?.slug}`],
    ['part of a longer recording', `/video/${(part ?? first)?.id}/${(part ?? first)?.slug}`],
    ['talk with a start time', `/video/${second?.id}/${second?.slug}?t=5`],
    ['talk at a host', `/video/${(hosted ?? first)?.id}/${(hosted ?? first)?.slug}`],
    ['player for other sites', `/embed/${first?.id}`],
    ['withdrawn talk', `/video/${gone}/gone`, 410],
    ['withdrawn talk for other sites', `/embed/${gone}`, 410],
    ['unknown talk', '/video/987654321/tides-and-caching', 404],
    ['unknown event', '/category/no-such-event', 404],
    ['unknown address', '/no/such/page', 404],
  ]
  return pages.map(([name, path, status = 200]) => ({ name, path, status }))
}

/** The machine formats, each with the content type that it must have. */
export async function listMachineFormats(server: Server): Promise<readonly (readonly [string, string])[]> {
  const [category] = (await read(server, 'category?page_size=1')).results
  const [talk] = (await read(server, 'video?page_size=1&has=mp4')).results
  const speaker = toMostUsed((await read(server, 'speaker?page_size=100')).results)
  const tag = toMostUsed((await read(server, 'tag?page_size=100')).results)
  const subjects = [
    '',
    `/category/${category?.slug}`,
    `/speaker/${speaker.id}/${speaker.slug}`,
    `/tag/${tag.id}/${tag.slug}`,
  ]
  return [
    ...subjects.map((subject) => [`${subject}/feed.atom`, 'application/atom+xml; charset=utf-8'] as const),
    ...subjects.map((subject) => [`${subject}/feed.rss?format=mp4`, 'application/rss+xml; charset=utf-8'] as const),
    [`/category/${category?.slug}/changes.atom`, 'application/atom+xml; charset=utf-8'],
    ['/search.atom?q=the', 'application/atom+xml; charset=utf-8'],
    ['/search.rss?q=the', 'application/rss+xml; charset=utf-8'],
    [`/list.atom?ids=${talk?.id}`, 'application/atom+xml; charset=utf-8'],
    [`/list.rss?ids=${talk?.id}`, 'application/rss+xml; charset=utf-8'],
    [`/video/${talk?.id}/chapters.vtt`, 'text/vtt; charset=utf-8'],
    [`/video/${talk?.id}.md`, 'text/markdown; charset=utf-8'],
    [`/video/${talk?.id}.txt`, 'text/plain; charset=utf-8'],
    [`/video/${talk?.id}/chapters.json`, 'application/json+chapters'],
    ['/sitemap.xml', 'application/xml; charset=utf-8'],
    ['/robots.txt', 'text/plain; charset=utf-8'],
    ['/opensearch.xml', 'application/opensearchdescription+xml; charset=utf-8'],
    [`/oembed?url=${encodeURIComponent(`${server.url}/video/${talk?.id}`)}`, 'application/json'],
    [`/oembed?format=xml&url=${encodeURIComponent(`${server.url}/video/${talk?.id}`)}`, 'text/xml; charset=utf-8'],
    ['/favicon.ico', 'image/vnd.microsoft.icon'],
    ['/podcast.png', 'image/png'],
    ['/dump/videos.ndjson.gz', 'application/gzip'],
  ]
}

function toMostUsed(entries: readonly Entry[]): Entry {
  const [most] = entries.toSorted((a, b) => b.count - a.count)
  if (most === undefined) throw new Error('The store has no names')
  return most
}

async function read(server: Server, path: string): Promise<Listed> {
  const answer = await fetch(`${server.url}/api/v2/${path}`)
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
  // The shape of every list of the API.
  return (await answer.json()) as Listed
}

async function withdrawOne(server: Server): Promise<number> {
  const { results } = await read(server, 'video?page_size=1&ordering=-added')
  const id = results[0]?.id ?? 0
  const answer = await fetch(`${server.url}/api/v2/video/${id}`, {
    method: 'PATCH',
    headers: { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ state: 2 }),
  })
  if (answer.status !== 200) throw new Error(`Withdrawing ${id} answered ${answer.status}`)
  return id
}
