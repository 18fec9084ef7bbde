import { expect, test } from 'bun:test'
import { createStore, toTalk } from '../cli/store-command.ts'
import { withFolder } from '../faults/scratch.ts'
import { type Server, startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { addLinks, readStoredLinks, startHosts } from '../link/link-server.ts'

const checking = (every: string) => ['--threads', '1', '--check-private', 'on', '--check-links', every]
const countRuns = (server: Server) => server.stderr().split('"links checked"').length - 1

async function readMetrics({ url }: Server): Promise<string> {
  return (await fetch(`${url}/metrics`)).text()
}

const readMetric = async (server: Server, name: string) =>
  Number(
    (await readMetrics(server))
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length),
  )

test(
  'serve checks links on schedule, tells what it found, and asks nobody after a restart',
  () =>
    withFolder(async (folder) => {
      const hosts = startHosts()
      const db = `${folder}/talks.db`
      await createStore(db, [toTalk('A talk')])
      await addLinks(db, ['127.0.0.2/1', '127.0.0.2/2', '127.0.0.3/1'].map(hosts.toUrl))
      const first = await startServer({ db, args: checking('24h') })
      await until('the run is over', () => countRuns(first) === 1)
      expect(
        JSON.parse(
          first
            .stderr()
            .split('\n')
            .find((line) => line.includes('"links checked"')) ?? '',
        ),
      ).toMatchObject({
        ...{ level: 'info', run: 1, asked: 3, changed: 3, down: [], paused: [], isFinished: true },
      })
      expect((await readStoredLinks(db)).map(({ state }) => state)).toEqual(['ok', 'ok', 'ok'])
      expect(await readMetric(first, 'rostrum_link_checks_total')).toBe(3)
      expect(await first.stop()).toBe(0)
      const second = await startServer({ db, args: checking('24h') })
      await until('it counts', async () => (await readMetric(second, 'rostrum_links{state="ok"}')) === 3)
      // In whole seconds.
      await until('it is older', async () => (await readMetric(second, 'rostrum_link_oldest_check_age_seconds')) > 0)
      expect(await second.stop()).toBe(0)
      expect(hosts.requests).toHaveLength(3)
      await hosts.stop()
    }),
  120_000,
)

test(
  'pages stay cached while links are checked, until the state of one changes',
  () =>
    withFolder(async (folder) => {
      let hasMoved = false
      const move = ({ pathname }: URL) =>
        hasMoved && pathname === '/1'
          ? new Response('', { status: 301, headers: { Location: '/2' } })
          : new Response('')
      const hosts = startHosts(move)
      const db = `${folder}/talks.db`
      await createStore(db, [toTalk('A talk')])
      await addLinks(db, ['127.0.0.2/1'].map(hosts.toUrl))
      const server = await startServer({ db, args: checking('1s') })
      const nextRun = async () => {
        const seen = countRuns(server)
        await until('another run is over', () => countRuns(server) > seen)
      }
      const isHit = async () => {
        const before = await readMetric(server, 'rostrum_page_cache_hits_total')
        await (await fetch(`${server.url}/`)).text()
        return (await readMetric(server, 'rostrum_page_cache_hits_total')) > before
      }
      await nextRun()
      await isHit()
      await until('the page is cached', isHit)
      await nextRun()
      await nextRun()
      expect(await isHit()).toBe(true)
      hasMoved = true
      await until('it is known', async () => (await readStoredLinks(db))[0]?.state === 'moved')
      expect(await isHit()).toBe(false)
      expect(await server.stop()).toBe(0)
      await hosts.stop()
    }),
  120_000,
)

test(
  'a host that does not answer does not delay a stop, after which the run is continued',
  () =>
    withFolder(async (folder) => {
      let isSilent = true
      const hosts = startHosts(() => (isSilent ? new Promise<Response>(() => undefined) : new Response('fine')))
      const db = `${folder}/talks.db`
      await createStore(db, [toTalk('A talk')])
      await addLinks(db, ['127.0.0.2/1', '127.0.0.3/1'].map(hosts.toUrl))
      const first = await startServer({ db, args: checking('24h') })
      await until('requests', () => hosts.requests.length === 2)
      expect(await first.stop()).toBe(0)
      expect(first.stderr()).not.toContain('did not stop')
      isSilent = false
      const second = await startServer({ db, args: checking('24h') })
      await until('the run is over', () => countRuns(second) === 1)
      expect((await readStoredLinks(db)).map(({ state, run }) => [state, run])).toEqual([
        ['ok', 1],
        ['ok', 1],
      ])
      expect(await second.stop()).toBe(0)
      await hosts.stop()
    }),
  120_000,
)

test(
  'serve contacts nobody unasked',
  () =>
    withFolder(async (folder) => {
      const hosts = startHosts()
      const db = `${folder}/talks.db`
      await createStore(db, [toTalk('A talk')])
      await addLinks(db, ['127.0.0.2/1'].map(hosts.toUrl))
      const server = await startServer({ db, args: ['--threads', '1'] })
      await until('it counts', async () => (await readMetric(server, 'rostrum_links{state="unknown"}')) === 1)
      expect(await server.stop()).toBe(0)
      expect(hosts.requests).toEqual([])
      await hosts.stop()
    }),
  120_000,
)
