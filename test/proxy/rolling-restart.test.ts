import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { createDatabase } from '../harness/fresh-store.ts'
import { createCluster } from '../harness/postgres.ts'
import { isLong, longTest } from '../harness/runs.ts'
import { adminKey, createFolder, removeFolder, type Server, startServer } from '../harness/server.ts'
import { findFreePort, type Nginx, type RunningProxy, readPackaged, startCaddy, startNginx } from './proxies.ts'

// Runner: long, slow

setDefaultTimeout(600_000)

const nodesCount = isLong ? 3 : 2
const rounds = isLong ? 3 : 1
const clientsPerKind = isLong ? 4 : 1

const headers = { Authorization: `Token ${adminKey}`, 'Content-Type': 'application/json' }

/** Clients that ask for pages, lists and records, and write, until they are stopped; what failed, and how much was asked. */
function startLoad(url: string, ca?: string) {
  const failures: string[] = []
  let answered = 0
  let isOver = false
  const ask = async (path: string, init: BunFetchRequestInit = {}) => {
    const tls = ca === undefined ? {} : { tls: { ca } }
    const answer = await fetch(`${url}${path}`, { ...init, ...tls }).catch((error: Error) => error)
    const status = answer instanceof Error ? answer.message : String(answer.status)
    if (!(answer instanceof Error)) await answer.arrayBuffer()
    if (status === '200') answered += 1
    else failures.push(`${init.method ?? 'GET'} ${path}: ${status}`)
  }
  const repeat = async (step: (number: number) => Promise<void>) => {
    for (let number = 1; !isOver; number++) await step(number)
  }
  const write = (id: number) => (number: number) =>
    ask(`/api/v2/video/${id}`, { method: 'PATCH', headers, body: JSON.stringify({ whiteboard: String(number) }) })
  const clients = Array.from({ length: clientsPerKind }, (_, client) => [
    repeat(() => ask('/')),
    repeat(() => ask('/api/v2/video?page_size=5')),
    repeat(() => ask(`/api/v2/video/${client + 1}`)),
    repeat(write(client + 1)),
  ]).flat()
  return {
    answered: () => answered,
    async stop() {
      isOver = true
      await Promise.all(clients)
      return failures
    },
  }
}

/** Waits until clients got this many answers more: what the test does next happens under load. */
type Load = ReturnType<typeof startLoad>

async function waitForAnswers(load: Load, more: number): Promise<void> {
  const wanted = load.answered() + more
  while (load.answered() < wanted) await Bun.sleep(5)
}

const start = (db: string, port: number) =>
  startServer({ db, args: ['--threads', '1', '--port', String(port), '--sample', '--trusted-proxy', '127.0.0.1'] })

test(`${nodesCount} nodes behind nginx restart one after the other, and no request fails`, async () => {
  const cluster = await createCluster({ fsync: false })
  const servers: Server[] = []
  let nginx: Nginx | undefined
  try {
    await cluster.start()
    const { db } = await createDatabase(cluster.toUrl('postgres'))
    const ports = Array.from({ length: nodesCount }, findFreePort)
    for (const port of ports) servers.push(await start(db, port))
    nginx = await startNginx(readPackaged('nginx-several-nodes.conf', ports), findFreePort(), 'talks.example.org')
    const load = startLoad(`https://localhost:${nginx.port}`, nginx.ca)
    for (let turn = 0; turn < rounds * nodesCount; turn++) await restart(servers, turn % nodesCount, load)
    expect(await load.stop()).toEqual([])
  } finally {
    await nginx?.stop()
    await Promise.all(servers.map((server) => server.kill9()))
    await cluster.remove()
  }
})

longTest('one node behind Caddy restarts, and pages, lists and records wait for it', async () => {
  const folder = createFolder()
  const servers = [await start(join(folder, 'talks.db'), findFreePort())]
  let caddy: RunningProxy | undefined
  try {
    caddy = await startCaddy(readPackaged('Caddyfile', toPorts(servers)), findFreePort())
    const load = startLoad(`http://127.0.0.1:${caddy.port}`)
    for (let turn = 0; turn < rounds; turn++) await restart(servers, 0, load)
    // Caddy 2.6 cannot send a body twice: a write that found no node is a 502, which says that it was not stored.
    expect((await load.stop()).filter((failure) => !/^PATCH .* 502$/.test(failure))).toEqual([])
  } finally {
    await caddy?.stop()
    await Promise.all(servers.map((server) => server.kill9()))
    removeFolder(folder)
  }
})

const toPorts = (servers: readonly Server[]) => servers.map(({ port }) => port)

async function restart(servers: Server[], index: number, load: Load): Promise<void> {
  const server = servers[index]
  if (server === undefined) throw new Error(`There is no node ${index}`)
  await waitForAnswers(load, answersBetween)
  expect(await server.stop()).toBe(0)
  servers[index] = await start(server.db, server.port)
  await waitForAnswers(load, answersBetween)
}

/** Several for each client. */
const answersBetween = 40 * clientsPerKind
