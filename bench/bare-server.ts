import { exchange, hotGet } from './harness/exchange.ts'

/**
 * The fastest `Bun.serve` that answers what Rostrum answers: it asks the Rostrum on the given port once, and then has
 * one string and one `Headers` for everybody.
 */
const answer = await exchange(Number(process.argv[2]), hotGet)
if (answer.status !== 200) throw new Error(`Rostrum answered ${answer.head}`)
const body = answer.body.toString('utf8')
const init = { headers: toHeaders(answer.head) }

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  development: false,
  routes: { '/api/v2/video/:id': { GET: () => new Response(body, init) } },
  fetch: () => new Response(null, { status: 404 }),
})
console.log(`http://127.0.0.1:${server.port}`)

/** All but what Bun itself adds to every answer. */
function toHeaders(head: string): Headers {
  const headers = new Headers()
  for (const line of head.split('\r\n').slice(1)) {
    const [name = '', value = ''] = line.split(/: (.*)/)
    if (!/^(?:date|content-length)$/i.test(name)) headers.append(name, value)
  }
  return headers
}
