import { Database } from 'bun:sqlite'

/** The smallest program that sends the same response from a store: one read by id, one `Response`. */
const db = new Database(process.argv[2] ?? '', { readonly: true, strict: true })
db.run('PRAGMA mmap_size = 2147418112')
db.run('PRAGMA cache_size = -8192')
const read = db.query<Row, [number]>('SELECT mark, updated, body FROM record WHERE id = ?')

interface Row {
  readonly mark: string
  readonly updated: string
  readonly body: Uint8Array<ArrayBuffer>
}

const base = new Headers({
  Vary: 'Accept',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'ETag, Allow, Accept-Patch, Content-Location, Preference-Applied, Retry-After, Ignored-Parameters',
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'public, max-age=0, must-revalidate',
  Allow: 'GET, PUT, PATCH, HEAD, OPTIONS',
})

function toHeaders({ mark, updated }: Row): Headers {
  const headers = new Headers(base)
  headers.set('ETag', `"${mark}.html"`)
  headers.set('Last-Modified', new Date(`${updated}Z`).toUTCString())
  return headers
}

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  development: false,
  routes: {
    '/api/v2/video/:id': {
      GET({ params }) {
        const row = read.get(Number(params.id))
        return row === null ? new Response(null, { status: 404 }) : new Response(row.body, { headers: toHeaders(row) })
      },
    },
  },
  fetch: () => new Response(null, { status: 404 }),
})
console.log(`http://127.0.0.1:${server.port}`)
