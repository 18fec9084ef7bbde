import { type CodedBody, createCodedBody, respondCoded } from '../http/compression.ts'
import type { BaseUrl } from '../http/host.ts'
import { toPrefix } from '../http/host.ts'
import { Refused } from '../http/problem.ts'
import { type Caching, contentTypes, toHeaders } from '../http/respond.ts'
import type { Call } from '../http/route.ts'
import { parseListQuery } from '../record/query/query.ts'
import { fromBodyText } from '../record/record.ts'
import type { ReadStore } from '../store/store.ts'
import type { Description } from './openapi/openapi-document.ts'

export interface DocsDeps {
  readonly docs: Docs
  readonly baseUrl: BaseUrl
  readonly description: Description
  readonly store: ReadStore
}

/** The files of `/api/docs`, built at the first request. */
interface Docs {
  load(): Promise<DocsAssets>
}

export function createDocs(): Docs {
  let loading: Promise<DocsAssets> | null = null
  return {
    load() {
      loading ??= loadDocsAssets().catch((error) => {
        loading = null
        throw error
      })
      return loading
    },
  }
}

/** The API's description as a page with forms to try it. */
export async function readDocsPage(call: Call, { docs, baseUrl, description, store }: DocsDeps): Promise<Response> {
  const { toPage } = await docs.load()
  const base = baseUrl(call)
  const operations = toOperationLists(JSON.parse(description.read(base).body))
  const page = toPage({ base, operations, id: await findExample(store, call.signal) })
  return respondDocs(call, createCodedBody(page), `"${Bun.hash(page).toString(16)}"`, contentTypes.html, 'revalidate')
}

/** A record that everybody may read, so that examples work as they are; 1 in an empty archive, or if reads fail. */
async function findExample(store: ReadStore, signal: AbortSignal): Promise<number> {
  const parsed = parseListQuery(new URLSearchParams('ordering=id&page_size=1'), 'live')
  const page = parsed.ok ? await store.list(parsed.query, signal) : 'bug'
  const [record] = typeof page === 'string' ? [] : (page.records ?? [])
  return record === undefined ? 1 : fromBodyText(record).id
}

/** The parts of the OpenAPI document that a list of its operations needs. */
interface Described {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: {
    readonly [path: string]: {
      readonly [method: string]: { readonly tags?: readonly string[]; readonly summary?: string } | undefined
    }
  }
}

const listedMethods = ['get', 'post', 'put', 'patch', 'delete']

const isOfRecord = (path: string) => path.startsWith('/api/v2/video')

function toOperationLists({ tags, paths }: Described): string {
  // Records come first.
  const sorted = Object.entries(paths).sort(([one], [other]) => Number(isOfRecord(other)) - Number(isOfRecord(one)))
  const lines = sorted.flatMap(([path, item]) =>
    listedMethods.flatMap((method) => {
      const { tags: [tag] = [], summary = '' } = item[method] ?? {}
      return tag === undefined ? [] : [{ tag, text: `<code>${method.toUpperCase()} ${path}</code> ${summary}` }]
    }),
  )
  return tags
    .map(({ name, description }) => {
      const items = lines.filter(({ tag }) => tag === name).map(({ text }) => `<li>${text}</li>`)
      return `<h2>${name}</h2><p>${description}</p><ul>${items.join('')}</ul>`
    })
    .join('')
}

export async function readDocsFile(call: Call<'file'>, { docs }: DocsDeps): Promise<Response> {
  const file = (await docs.load()).files.get(call.params.file)
  if (file === undefined) throw new Refused({ code: 'no_such_path' })
  return respondDocs(call, file.body, `"${call.params.file}"`, file.type, 'immutable')
}

function respondDocs(call: Call, body: CodedBody, etag: string, type: string, caching: Caching): Response {
  const headers = toHeaders(call.route.headers, type, caching)
  headers.set('ETag', etag)
  return respondCoded(call, headers, body)
}

/** What the page says of the service that it belongs to. */
interface DocsPage {
  /** Its URL, without a slash at the end. */
  readonly base: string
  /** Of a record that examples read. */
  readonly id: number
  /** All operations as HTML, for readers without JavaScript. */
  readonly operations: string
}

interface DocsAssets {
  toPage(page: DocsPage): string
  /** By name; each name has a part of the content's hash, so clients may cache it forever. */
  readonly files: ReadonlyMap<string, DocsFile>
}

interface DocsFile {
  readonly type: string
  readonly body: CodedBody
}

export async function loadDocsAssets(): Promise<DocsAssets> {
  const { readDocsFiles } = await import('./docs-files.ts')
  const { html, css, icon, script } = await readDocsFiles()
  const sources = [
    { name: 'page.css', type: 'text/css; charset=utf-8', content: css },
    { name: 'icon.svg', type: 'image/svg+xml', content: icon },
    { name: 'page.js', type: 'text/javascript; charset=utf-8', content: script },
  ]
  const named = sources.map((source) => ({ ...source, servedAs: toServedName(source.name, source.content) }))
  return {
    files: new Map(named.map(({ servedAs, type, content }) => [servedAs, { type, body: createCodedBody(content) }])),
    toPage({ base, id, operations }) {
      const root = Bun.escapeHTML(toPrefix(base))
      const assets = named.map(({ name, servedAs }) => [name, `${root}/api/docs/${servedAs}`] as const)
      const values = new Map([
        ...assets,
        ['root', root],
        ['base', Bun.escapeHTML(base)],
        ['id', String(id)],
        ['operations', operations],
      ])
      return html.replace(/\{([\w.]{1,40})\}/g, (found, name: string) => values.get(name) ?? found)
    },
  }
}

/** The path prefix of the base URL, if a proxy adds one. */
/** `page.js` -> `page-1a2b3c4d.js` */
function toServedName(name: string, content: string): string {
  return name.replace('.', `-${Bun.hash(content).toString(16).padStart(16, '0').slice(0, 8)}.`)
}
