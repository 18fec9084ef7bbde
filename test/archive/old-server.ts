import type { JsonObject } from '../../src/record/json.ts'

/** What an old server does with a page; by default it gives it. */
export type Trick = (url: URL, asked: number, request: Request) => Response | null

export type OldServer = {
  readonly url: string
  /** Every address that it was asked for, without its host. */
  readonly asked: readonly string[]
  stop(): void
}

/** A server that has records in pages, wants slashes at the end of paths, and answers 404 past the last page. */
export function startOldServer(records: readonly JsonObject[], pageSize: number, trick: Trick = () => null): OldServer {
  const asked: string[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const url = new URL(request.url)
      asked.push(`${url.pathname}${url.search}`)
      return trick(url, asked.length, request) ?? answer(url)
    },
  })
  const base = `http://127.0.0.1:${server.port}`

  function answer(url: URL): Response {
    if (url.pathname !== '/api/v2/video/') return new Response('Not found', { status: 404 })
    const page = Number(url.searchParams.get('page') ?? 1)
    const results = records.slice((page - 1) * pageSize, page * pageSize)
    if (results.length === 0) return new Response('Not found', { status: 404 })
    const isLast = page * pageSize >= records.length
    // It does not know its own name from outside.
    const next = isLast ? null : `http://old.example.org/api/v2/video/?page=${page + 1}`
    return toAnswer({ count: records.length, next, previous: null, results: [...results] })
  }

  return { url: base, asked, stop: () => void server.stop(true) }
}

export function toAnswer(value: JsonObject): Response {
  return new Response(JSON.stringify(value), { headers: { 'Content-Type': 'application/json' } })
}

export function toOldRecords(count: number): readonly JsonObject[] {
  return Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    title: `Old ${i + 1}`,
    category: 'Old days',
    language: 'English',
    state: 1,
    slug: `old-${i + 1}`,
    added: '2011-01-01T00:00:00.000',
    updated: '2011-01-01T00:00:00.000',
    thumbnail_url: null,
    source_url: `https://www.youtube.com/watch?v=old${String(i + 1).padStart(8, '0')}`,
  }))
}
