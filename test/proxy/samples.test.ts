import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sample } from '../harness/runs.ts'
import { findFreePort, readPackaged, startCaddy, startNginx } from './proxies.ts'

// The samples of packaging/proxy in front of servers that misbehave as told. Runs of real nodes are in rolling-restart.test.ts.

setDefaultTimeout(120_000)

/** A node that answers by the path, and counts what it received. */
interface Stub {
  readonly port: number
  readonly received: string[]
  stop(): void
}

async function startStub(isDropping: boolean): Promise<Stub> {
  const received: string[] = []
  const server = createServer((request, response) => {
    const { method = '', url = '' } = request
    if (url !== '/readyz') received.push(`${method} ${url}`)
    request.resume().on('end', () => answer(url, response))
  })
  const answer = (url: string, response: ServerResponse) => {
    if (url.startsWith('/drop') && isDropping) return void response.destroy()
    response.statusCode = url === '/slow' ? 503 : 200
    if (url.endsWith('/stream')) response.write('data: first\n\n')
    else response.end('served')
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { port, received, stop }
}

type Sample = { readonly url: string; readonly ca?: string; stop(): Promise<void> }

const proxies: Readonly<Record<string, (ports: readonly number[]) => Promise<Sample>>> = {
  nginx: async (ports) => {
    const text = readPackaged('nginx-several-nodes.conf', ports)
    const { port, ca, stop } = await startNginx(text, findFreePort(), 'talks.example.org')
    return { url: `https://localhost:${port}`, ca, stop }
  },
  Caddy: async (ports) => {
    const { port, stop } = await startCaddy(readPackaged('Caddyfile-several-nodes', ports), findFreePort())
    return { url: `http://127.0.0.1:${port}`, stop }
  },
}

describe.each(sample(Object.entries(proxies)))('The sample for %s', (_, start) => {
  let stubs: readonly Stub[] = []
  let proxy: Sample
  const ask = (path: string, init: BunFetchRequestInit = {}) =>
    fetch(`${proxy.url}${path}`, { ...init, ...(proxy.ca === undefined ? {} : { tls: { ca: proxy.ca } }) })
  const askMany = (count: number, path: string, init: BunFetchRequestInit = {}) =>
    Promise.all(Array.from({ length: count }, async () => (await ask(path, init)).status))
  const count = (line: string) => stubs.flatMap(({ received }) => received).filter((each) => each === line).length

  beforeAll(async () => {
    stubs = await Promise.all([startStub(false), startStub(true)])
    proxy = await start(stubs.map(({ port }) => port))
  })
  afterAll(async () => {
    await proxy?.stop()
    for (const stub of stubs) stub.stop()
  })

  test('uses every node, and passes a 503 on without taking a node out of service', async () => {
    expect(new Set(await askMany(40, '/slow'))).toEqual(new Set([503]))
    expect(new Set(await askMany(40, '/page'))).toEqual(new Set([200]))
    expect(stubs.filter(({ received }) => !received.includes('GET /page'))).toEqual([])
    expect(count('GET /slow')).toBe(40)
  })

  test('keeps the metrics from the public', async () => {
    expect((await ask('/metrics')).status).toBe(403)
    expect((await ask('/metrics/')).status).toBe(403)
    expect(count('GET /metrics')).toBe(0)
  })

  test('passes an event on before the stream goes on', async () => {
    const answer = await ask('/api/v2/changes/stream')
    const reader = answer.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: first\n\n')
    await reader?.cancel()
  })

  test('asks another node for a read that the first one lost, and never repeats a write', async () => {
    expect(new Set(await askMany(10, '/drop'))).toEqual(new Set([200]))
    for (const method of ['PATCH', 'POST']) {
      const statuses = await askMany(10, '/drop', { method, body: '{}' })
      expect(statuses.filter((status) => status !== 200 && status !== 502)).toEqual([])
      expect(count(`${method} /drop`)).toBeLessThanOrEqual(10)
    }
  })
})
