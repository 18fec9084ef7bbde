/**
 * Plays all hosts on loopback in a process of its own, so that it does not disturb what its parent measures. Prints its
 * port; `/stats` of 127.0.0.1 tells how often each host was asked, and the least time between two requests.
 */
const asked = new Map<string, { count: number; lastMs: number; leastMs: number }>()

function count(host: string): void {
  const now = performance.now()
  const before = asked.get(host) ?? { count: 0, lastMs: Number.NEGATIVE_INFINITY, leastMs: Number.MAX_VALUE }
  asked.set(host, { count: before.count + 1, lastMs: now, leastMs: Math.min(before.leastMs, now - before.lastMs) })
}

const server = Bun.serve({
  ...{ hostname: '0.0.0.0', port: 0 },
  fetch({ url }) {
    const { hostname, pathname } = new URL(url)
    if (pathname === '/stats') return Response.json([...asked.values()])
    count(hostname)
    return pathname.startsWith('/moved')
      ? new Response('', { status: 301, headers: { Location: '/new' } })
      : new Response('')
  },
})
process.stdout.write(`${server.port}\n`)
