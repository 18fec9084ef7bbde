import type { CompanionName } from '../record/companion/kinds.ts'
import type { EntryKind } from '../record/name.ts'
import type { PageRef } from '../store/site-reads.ts'

type ParameterValue = string | number | null | undefined
/** A list becomes a repeated parameter. */
export type UrlParameters = { readonly [name: string]: ParameterValue | readonly (string | number)[] }

/** The paths of all pages, below the path prefix of the site. */
export type Urls = ReturnType<typeof createUrls>

export function createUrls(prefix: string) {
  const toNamed = (kind: 'video' | 'speaker' | 'tag') => (name: PageRef) => `${prefix}/${kind}/${name.id}/${name.slug}`
  return {
    /** Any path of the site. */
    path: (path: string) => `${prefix}${path}`,
    home: `${prefix}/`,
    search: (parameters: UrlParameters = {}) => withParameters(`${prefix}/search`, parameters),
    /** The search box with these filters, ready for typing. */
    searchIn: (parameters: UrlParameters) => `${withParameters(`${prefix}/search`, parameters)}#q`,
    /** Talks in which words are said. */
    moments: (parameters: UrlParameters) => withParameters(`${prefix}/moments`, parameters),
    completions: `${prefix}/search/suggest`,
    video: toNamed('video'),
    /** The record as Markdown. */
    markdown: (id: number) => `${prefix}/video/${id}.md`,
    chapters: (id: number, format: 'vtt' | 'json') => `${prefix}/video/${id}/chapters.${format}`,
    embed: (id: number) => `${prefix}/embed/${id}`,
    oEmbed: (parameters: UrlParameters) => withParameters(`${prefix}/oembed`, parameters),
    edit: (id: number, parameters: UrlParameters = {}) => withParameters(`${prefix}/edit/video/${id}`, parameters),
    editHome: `${prefix}/edit`,
    companion: (id: number, name: CompanionName, parameters: UrlParameters = {}) =>
      withParameters(`${prefix}/edit/video/${id}/${name}`, parameters),
    transcripts: (id: number, parameters: UrlParameters = {}) =>
      withParameters(`${prefix}/edit/video/${id}/transcripts`, parameters),
    history: (id: number, parameters: UrlParameters = {}) =>
      withParameters(`${prefix}/edit/video/${id}/history`, parameters),
    /** A version, to restore it. */
    version: (id: number, number: number, parameters: UrlParameters = {}) =>
      withParameters(`${prefix}/edit/video/${id}/history/${number}`, parameters),
    compare: (id: number, parameters: UrlParameters) =>
      withParameters(`${prefix}/edit/video/${id}/compare`, parameters),
    newTalk: (parameters: UrlParameters = {}) => withParameters(`${prefix}/edit/new`, parameters),
    workList: (parameters: UrlParameters = {}) => withParameters(`${prefix}/edit/list`, parameters),
    workListCsv: (parameters: UrlParameters = {}) => withParameters(`${prefix}/edit/list.csv`, parameters),
    duplicates: (parameters: UrlParameters = {}) => withParameters(`${prefix}/edit/duplicates`, parameters),
    links: (parameters: UrlParameters = {}) => withParameters(`${prefix}/edit/links`, parameters),
    eventFindings: (parameters: UrlParameters = {}) => withParameters(`${prefix}/edit/findings`, parameters),
    table: (parameters: UrlParameters = {}) => withParameters(`${prefix}/edit/table`, parameters),
    acceptFindings: `${prefix}/edit/findings`,
    hideFindings: `${prefix}/edit/findings/hidden`,
    park: `${prefix}/edit/park`,
    publishAt: (id: number) => `${prefix}/edit/video/${id}/publish-at`,
    bulk: (parameters: UrlParameters = {}) => withParameters(`${prefix}/edit/bulk`, parameters),
    editNames: (kind: EntryKind, parameters: UrlParameters = {}) =>
      withParameters(`${prefix}/edit/names/${kind}`, parameters),
    namesCsv: (kind: EntryKind) => `${prefix}/edit/names/${kind}.csv`,
    /** `key` is the slug of a category, and the id of anything else. */
    editName: (kind: EntryKind, key: string | number, parameters: UrlParameters = {}) =>
      withParameters(`${prefix}/edit/names/${kind}/${encodeURIComponent(key)}`, parameters),
    newCategory: `${prefix}/edit/new-category`,
    variants: (kind: EntryKind, parameters: UrlParameters = {}) =>
      withParameters(`${prefix}/edit/variants/${kind}`, parameters),
    batches: (parameters: UrlParameters = {}) => withParameters(`${prefix}/edit/batches`, parameters),
    batch: (id: number, parameters: UrlParameters = {}) => withParameters(`${prefix}/edit/batches/${id}`, parameters),
    changes: (parameters: UrlParameters = {}) => withParameters(`${prefix}/edit/changes`, parameters),
    /** The stored record as viewers would see it. */
    preview: (id: number, parameters: UrlParameters = {}) =>
      withParameters(`${prefix}/edit/video/${id}/preview`, parameters),
    /** Renders a posted form; null for the form of a new talk. */
    previewForm: (id: number | null) => (id === null ? `${prefix}/edit/preview` : `${prefix}/edit/preview/${id}`),
    keys: `${prefix}/edit/keys`,
    /** Answers `?q=` with names, for pickers. */
    pick: (kind: EntryKind | 'language') => `${prefix}/edit/pick/${kind}`,
    /** `next` is where to go afterwards. */
    signIn: (next: string | null = null) => withParameters(`${prefix}/edit/sign-in`, { next }),
    signOut: `${prefix}/edit/sign-out`,
    sessions: `${prefix}/edit/sessions`,
    categories: `${prefix}/category`,
    category: (slug: string) => `${prefix}/category/${encodeURIComponent(slug)}`,
    /** The public feed of an event's changes. */
    changesFeed: (slug: string) => `${prefix}/category/${encodeURIComponent(slug)}/changes.atom`,
    speakers: `${prefix}/speaker`,
    speaker: toNamed('speaker'),
    tags: `${prefix}/tag`,
    tag: toNamed('tag'),
    languages: `${prefix}/language`,
    language: (code: string) => `${prefix}/language/${code}`,
    /** A list of these talks; without ids, that of the visitor. */
    list: (ids: readonly number[] = []) => `${prefix}/list${ids.length === 0 ? '' : `?ids=${ids.join(',')}`}`,
    stats: `${prefix}/stats`,
    about: `${prefix}/about`,
    api: (path: string, parameters: UrlParameters = {}) => withParameters(`${prefix}/api/v2/${path}`, parameters),
    asset: (name: string) => `${prefix}/assets/${name}`,
  }
}

/** Leaves out parameters without a value. */
export function withParameters(path: string, parameters: UrlParameters): string {
  let query = ''
  for (const [name, value] of Object.entries(parameters)) {
    for (const item of toValues(value)) query += `${query === '' ? '?' : '&'}${name}=${encode(String(item))}`
  }
  return path + query
}

/** Encodes like URLSearchParams, in two thirds of the time: a search page has hundreds of links. */
function encode(text: string): string {
  // Commas between ids stay readable.
  if (!/[^\w.*-]/.test(text) || !/[^\d,]/.test(text)) return text
  const encoded = encodeURIComponent(text.toWellFormed()).replace(/[!'()~]/g, toPercent)
  return encoded.replaceAll('%20', '+')
}

const toPercent = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`

function toValues(value: UrlParameters[string]): readonly (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number') return value === '' ? [] : [value]
  return value ?? []
}

/** URLs of the pages about one talk. Each keeps the work list in which the talk was opened. */
export interface TalkPages {
  /** The name of the list, as in the URL; null outside a list. */
  readonly list: string | null
  readonly edit: string
  companion(name: CompanionName): string
  readonly preview: string
  history(parameters?: UrlParameters): string
  compare(parameters?: UrlParameters): string
  version(number: number): string
}

export function toTalkPages(urls: Urls, id: number, list: string | null): TalkPages {
  return {
    list,
    edit: urls.edit(id, { list }),
    companion: (name) => urls.companion(id, name, { list }),
    preview: urls.preview(id, { list }),
    history: (parameters = {}) => urls.history(id, { ...parameters, list }),
    compare: (parameters = {}) => urls.compare(id, { ...parameters, list }),
    version: (number) => urls.version(id, number, { list }),
  }
}
