import { resolve } from 'node:path'

const clip = resolve(import.meta.dir, '../../src/site/asset/sample/dusk.webm')

/** Serves a clip of 20 seconds by ranges, from another origin than the site, and records what was asked for. */
export async function startMediaServer() {
  const bytes = await Bun.file(clip).bytes()
  const requests: string[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const range = request.headers.get('Range')
      requests.push(`${new URL(request.url).pathname} ${range ?? 'whole'}`)
      const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
      const end = to === '' ? bytes.length - 1 : Math.min(Number(to), bytes.length - 1)
      const headers = { 'Content-Type': 'video/webm', 'Accept-Ranges': 'bytes' }
      if (range === null) return new Response(bytes, { headers })
      return new Response(bytes.slice(Number(from), end + 1), {
        status: 206,
        headers: { ...headers, 'Content-Range': `bytes ${from}-${end}/${bytes.length}` },
      })
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, requests, stop: () => server.stop(true) }
}
