import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../json.ts'
import {
  accept,
  anyRecord,
  type CompanionKind,
  type CompanionSource,
  findAddress,
  parseEntries,
  parseLinesOf,
  refuse,
  refuseOthers,
  requireAddress,
  requireLine,
  requireOneOf,
  splitLine,
  withSign,
} from './companion.ts'

export const linkKinds = ['slides', 'code', 'paper', 'notes', 'schedule', 'video', 'discussion', 'other'] as const
type LinkKind = (typeof linkKinds)[number]

/** A page about a talk elsewhere. Types, not interfaces, so that they are assignable to JSON. */
export type RelatedLink = { readonly url: string; readonly label?: string; readonly kind: LinkKind }
export type RelatedLinks = { readonly links: readonly RelatedLink[] }

export const maxLinks = 100
const maxLabel = 255
/** The key under which sources have the links of a talk. */
const sourceKey = 'related_urls'

/** The first rule that matches; what a label says comes before what an address says. */
const guesses: readonly (readonly [LinkKind, label: RegExp, address: RegExp])[] = [
  [
    'slides',
    /\b(?:slides?|slide ?deck|deck|presentation|folien|pr[eé]sentation|diapositivas)\b/i,
    /^(?:[\w-]{1,63}\.)?(?:slideshare\.net|speakerdeck\.com|slides\.com|noti\.st|prezi\.com|slid\.es)\/|^docs\.google\.com\/presentation\/|\bslides?\b|\.(?:pptx?|odp|key)$/i,
  ],
  ['video', /\b(?:video|recording|youtube|vimeo)\b/i, /^(?:www\.|m\.)?(?:youtube\.com|youtu\.be|vimeo\.com)\//i],
  ['paper', /\b(?:paper|article|proceedings|arxiv|doi)\b/i, /^(?:dx\.)?(?:arxiv\.org|doi\.org)\//i],
  ['notes', /\b(?:notes?|transcript|etherpad|handout)\b/i, /^(?:hackmd\.io|etherpad\.[\w.]{1,100})\/|\/notes?\b/i],
  [
    'code',
    /\b(?:code|source|repo|repository|github|gitlab|bitbucket|notebooks?)\b/i,
    /^(?:[\w-]{1,63}\.)?(?:github\.com|gitlab\.com|bitbucket\.org|nbviewer\.org|nbviewer\.jupyter\.org|codeberg\.org)\//i,
  ],
  ['schedule', /\b(?:schedule|programme?|agenda|session|conference|conf)\b/i, /\/(?:schedule|programme?)\b/i],
  [
    'discussion',
    /\b(?:discussion|forum|comments|thread|mailing list)\b/i,
    /^(?:www\.|old\.)?reddit\.com\/|^news\.ycombinator\.com\/|^discuss\./i,
  ],
]

/** What a link most likely is. */
export function guessLinkKind(url: string, label: string): LinkKind {
  const named = guesses.find(([, words]) => words.test(label))
  if (named !== undefined) return named[0]
  const [place = ''] = url.replace(/^https?:\/\//i, '').split(/[?#]/)
  return guesses.find(([, , places]) => places.test(place))?.[0] ?? 'other'
}

const toLink = (url: string, label: string, kind: LinkKind | null): RelatedLink => ({
  url,
  ...(label === '' ? {} : { label }),
  kind: kind ?? guessLinkKind(url, label),
})

function parseLink({ url, label, kind, ...others }: JsonObject): RelatedLink {
  refuseOthers(others)
  return toLink(requireAddress(url), requireLine('label', label, maxLabel), requireOneOf('kind', kind, linkKinds))
}

/** Sources have URLs, or objects with a URL and a label. Other entries are not links. */
function findSourceLink(entry: JsonValue): RelatedLink | null {
  const { url, label, kind } = isJsonObject(entry) ? entry : { url: entry, label: null, kind: null }
  const address = findAddress(url)
  if (address === null) return null
  const text = typeof label === 'string' && label.isWellFormed() ? label.replace(/[\s\p{Cc}]+/gu, ' ').trim() : ''
  const known = linkKinds.find((each) => each === kind) ?? null
  return toLink(address, [...text].slice(0, maxLabel).join(''), known)
}

const listSource = (source: CompanionSource | null): readonly JsonValue[] => {
  const given = source?.values[sourceKey]
  return Array.isArray(given) ? given : []
}

/** A link as a source would have it. */
const toEntry = ({ url, label = '', kind }: RelatedLink): JsonObject => ({
  label,
  url,
  ...(kind === guessLinkKind(url, label) ? {} : { kind }),
})

export const related: CompanionKind<RelatedLinks> = {
  label: 'Related links',
  empty: { links: [] },
  parse(body) {
    const parsed = parseEntries(body, { name: 'links', max: maxLinks }, parseLink)
    return parsed.ok ? accept({ links: parsed.content }) : parsed
  },
  fromSource(source) {
    const links = listSource(source).flatMap((entry) => findSourceLink(entry) ?? [])
    return {
      links: links.filter((link, i) => links.findIndex((each) => isSameJson(each, link)) === i).slice(0, maxLinks),
    }
  },
  toSource({ links }, source) {
    const given = listSource(source)
    const entries = links.map((link) => given.find((each) => isSameJson(findSourceLink(each), link)) ?? toEntry(link))
    const others = given.filter((each) => findSourceLink(each) === null)
    return { [sourceKey]: [...entries, ...others] }
  },
  listTraits: ({ links }) => [...new Set(links.map(({ kind }) => kind))],
  listRecords: () => [],
  toLines: ({ links }) => links.map(toLinkLine).join('\n'),
  parseLines: (text) => parseLinesOf('links', text, parseLine),
  entries: { list: 'links', key: 'url', isSorted: false },
  edit: {
    /** `{"add": [{"url", "label"?, "kind"?}], "remove": ["url"]}`. */
    parse({ add = [], remove = [], ...others }) {
      const [foreign] = Object.keys(others)
      if (foreign !== undefined) return refuse('related', [`There is no ${JSON.stringify(foreign)}.`])
      const added = related.parse({ links: add }, anyRecord)
      if (!added.ok) return refuse('related', [...added.errors.values()].flat())
      if (!Array.isArray(remove) || remove.some((url) => typeof url !== 'string'))
        return refuse('related', ['"remove" must be an array of addresses.'])
      return accept({ add: added.content.links, remove })
    },
    apply({ links }, { add, remove }) {
      // As `parse` has made them.
      const [added, removed] = [add as unknown as readonly RelatedLink[], remove as readonly string[]]
      const kept = links.filter(({ url }) => !removed.includes(url))
      const all = [...kept, ...added.filter((link) => !kept.some((each) => each.url === link.url))]
      return all.length > maxLinks ? null : { links: all }
    },
  },
}

/** What a bulk change adds and removes, in words: an added link by its label, if it has one. */
export function toEditedNames(request: JsonValue | undefined): Record<'added' | 'removed', readonly string[]> {
  const { add, remove } = isJsonObject(request) ? request : { add: [], remove: [] }
  const links = Array.isArray(add) ? add.filter(isJsonObject) : []
  const urls = Array.isArray(remove) ? remove : []
  return { added: links.map(({ url, label }) => String(label || url)), removed: urls.map(String) }
}

/** A link as one line of text: the address, the label, a kind in brackets if nobody would guess it from the line. */
function toLinkLine({ url, label = '', kind }: RelatedLink): string {
  const isGuessed = kind === guessLinkKind(url, label) && findKind(label) === null
  return [url, withSign(label), isGuessed ? '' : `[${kind}]`].filter(Boolean).join(' ')
}

/** The kind in brackets at the end of a line. */
const findKind = (line: string) => {
  const [, word] = /(?:^|\s)\[(\w{1,12})\]$/.exec(line) ?? []
  return linkKinds.find((each) => each === word) ?? null
}

function parseLine(line: string): JsonObject {
  const kind = findKind(line)
  const { url, words } = splitLine(kind === null ? line : line.slice(0, line.lastIndexOf('[')))
  return toLink(requireAddress(url), requireLine('label', words, maxLabel), kind)
}
