import type { PageAddress } from '../store/site-reads.ts'

type ParameterValue = string | number | null | undefined
/** A list is a parameter that is repeated. */
export type Parameters = { readonly [name: string]: ParameterValue | readonly (string | number)[] }

/** The paths of all pages, below the path prefix of the site. */
export type Addresses = ReturnType<typeof createAddresses>

export function createAddresses(prefix: string) {
  const toNamed = (kind: 'video' | 'speaker' | 'tag') => (name: PageAddress) =>
    `${prefix}/${kind}/${name.id}/${name.slug}`
  return {
    /** Any path of ours. */
    path: (path: string) => `${prefix}${path}`,
    home: `${prefix}/`,
    search: (parameters: Parameters = {}) => withParameters(`${prefix}/search`, parameters),
    suggest: `${prefix}/search/suggest`,
    video: toNamed('video'),
    embed: (id: number) => `${prefix}/embed/${id}`,
    oEmbed: (parameters: Parameters) => withParameters(`${prefix}/oembed`, parameters),
    edit: (id: number) => `${prefix}/edit/video/${id}`,
    categories: `${prefix}/category`,
    category: (slug: string) => `${prefix}/category/${encodeURIComponent(slug)}`,
    speakers: `${prefix}/speaker`,
    speaker: toNamed('speaker'),
    tags: `${prefix}/tag`,
    tag: toNamed('tag'),
    language: (code: string) => `${prefix}/language/${code}`,
    stats: `${prefix}/stats`,
    about: `${prefix}/about`,
    api: (path: string, parameters: Parameters = {}) => withParameters(`${prefix}/api/v2/${path}`, parameters),
    asset: (name: string) => `${prefix}/assets/${name}`,
  }
}

/** Leaves out parameters without a value. */
export function withParameters(path: string, parameters: Parameters): string {
  let query = ''
  for (const [name, value] of Object.entries(parameters)) {
    for (const each of toValues(value)) query += `${query === '' ? '?' : '&'}${name}=${encode(String(each))}`
  }
  return path + query
}

/** As URLSearchParams does, in two thirds of the time: a search page has hundreds of links. */
function encode(text: string): string {
  if (!/[^\w.*-]/.test(text)) return text
  const encoded = encodeURIComponent(text.toWellFormed()).replace(/[!'()~]/g, toPercent)
  return encoded.replaceAll('%20', '+')
}

const toPercent = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`

function toValues(value: Parameters[string]): readonly (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number') return value === '' ? [] : [value]
  return value ?? []
}

/** The path of a base URL, without a slash at the end. */
export function toPrefix(base: string): string {
  return new URL(base).pathname.replace(/\/$/, '')
}
