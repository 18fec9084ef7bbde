import { isKnown } from '../../http/conditional.ts'
import type { BaseUrl } from '../../http/host.ts'
import { Refused } from '../../http/problem.ts'
import { type Caching, contentTypes, toHeaders } from '../../http/respond.ts'
import type { Call } from '../../http/route.ts'
import type { DocsAssets } from './docs-assets.ts'

export interface DocsDeps {
  readonly docs: Docs
  readonly baseUrl: BaseUrl
}

/** The files of `/api/docs`, built at the first request. */
export interface Docs {
  load(): Promise<DocsAssets>
}

export function createDocs(): Docs {
  let loading: Promise<DocsAssets> | null = null
  return {
    load() {
      loading ??= import('./docs-assets.ts')
        .then((assets) => assets.loadDocsAssets())
        .catch((error) => {
          loading = null
          throw error
        })
      return loading
    },
  }
}

/** The API's description as a page with forms to try it. */
export async function readDocsPage(call: Call, { docs, baseUrl }: DocsDeps): Promise<Response> {
  const { toPage } = await docs.load()
  return toResponse(call, toPage(toPathPrefix(baseUrl(call))), contentTypes.html, 'revalidate')
}

export async function readDocsFile(call: Call<'file'>, { docs }: DocsDeps): Promise<Response> {
  const file = (await docs.load()).files.get(call.params.file)
  if (file === undefined) throw new Refused({ code: 'no_such_path' })
  return toResponse(call, file.content, file.type, 'immutable')
}

function toResponse(call: Call, content: string, type: string, caching: Caching): Response {
  const etag = `"${Bun.hash(content).toString(16)}"`
  const headers = toHeaders(call.route.headers, type, caching)
  headers.set('ETag', etag)
  return isKnown(call.head, etag) ? new Response(null, { status: 304, headers }) : new Response(content, { headers })
}

/** The path prefix of the base URL, if a proxy adds one. */
function toPathPrefix(base: string): string {
  return new URL(base).pathname.replace(/\/$/, '')
}
