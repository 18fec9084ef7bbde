import { connect, createServer } from 'node:net'
import { toBytes } from '../harness/raw.ts'

/**
 * A program of another user: `post`, `read` or `proxy`, then the service's port and the user's number, empty for our own.
 * Root starts it and it becomes that user by itself, so that it need not be able to read the checkout.
 */
const [what = '', portText = '', uid = '', id = ''] = process.argv.slice(2)
const service = Number(portText)
const post = { method: 'POST', target: '/api/v2/video', headers: { 'Content-Type': 'application/json' } }
const talk = '{"category":"Other","title":"By another user"}'

if (uid !== '') {
  process.setgid?.(Number(uid))
  process.setuid?.(Number(uid))
}
console.log(JSON.stringify(await act()))
process.exit(0)

async function act() {
  if (what === 'post') return await ask(service)
  if (what === 'proxy') return await ask(await startProxy())
  return await read()
}

async function ask(port: number) {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v2/video`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: talk,
  })
  return { status: answer.status, body: await answer.json() }
}

async function read() {
  const base = `http://127.0.0.1:${service}/api/v2/video`
  const item = await fetch(`${base}/${id}`)
  const list = (await (await fetch(`${base}?id=${id}`)).json()) as { count: number } // the shape of every list
  return { item: item.status, list: list.count }
}

/** As a proxy with its defaults does it: our own address as the Host, and no header that names a proxy. */
async function startProxy(): Promise<number> {
  const proxy = createServer((client) => {
    client.once('data', () => {
      const upstream = connect(service, '127.0.0.1')
      upstream.write(toBytes(service, { ...post, body: talk }))
      upstream.pipe(client)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
