import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync } from 'node:fs'
import { connect } from 'node:net'
import { toGeneratedStore } from '../../bench/generate.ts'
import { createFolder, removeFolder, type Server, startServer } from '../harness/server.ts'

// Runner: long (lists that take seconds)

const makingTimeoutMs = 120_000
const letters = (name: string) => [...'aeio'].map((letter) => `${name}=${letter}`).join('&')
const facets = 'facets=category,speaker,tag,language,year'
/** The most that may be asked; another number each time, so that nothing is remembered. */
const toCostly = (index: number) =>
  `/api/v2/video?${letters('speaker')}&${letters('tag')}&duration_max=${8_000 + index}&ordering=duration&${facets}`

let folder = ''
beforeAll(async () => {
  folder = createFolder()
  await toGeneratedStore(20_000, () => undefined)
}, makingTimeoutMs)
afterAll(() => removeFolder(folder))

async function withServer(args: readonly string[], use: (server: Server) => Promise<void>): Promise<void> {
  const db = `${folder}/${crypto.randomUUID()}.db`
  copyFileSync(await toGeneratedStore(20_000, () => undefined), db)
  const server = await startServer({ db, args: ['--threads', '1', ...args] })
  try {
    await use(server)
  } finally {
    if (server.process.exitCode === null) await server.kill9()
  }
}

/** Asks, and is gone without the answer. */
async function abandon(port: number, paths: readonly string[]): Promise<void> {
  const sockets = await Promise.all(
    paths.map(
      (path) =>
        new Promise<ReturnType<typeof connect>>((resolve, reject) => {
          const socket = connect({ port, host: '127.0.0.1' })
          socket.once('error', reject)
          socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`, () => resolve(socket))
        }),
    ),
  )
  // The server has taken what was sent before when it answers what is sent after it.
  await fetch(`http://127.0.0.1:${port}/healthz`)
  for (const socket of sockets) socket.destroy()
}

const paths = Array.from({ length: 200 }, (_, index) => toCostly(index))

describe('Lists that take long', () => {
  test('do not delay others when their clients have disconnected', async () => {
    await withServer([], async ({ port, url }) => {
      await abandon(port, paths)
      const startedMs = performance.now()
      const answer = await fetch(`${url}/api/v2/video?title=plain`)
      expect(answer.status).toBe(200)
      // All of them would take half a minute.
      expect(performance.now() - startedMs).toBeLessThan(3_000)
    })
  }, 180_000)

  test('are refused when their time is up, with the reason and Retry-After', async () => {
    await withServer(['--list-ms', '10'], async ({ url }) => {
      const answer = await fetch(`${url}${toCostly(0)}`)
      expect(answer.status).toBe(503)
      expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/)
      expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('exceeded its time limit') })
      expect((await fetch(`${url}/api/v2/video/1`)).status).toBe(200)
    })
  }, 180_000)

  test('are refused as text for a crawler or a feed reader', async () => {
    await withServer(['--list-ms', '10'], async ({ url }) => {
      const answer = await fetch(`${url}/sitemap.xml`)
      expect([answer.status, answer.headers.get('Content-Type')]).toEqual([503, 'text/plain; charset=utf-8'])
      expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/)
      expect(await answer.text()).toBe('The server is busy. Try again in a few seconds.\n')
    })
  }, 180_000)

  test('that queue behind each other are all answered within their time', async () => {
    await withServer(['--list-ms', '100'], async ({ url }) => {
      const startedMs = performance.now()
      const answers = await Promise.all(paths.map((path) => fetch(`${url}${path}`).then(({ status }) => status)))
      expect(performance.now() - startedMs).toBeLessThan(5_000)
      expect(new Set(answers)).toContain(503)
      expect([...new Set(answers)].filter((status) => status !== 503 && status !== 200)).toEqual([])
      // None of them is left behind in the queue; a busy machine may need more than one try within so short a time.
      let status = 0
      for (let time = 0; time < 50 && status !== 200; time++) status = (await fetch(`${url}/api/v2/video`)).status
      expect(status).toBe(200)
    })
  }, 180_000)

  test('do not delay the shutdown', async () => {
    await withServer(['--list-ms', '2000'], async (server) => {
      const asked = paths.map((path) => fetch(`${server.url}${path}`).catch(() => null))
      await fetch(`${server.url}/healthz`)
      const startedMs = performance.now()
      expect(await server.stop()).toBe(0)
      expect(performance.now() - startedMs).toBeLessThan(6_000)
      await Promise.all(asked)
    })
  }, 180_000)
})
