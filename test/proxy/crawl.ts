import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5'

export interface Visit {
  readonly url: string
  readonly status: number
  readonly type: string
  /** What it links to, loads, sends forms to or redirects to: absolute URLs without fragments. */
  readonly links: readonly string[]
  readonly body: string
}

interface Crawl {
  readonly start: readonly string[]
  /** Whether a URL is to be visited. */
  isWanted(url: string): boolean
  /** The kind of a URL; only some of each kind are visited. */
  toKind(url: string): string
  readonly maxPerKind: number
  fetch(url: string): Promise<Response>
}

const maxVisits = 1_500

/** Visits pages breadth first, by everything that they link to. */
export async function crawl({ start, isWanted, toKind, maxPerKind, fetch }: Crawl): Promise<readonly Visit[]> {
  const visits: Visit[] = []
  const seen = new Set<string>()
  const kinds = new Map<string, number>()
  const waiting = [...start]
  for (let url = waiting.shift(); url !== undefined && visits.length < maxVisits; url = waiting.shift()) {
    const count = kinds.get(toKind(url)) ?? 0
    if (seen.has(url) || !isWanted(url) || count >= maxPerKind) continue
    seen.add(url)
    kinds.set(toKind(url), count + 1)
    const visit = await look(url, await fetch(url))
    visits.push(visit)
    waiting.push(...visit.links)
  }
  return visits
}

async function look(url: string, response: Response): Promise<Visit> {
  const type = response.headers.get('Content-Type') ?? ''
  const isText = /^text\/|json|xml/.test(type)
  const body = isText ? await response.text() : ''
  if (!isText) await response.arrayBuffer()
  const found = [
    ...(response.headers.get('Location') === null ? [] : [response.headers.get('Location') ?? '']),
    ...[...(response.headers.get('Link') ?? '').matchAll(/<([^>]+)>/g)].map(([, target = '']) => target),
    ...(type.startsWith('text/html') && !isJson(body) ? listLinks(parse(body)) : []),
    ...(type.startsWith('text/css') ? [...body.matchAll(/url\(["']?([^"')]+)/g)].map(([, target = '']) => target) : []),
    ...[...decode(body).matchAll(/https?:\/\/(?:localhost|127\.0\.0\.1)[^\s"'<>\\)]*/g)].map(([text]) => text),
  ]
  const links = found.flatMap((target) => toAbsolute(target, url) ?? [])
  return { url, status: response.status, type, links: [...new Set(links)], body }
}

/** Records are sent as text/html, too. */
const isJson = (body: string) => body.startsWith('{')

/** Addresses also stand in text: in snippets to copy, JSON-LD, feeds. */
const decode = (text: string) => text.replace(/&(amp|lt|gt|quot|#39|#x27);/g, (_, name) => characters[name] ?? '')
const characters: { readonly [name: string]: string } = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
}

function toAbsolute(target: string, from: string): string | null {
  const url = URL.parse(target, from)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  url.hash = ''
  return url.href
}

const attributes = ['href', 'src', 'action', 'formaction', 'poster', 'data', 'cite']

/** The values of all attributes that hold a URL, decoded. */
function listLinks(node: Tree.Node): readonly string[] {
  const own = 'attrs' in node ? node.attrs : []
  const links = own.flatMap(({ name, value }) => {
    if (name === 'srcset') return value.split(',').map((entry) => entry.trim().split(/\s/)[0] ?? '')
    // What the script of the search box asks for.
    if (name === 'data-suggest') return [`${value}?q=a`]
    if (name === 'data-key') return []
    return attributes.includes(name) || (name.startsWith('data-') && value.startsWith('/')) ? [value] : []
  })
  const children = 'childNodes' in node ? node.childNodes : []
  return [...links, ...children.flatMap((child) => listLinks(child))]
}
