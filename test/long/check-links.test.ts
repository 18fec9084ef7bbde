import { expect, test } from 'bun:test'
import { copyFileSync, readFileSync } from 'node:fs'
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
 * Times are compared within one run, so that other work on the machine disturbs both sides. For a few seconds at a time
 * the hosts are stopped, and the checker waits for them; it gives up after ten. Meanwhile other hosts get the same requests
 * from somebody else: hosts are other machines, and what they cost this one is not the server's. Times of a machine without
 * any requests to hosts are printed, too: their ratio to those beside a run is what hosts and checker cost together.
 */
const [blockMs, blocks] = [4_000, 11]
/** Of pages, to learn how many of them are cached without a run. */
const baselineReads = 2_500

test(
  '10,000 addresses on 50 hosts are checked politely, and nobody who reads notices',
  () =>
    withFolder(async (folder) => {
      const [hosts, others] = [await startHosts(), await startHosts()]
      const asking = startProgram('asking-program.ts', others.port, hostCount)
      pause([others.process, asking])
      const [db, other] = [join(folder, 'talks.db'), join(folder, 'baseline.db')]
      await createStore(db, hosts.port)
      copyFileSync(db, other)
      const baseline = await startServer({ db: other, args: ['--threads', '1'] })
      for (let n = 0; n < baselineReads; n++) await readPage(baseline, n)
      const hitRate = await readHitRate(baseline)
      await baseline.stop()
      const args = ['--threads', '1', '--check-links', '24h', '--check-private', 'on']
      const server = await startServer({ db, args })
      const isOver = () => server.stderr().includes('"links checked"')
      const { alone, resting, checking } = await compareTimes(server, [hosts.process], [others.process, asking])
      const beside = await readFor(server, () => until('the run is over', isOver, { timeoutMs: 600_000 }))
      expect(await server.stop()).toBe(0)
      const answer = await fetch(`http://127.0.0.1:${hosts.port}/stats`)
      const stats = (await answer.json()) as readonly { readonly count: number; readonly leastMs: number }[]
      for (const each of [hosts.process, others.process, asking]) each.kill('SIGKILL')
      const leastMs = Math.min(...stats.map((each) => each.leastMs))
      const { hitRate: besideRate, megabytes } = beside
      console.log(JSON.stringify({ hitRate, besideRate, megabytes, alone, resting, checking, leastMs }))
      expect(stats).toHaveLength(hostCount)
      // Timers are exact to a few milliseconds.
      expect(leastMs).toBeGreaterThan(990)
      expect([...new Set(stats.map(({ count }) => count))]).toEqual([linksPerHost + movedPerHost])
      expect(megabytes.last).toBeLessThan(megabytes.middle * 1.1 + 16)
      expect(besideRate).toBeGreaterThanOrEqual(hitRate * 0.9)
      expect(checking).toBeLessThanOrEqual(resting * 1.2)
    }),
  900_000,
)

/** At the lowest priority, so that it takes as little time from the server as a process can. */
const startProgram = (name: string, ...args: readonly (string | number)[]) =>
  Bun.spawn(['nice', '-n', '19', process.execPath, resolve(import.meta.dir, '../link', name), ...args.map(String)], {
    stdout: 'pipe',
  })

async function startHosts() {
  const started = startProgram('hosts-program.ts')
  const { value: port = '' } = await started.stdout.pipeThrough(new TextDecoderStream()).getReader().read()
  return { process: started, port: Number(port) }
}

type Programs = readonly Bun.Subprocess[]
const pause = (programs: Programs) => programs.forEach((each) => void each.kill('SIGSTOP'))
const resume = (programs: Programs) => programs.forEach((each) => void each.kill('SIGCONT'))

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

/** The 99th percentile of reads in milliseconds: while nobody asks, while others ask their hosts, the server its own. */
async function compareTimes(server: Server, hosts: Programs, others: Programs) {
  const times: { readonly [when in 'alone' | 'resting' | 'checking']: number[] } = {
    ...{ alone: [], resting: [], checking: [] },
  }
  const read = async (into: number[]) => {
    // All replies that have waited come at once.
    await Bun.sleep(restMs)
    into.push(...(await readFor(server, () => Bun.sleep(blockMs))).times)
  }
  for (let i = 0; i < 2 * blocks; i++) {
    // The checker gives up if its hosts are stopped for longer than one block.
    pause(hosts)
    if (i % 2 === 1) resume(others)
    await read(i % 2 === 1 ? times.resting : times.alone)
    pause(others)
    resume(hosts)
    await read(times.checking)
  }
  const toP99 = (of: readonly number[]) => toQuantile(of, 0.99)
  return { alone: toP99(times.alone), resting: toP99(times.resting), checking: toP99(times.checking) }
}

const restMs = 1_500

interface Readings {
  readonly times: readonly number[]
  readonly hitRate: number
  readonly megabytes: { readonly middle: number; readonly last: number }
}

const readEveryMs = 5
const pagePaths = ['/', ...Array.from({ length: 29 }, (_, i) => `/api/v2/video?page=${i + 1}`)]

const readPage = async ({ url }: Server, n: number) => (await fetch(`${url}${pagePaths[n % pagePaths.length]}`)).bytes()

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
    if (n % 10 === 0) await readPage(server, n / 10)
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
