export type Representation = 'html' | 'json'

/** How well a type matches an Accept header: its q, and whether it was named or matched by a wildcard. */
interface Fit {
  readonly q: number
  readonly isNamed: boolean
}

const unfit: Fit = { q: 0, isNamed: false }
const rangePattern = /^([\w!#$%&'*+.^`|~-]+)\/([\w!#$%&'*+.^`|~-]+)$/
const qPattern = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/** Null if neither representation is acceptable; an empty or malformed header counts as absent. */
export function negotiate(accept: string | undefined): Representation | null {
  if (accept === undefined || accept === '*/*' || accept.length > maxAcceptLength) return 'html'
  const known = decided.get(accept)
  if (known !== undefined) return known
  const representation = decide(accept)
  if (decided.size >= maxDecided) decided.clear()
  decided.set(accept, representation)
  return representation
}

/**
 * The type that a client prefers, of equals the first. Null if none is acceptable. An absent or malformed header accepts
 * all, and so does one that accepts HTML, as everywhere in the API.
 */
export function preferType(accept: string | undefined, types: readonly [string, ...string[]]): string | null {
  const ranges = accept === undefined || accept.length > maxAcceptLength ? null : parseAccept(accept)
  if (ranges === null) return types[0]
  const fits = types.map((type) => {
    const [family = '', subtype = ''] = type.split('/')
    const { q, isNamed } = fitOf(ranges, family, subtype)
    return { type, weight: q === 0 ? 0 : q + (isNamed ? 0.0001 : 0) }
  })
  const best = fits.reduce((first, next) => (next.weight > first.weight ? next : first))
  return best.weight > 0 || fitOf(ranges, 'text', 'html').q > 0 ? best.type : null
}

/** Whether a browser opens the path as a page: it names HTML, and no type of a feed as feed readers do. */
export function isForPage(accept = ''): boolean {
  return accept.includes('text/html') && !accept.includes('rss+xml') && !accept.includes('atom+xml')
}

/** Browsers send 150 characters. A longer header counts as malformed: 16 KiB of ranges block a thread for 5 ms. */
const maxAcceptLength = 2_000

/** Cache of results: clients send few different headers. */
const decided = new Map<string, Representation | null>()
const maxDecided = 500

interface Range {
  readonly type: string
  readonly subtype: string
  readonly q: number
}

function decide(accept: string): Representation | null {
  const ranges = parseAccept(accept)
  if (ranges === null) return 'html'
  const html = fitOf(ranges, 'text', 'html')
  const json = fitOf(ranges, 'application', 'json')
  if (html.q === 0 && json.q === 0) return null
  if (html.q !== json.q) return html.q > json.q ? 'html' : 'json'
  return json.isNamed ? 'json' : 'html'
}

function parseAccept(accept: string): readonly Range[] | null {
  const items = splitAtCommas(accept)?.map((item) => item.trim()) ?? []
  const ranges = items.filter((item) => item !== '').map(parseRange)
  return ranges.length === 0 || ranges.includes(null) ? null : ranges.filter((range) => range !== null)
}

/** A comma in quotes is part of a parameter; null for an unclosed quote. One pass, since the input is untrusted. */
function splitAtCommas(text: string): string[] | null {
  const items: string[] = []
  let isQuoted = false
  let from = 0
  for (let offset = 0; offset < text.length; offset++) {
    const mark = text[offset]
    if (isQuoted && mark === '\\') offset++
    else if (mark === '"') isQuoted = !isQuoted
    else if (mark === ',' && !isQuoted) {
      items.push(text.slice(from, offset))
      from = offset + 1
    }
  }
  return isQuoted ? null : [...items, text.slice(from)]
}

function parseRange(item: string): Range | null {
  const [range = '', ...parameters] = item.split(';').map((part) => part.trim())
  const [, type, subtype] = rangePattern.exec(range.toLowerCase()) ?? []
  if (type === undefined || subtype === undefined || (type === '*' && subtype !== '*')) return null
  const q = parameters.find((parameter) => /^q\s*=/i.test(parameter))?.replace(/^q\s*=\s*/i, '') ?? '1'
  return qPattern.test(q) ? { type, subtype, q: Number(q) } : null
}

/** The most specific range wins: the type itself, then its family, then the wildcard. */
function fitOf(ranges: readonly Range[], type: string, subtype: string): Fit {
  const exact = ranges.find((range) => range.type === type && range.subtype === subtype)
  const family = ranges.find((range) => range.type === type && range.subtype === '*')
  const any = ranges.find((range) => range.type === '*')
  const named = exact ?? family
  if (named !== undefined) return { q: named.q, isNamed: true }
  return any === undefined ? unfit : { q: any.q, isNamed: false }
}
