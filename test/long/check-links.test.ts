import { expect, test } from 'bun:test'
import { copyFileSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join, resolve } from 'node:path'
import { fill } from '../../bench/generate.ts'
import { createDatabase, openForWriting } from '../../src/store/sqlite/connection.ts'
import { withFolder } from '../faults/scratch.ts'
import { type Server, startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { addLinks } from '../link/link-server.ts'

// Runner: alone (it measures time and memory)

/** Nothing is scaled: at one request a second, 200 addresses of each host take four to five minutes. */
const [hostCount, linksPerHost] = [50, 200]
const recordCount = 2_000
/** How many of the addresses of each host have moved; each of them changes its state, and so drops cached pages. */
const movedPerHost = 1
/**
 * Times are compared within one run, so that other work on the machine disturbs both sides: for a few seconds at a time
 * the hosts are stopped, and the checker waits for them. It gives up after ten.
 */
const [blockMs, blocks] = [4_000, 16]

test(
  '10,000 addresses on 50 hosts are checked politely, and nobody who reads notices',
  () =>
    withFolder(async (folder) => {
      const hosts = Bun.spawn([process.execPath, resolve(import.meta.dir, '../link/hosts-program.ts')], {
        stdout: 'pipe',
      })
      // Hosts are other machines, which take no time from the server.
      setPriority(hosts.pid, 19)
      const { value: port = '' } = await hosts.stdout.pipeThrough(new TextDecoderStream()).getReader().read()
      const [db, other] = [join(folder, 'talks.db'), join(folder, 'baseline.db')]
      await createStore(db, Number(port))
      copyFileSync(db, other)
      const baseline = await startServer({ db: other, args: ['--threads', '1'] })
      const before = await readFor(baseline, () => Bun.sleep(2 * blocks * blockMs))
      await baseline.stop()
      const args = ['--threads', '1', '--check-links', '24h', '--check-private', 'on']
      const server = await startServer({ db, args })
      const isOver = () => server.stderr().includes('"links checked"')
      const { resting, checking } = await compareTimes(server, hosts)
      const beside = await readFor(server, () => until('the run is over', isOver, { timeoutMs: 600_000 }))
      expect(await server.stop()).toBe(0)
      const answer = await fetch(`http://127.0.0.1:${port}/stats`)
      const stats = (await answer.json()) as readonly { readonly count: number; readonly leastMs: number }[]
      hosts.kill()
      const leastMs = Math.min(...stats.map((each) => each.leastMs))
      const toShown = ({ hitRate, megabytes }: Readings) => ({ hitRate, megabytes })
      console.log(JSON.stringify({ before: toShown(before), beside: toShown(beside), resting, checking, leastMs }))
      expect(stats).toHaveLength(hostCount)
      // Timers are exact to a few milliseconds.
      expect(leastMs).toBeGreaterThan(990)
      expect([...new Set(stats.map(({ count }) => count))]).toEqual([linksPerHost + movedPerHost])
      expect(beside.megabytes.last).toBeLessThan(beside.megabytes.middle * 1.1 + 16)
      expect(beside.hitRate).toBeGreaterThanOrEqual(before.hitRate * 0.9)
      expect(checking).toBeLessThanOrEqual(resting * 1.2)
    }),
  900_000,
)

/** All addresses were fine before, as in any run but the first. */
async function createStore(db: string, port: number): Promise<void> {
  await createDatabase(db)
  await fill(db, recordCount, () => undefined)
  const urls = Array.from({ length: hostCount * linksPerHost }, (_, i) => {
    const n = Math.floor(i / hostCount)
    return `http://127.0.1.${(i % hostCount) + 1}:${port}/${n < movedPerHost ? 'moved' : 'fine'}${n}`
  })
  await addLinks(db, urls)
  const writing = openForWriting(db, 0)
  writing.run("UPDATE link SET state = 'ok', since = '2026-01-01T00:00:00.000', checked = '2026-01-01T00:00:00.000'")
  // Addresses of other records are of no interest here.
  writing.run("DELETE FROM link_use WHERE link_id IN (SELECT id FROM link WHERE host NOT LIKE '127.0.1.%')")
  writing.run("DELETE FROM link WHERE host NOT LIKE '127.0.1.%'")
  writing.close()
}

/** The 99th percentile of reads in milliseconds, while the hosts are stopped and while they are asked. */
async function compareTimes(server: Server, hosts: Bun.Subprocess) {
  const times: { readonly [when in 'resting' | 'checking']: number[] } = { resting: [], checking: [] }
  for (let i = 0; i < blocks; i++) {
    hosts.kill('SIGSTOP')
    await Bun.sleep(restMs)
    times.resting.push(...(await readFor(server, () => Bun.sleep(blockMs))).times)
    hosts.kill('SIGCONT')
    // All replies that have waited come at once.
    await Bun.sleep(restMs)
    times.checking.push(...(await readFor(server, () => Bun.sleep(blockMs))).times)
  }
  return { resting: toQuantile(times.resting, 0.99), checking: toQuantile(times.checking, 0.99) }
}

const restMs = 1_500

interface Readings {
  readonly times: readonly number[]
  readonly hitRate: number
  readonly megabytes: { readonly middle: number; readonly last: number }
}

const readEveryMs = 5
const pagePaths = ['/', ...Array.from({ length: 29 }, (_, i) => `/api/v2/video?page=${i + 1}`)]

/** Reads records and pages until `isOver` resolves: 200 records and 20 pages a second. */
async function readFor(server: Server, wait: () => Promise<void>): Promise<Readings> {
  let isOver = false
  const ended = wait().finally(() => {
    isOver = true
  })
  const [times, megabytes]: [number[], number[]] = [[], []]
  for (let n = 0; !isOver; n++) {
    const began = performance.now()
    await (await fetch(`${server.url}/api/v2/video/${(n % 500) + 1}`)).bytes()
    times.push(performance.now() - began)
    if (n % 10 === 0) await (await fetch(`${server.url}${pagePaths[(n / 10) % pagePaths.length]}`)).bytes()
    if (n % 200 === 0) megabytes.push(readMegabytes(server))
    await Bun.sleep(Math.max(0, readEveryMs - (performance.now() - began)))
  }
  await ended
  const third = Math.floor(megabytes.length / 3)
  const typical = (of: readonly number[]) => toQuantile(of, 0.5)
  return {
    times,
    hitRate: await readHitRate(server),
    megabytes: { middle: typical(megabytes.slice(third, 2 * third)), last: typical(megabytes.slice(2 * third)) },
  }
}

const toQuantile = (values: readonly number[], q: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * q)] ?? 0

const readMegabytes = ({ process: { pid } }: Server) =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

async function readHitRate({ url }: Server): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const read = (name: string) => Number(new RegExp(`^rostrum_page_cache_${name}_total (.*)$`, 'm').exec(text)?.[1])
  const [hits, misses] = [read('hits'), read('misses')]
  return hits / (hits + misses)
}
