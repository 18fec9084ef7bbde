import type { LinkRole } from '../../src/record/link/link.ts'
import { openEngine, withDatabase } from '../../src/store/open.ts'
import { insertLinks, type LinkRow, readLinks } from './link-rows.ts'

/** A server on all loopback addresses, each of which plays a host, and what it was asked. */
export function startHosts(
  answer: (url: URL, headers: Headers) => Response | Promise<Response> = () => new Response('fine'),
) {
  const requests: { readonly host: string; readonly line: string; readonly ms: number }[] = []
  const server = Bun.serve({
    ...{ hostname: '0.0.0.0', port: 0 },
    fetch(request) {
      const url = new URL(request.url)
      const { hostname: host, pathname } = url
      requests.push({ host, line: `${request.method} ${host}${pathname}`, ms: performance.now() })
      return answer(url, request.headers)
    },
  })
  return {
    requests,
    /** `127.0.0.2/x` as a URL of this server. */
    toUrl: (name: string) => `http://${name.replace('/', `:${server.port}/`)}`,
    stop: () => server.stop(true),
  }
}

/** Makes addresses known as those of record 1, in a store that may be served. */
export async function addLinks(db: string, urls: readonly string[], role?: LinkRole): Promise<void> {
  const engine = await openEngine(db)
  await withDatabase(engine, 'write', (writing) => insertLinks(writing, 1, urls, role))
}

export async function readStoredLinks(db: string): Promise<readonly LinkRow[]> {
  return withDatabase(await openEngine(db), 'read', readLinks)
}
