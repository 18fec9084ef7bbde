import type { Action, Call, Route } from '../../http/call.ts'
import { isKnown } from '../../http/conditional.ts'
import type { BaseUrl } from '../base-url.ts'
import { readAllow } from '../path-headers.ts'
import { toReadRoute } from '../read-route.ts'
import type { DocsAssets } from './docs-assets.ts'

/** Nothing but our own files, no inline script or style, and no frame around it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const docsHeaders = new Headers({
  Allow: readAllow,
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
  'Referrer-Policy': 'no-referrer',
})

/** `/api/docs`: the description as a page, with forms to try it; its files are made when the first reader comes. */
export function createDocsRoutes({ baseUrl }: { readonly baseUrl: BaseUrl }): Route[] {
  let loading: Promise<DocsAssets> | null = null
  const load = () => {
    loading ??= import('./docs-assets.ts')
      .then((assets) => assets.loadDocsAssets())
      .catch((error) => {
        loading = null
        throw error
      })
    return loading
  }

  async function showPage(call: Call): Promise<Response> {
    const { toPage } = await load()
    return toResponse(call, toPage(toPathPrefix(baseUrl(call))), 'text/html; charset=utf-8', revalidated)
  }

  async function showFile(call: Call) {
    const file = (await load()).files.get(call.parameter)
    return file === undefined
      ? ({ code: 'no_such_path' } as const)
      : toResponse(call, file.content, file.type, 'public, max-age=31536000, immutable')
  }

  return [toRoute('/api/docs', showPage), toRoute('/api/docs/:file', showFile)]
}

const revalidated = 'public, max-age=0, must-revalidate'

function toRoute(path: string, run: Action['run']): Route {
  const options: Action = { role: null, run: () => new Response(null, { headers: docsHeaders }) }
  return toReadRoute({ name: 'other', path, headers: docsHeaders, negotiates: false }, { role: null, run }, options)
}

function toResponse(call: Call, content: string, type: string, cacheControl: string): Response {
  const tag = `"${Bun.hash(content).toString(16)}"`
  const headers = new Headers(docsHeaders)
  headers.set('Content-Type', type)
  headers.set('ETag', tag)
  headers.set('Cache-Control', cacheControl)
  return isKnown(call.head, tag) ? new Response(null, { status: 304, headers }) : new Response(content, { headers })
}

/** Behind a proxy that serves us below a path, that path; else nothing. */
function toPathPrefix(base: string): string {
  return new URL(base).pathname.replace(/\/$/, '')
}
