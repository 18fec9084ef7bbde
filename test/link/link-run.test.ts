import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type LinkRunDeps, type LinkRunReport, runLinkCheck, toOptionsText } from '../../src/link/run.ts'
import type { LinkRunOptions } from '../../src/record/link/link-run.ts'
import { toTimestamp } from '../../src/record/timestamp.ts'
import { createLinkChoice, createLinkNumbers } from '../../src/store/link/link-choice.ts'
import { createLinkRuns } from '../../src/store/link/link-runs.ts'
import { type ListStore, openPostgresStore, openSqliteStore } from '../store/list-stores.ts'
import {
  endlessBody,
  type FakeInternet,
  type FakeOptions,
  type Host,
  redirect,
  startInternet,
} from './fake-internet.ts'
import { insertLinks, type LinkRow, readLinks } from './link-rows.ts'

// Runner: slow

const author = { name: 'test', role: 'admin' } as const
const everything: LinkRunOptions = {
  ...{ olderThanMs: 0, query: null, host: null, limit: null, drafts: false, allowsPrivate: false },
}
const dayMs = 86_400_000
const firstDay = Date.parse('2026-01-01T00:00:00Z')
const fine = () => new Response('fine')
const status = (code: number, body = '') => {
  return () => new Response(body, { status: code })
}
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
const toPages = (host: string, count: number) => numbers(count).map((n) => `http://${host}/${n}`)

for (const [engine, open] of [
  ['SQLite', openSqliteStore],
  ['PostgreSQL', openPostgresStore],
] as const)
  describe(`A run of the link checker on ${engine}`, () => {
    let store: ListStore
    let internet: FakeInternet
    let [live, draft] = [0, 0]

    beforeEach(async () => {
      store = await open()
      live = await create(1)
      draft = await create(2)
    }, 60_000)
    afterEach(async () => {
      await internet.stop()
      await store.remove()
    }, 60_000)

    async function create(state: number): Promise<number> {
      const changes = { title: 'A talk', category: 'Event', state } as const
      const outcomes = await store.writer.run([{ kind: 'create', author, changes }], new Set())
      const [first] = outcomes === 'busy' ? [] : outcomes
      if (first?.is !== 'stored') throw new Error('the record was not stored')
      return first.stored.id
    }

    function start(hosts: { readonly [name: string]: Host }, options?: FakeOptions): void {
      internet = startInternet(hosts, { timeoutMs: 5_000, ...options })
    }

    /** What a process that runs on this day would use. */
    function createDeps(day: number, more: Partial<LinkRunDeps> = {}): LinkRunDeps {
      const { fetch, clock } = internet
      clock.set(firstDay + day * dayMs)
      const runStep = createLinkRuns(store.writing)
      return {
        ...{ fetch, playerHosts: [], holder: 'test' },
        choice: createLinkChoice(store.db),
        runStep: (step) => store.writing.transaction('write', () => runStep(step, toTimestamp(clock.now()))),
        selectRecords: async () => [],
        // Results are written when a host is done, and at the end.
        clock: {
          now: clock.now,
          sleep: (_, signal) => new Promise((end) => signal.addEventListener('abort', () => end())),
        },
        signal: new AbortController().signal,
        ...more,
      }
    }

    async function run(day: number, options: Partial<LinkRunOptions> = {}): Promise<LinkRunReport> {
      const outcome = await runLinkCheck(createDeps(day), { ...everything, ...options })
      if (outcome.is !== 'done') throw new Error(`the run was ${outcome.is}`)
      return outcome.report
    }

    async function readStates(): Promise<{ readonly [url: string]: string }> {
      return Object.fromEntries((await readLinks(store.db)).map(({ url, state }) => [url, state]))
    }

    const find = async (url: string): Promise<LinkRow | undefined> =>
      (await readLinks(store.db)).find((row) => row.url === url)

    test('brings each address into its state after the right number of runs', async () => {
      const oembed: Host = ({ searchParams }) => {
        const id = searchParams.get('url')?.slice(-11)
        if (id === 'privateprvt') return new Response('<html>')
        if (id === 'blockedbloc') return new Response('Unauthorized', { status: 401 })
        return id === 'gonegonegon' ? new Response('Not Found', { status: 404 }) : Response.json({ title: 'A talk' })
      }
      let rebinds = 0
      start(
        {
          'www.youtube.com': oembed,
          'fine.example': fine,
          'old.example': () => redirect('https://fine.example/new'),
          'gone.example': status(404),
          'home.example': ({ pathname }) => (pathname === '/' ? fine() : redirect('/', 302)),
          'files.example': () => new Response('<p>', { headers: { 'Content-Type': 'text/html' } }),
          'slow.example': () => new Promise(() => undefined),
          'endless.example': endlessBody,
          'loop.example': () => redirect('/again'),
          'trap.example': () => redirect('http://10.0.0.1/'),
          'rebind.example': status(405),
        },
        {
          timeoutMs: 1_500,
          addresses: { 'rebind.example': () => (rebinds++ % 2 === 0 ? ['93.184.0.10'] : ['127.0.0.1']) },
        },
      )
      const youTube = (id: string) => `https://youtu.be/${id}`
      const pages = ['fine', 'old', 'gone', 'home', 'slow', 'endless', 'loop', 'trap', 'rebind', 'missing']
      const toPage = (name: string) => `http://${name}.example/talk`
      const videos = ['playsplaysp', 'privateprvt', 'blockedbloc', 'gonegonegon'].map(youTube)
      await insertLinks(store.writing, live, [...pages.map(toPage), ...videos])
      await insertLinks(store.writing, live, ['http://files.example/1.mp4'], 'file')
      const early = {
        ...{
          [toPage('fine')]: 'ok',
          [toPage('old')]: 'moved',
          [toPage('gone')]: 'unknown',
          [toPage('home')]: 'unknown',
        },
        ...{ [toPage('slow')]: 'unknown', [toPage('endless')]: 'ok', [toPage('loop')]: 'unknown' },
        ...{ [toPage('trap')]: 'unknown', [toPage('rebind')]: 'unknown', [toPage('missing')]: 'unknown' },
        ...{ [youTube('playsplaysp')]: 'ok', [youTube('privateprvt')]: 'unknown', [youTube('gonegonegon')]: 'unknown' },
        ...{ [youTube('blockedbloc')]: 'not_embeddable', 'http://files.example/1.mp4': 'unknown' },
      }
      for (const day of [0, 1, 2]) {
        expect((await run(day)).isFinished).toBe(true)
        expect(await readStates()).toEqual(early)
      }
      expect(await find(toPage('gone'))).toMatchObject({ failures: 3, evidence: expect.stringContaining('GET 404') })
      const { changes } = await run(4)
      const dead = [...['gone', 'home', 'slow', 'loop', 'missing'].map(toPage), youTube('gonegonegon')]
      const isGone = Object.fromEntries([...dead, 'http://files.example/1.mp4'].map((url) => [url, 'gone']))
      expect(await readStates()).toEqual({ ...early, ...isGone, [youTube('privateprvt')]: 'private' })
      expect(changes.map(({ url }) => url).toSorted()).toEqual(
        [...Object.keys(isGone), youTube('privateprvt')].toSorted(),
      )
      expect(await find(toPage('old'))).toMatchObject({
        target: 'https://fine.example/new',
        since: expect.stringMatching(/^2026-01-01/),
      })
      for (const name of ['trap', 'rebind'])
        expect(await find(toPage(name))).toMatchObject({ failures: 0, evidence: 'not checked' })
      expect(internet.privateRequests()).toBe(0)
    }, 60_000)

    test('counts nothing while a host is down, until that was so in three runs over seven days', async () => {
      let isDown = true
      start({ 'big.example': () => (isDown ? new Response('', { status: 500 }) : fine()) })
      await insertLinks(store.writing, live, toPages('big.example', 12))
      const failuresOf = async () => [...new Set((await readLinks(store.db)).map(({ failures }) => failures))]
      isDown = false
      await run(0)
      isDown = true
      const { down } = await run(1)
      expect(down).toMatchObject([{ host: 'big.example', asked: 12, failed: 12, counts: false, trouble: { runs: 1 } }])
      expect(await failuresOf()).toEqual([0])
      isDown = false
      expect((await run(2)).down).toEqual([])
      isDown = true
      for (const day of [3, 5]) expect((await run(day)).down).toMatchObject([{ counts: false }])
      expect((await run(10)).down).toMatchObject([{ counts: true, trouble: { runs: 3 } }])
      expect(await failuresOf()).toEqual([1])
      await run(11)
      expect([...new Set(Object.values(await readStates()))]).toEqual(['ok'])
      await run(14)
      expect([...new Set(Object.values(await readStates()))]).toEqual(['gone'])
      isDown = false
      await run(15)
      expect([...new Set(Object.values(await readStates()))]).toEqual(['ok'])
    }, 60_000)

    test('leaves a host alone that asks for long pauses, and the rest of its addresses for the next run', async () => {
      start({ 'busy.example': () => new Response('', { status: 429, headers: { 'Retry-After': '86400' } }) })
      await insertLinks(store.writing, live, toPages('busy.example', 5))
      const { asked, paused, isFinished } = await run(0)
      expect({ asked, paused, isFinished }).toEqual({
        ...{ asked: 1, paused: [{ host: 'busy.example', left: 4 }], isFinished: true },
      })
      expect(internet.requests).toHaveLength(1)
      // Too few answers to tell whether it is down.
      for (const day of [1, 2, 3, 4, 5]) await run(day)
      expect((await readLinks(store.db)).map(({ failures, pending }) => [failures, pending])).toEqual(
        numbers(5).map(() => [0, null]),
      )
    }, 60_000)

    test('asks a host that wants a long pause neither by redirects nor for another host', async () => {
      const busy = () => new Response('', { status: 429, headers: { 'Retry-After': '86400' } })
      start({
        'busy.example': busy,
        'www.youtube.com': busy,
        'old.example': ({ pathname }) => (pathname === '/4' ? fine() : redirect(`http://busy.example${pathname}`)),
      })
      await insertLinks(store.writing, live, [
        ...toPages('old.example', 4),
        ...['https://youtu.be/aaaaaaaaaaa', 'https://www.youtube.com/watch?v=bbbbbbbbbbb'],
      ])
      const { paused } = await run(0)
      const count = (host: string) => internet.requests.filter((line) => line.includes(` ${host}/`)).length
      expect([count('busy.example'), count('www.youtube.com'), count('old.example')]).toEqual([1, 1, 4])
      expect(paused.reduce((sum, { left }) => sum + left, 0)).toBe(3)
      expect(paused).toContainEqual({ host: 'busy.example', left: 2 })
      expect(await find('http://old.example/4')).toMatchObject({ state: 'ok' })
    }, 60_000)

    test('writes what small hosts have said together', async () => {
      const hosts = numbers(12).map((n) => `h${n}.example`)
      start(Object.fromEntries(hosts.map((host) => [host, status(404)])))
      const urls = hosts.flatMap((host) => toPages(host, 1))
      await insertLinks(store.writing, live, urls)
      const deps = createDeps(0)
      const steps: string[] = []
      const runStep: LinkRunDeps['runStep'] = (step) => {
        steps.push(step.is)
        return deps.runStep(step)
      }
      await runLinkCheck({ ...deps, runStep }, everything)
      expect(steps).toEqual(['begin', 'record', 'end'])
      expect((await readLinks(store.db)).map(({ failures, pending }) => [failures, pending])).toEqual(
        hosts.map(() => [1, null]),
      )
    }, 60_000)

    test('counts many failures over several steps', async () => {
      start({})
      const urls = numbers(1_100).map((n) => `http://h${n % 110}.example/${n}`)
      await insertLinks(store.writing, live, urls)
      // A name that does not resolve is a failure.
      for (const day of [0, 5, 10]) await run(day)
      const rows = await readLinks(store.db)
      expect(new Set(rows.map(({ failures, pending }) => `${failures} ${pending}`))).toEqual(new Set(['1 null']))
    }, 120_000)

    test('checks addresses of drafts only on request, and none that no record has or that a curator has marked as fine', async () => {
      start({ 'fine.example': fine })
      await insertLinks(store.writing, live, ['http://fine.example/live', 'http://fine.example/judged'])
      await insertLinks(store.writing, draft, ['http://fine.example/draft'])
      await insertLinks(store.writing, 999, ['http://fine.example/nobody'])
      const judge = "UPDATE link SET ignored_until = '2027-01-01T00:00:00.000' WHERE url LIKE '%judged'"
      await store.writing.transaction('write', () => store.writing.query(judge).run())
      await run(0)
      expect(internet.requests).toEqual(['HEAD fine.example/live'])
      await run(1, { drafts: true })
      expect(internet.requests.slice(1).toSorted()).toEqual(['HEAD fine.example/draft', 'HEAD fine.example/live'])
    }, 60_000)

    test('reports a recent oldest check, even if a curator marked an address long ago', async () => {
      start({ 'fine.example': fine })
      await insertLinks(store.writing, live, ['http://fine.example/1', 'http://fine.example/2'])
      await run(0)
      const judge = "UPDATE link SET ignored_until = '2026-06-01T00:00:00.000' WHERE url LIKE '%2'"
      await store.writing.transaction('write', () => store.writing.query(judge).run())
      await run(10)
      const readOldest = async () => (await createLinkNumbers(store.db)()).oldestCheck
      expect(await readOldest()).toMatch(/^2026-01-11T/)
      // A year later it is checked again, and counts.
      await run(200)
      await store.writing.transaction('write', () =>
        store.writing.query("UPDATE link SET checked = '2026-12-01T00:00:00.000' WHERE url LIKE '%1'").run(),
      )
      expect(await readOldest()).toMatch(/^2026-07-20T/)
    }, 60_000)

    test('asks about the longest unchecked addresses first, of one host, of some records', async () => {
      start({ 'a.example': fine, 'b.example': fine })
      await insertLinks(store.writing, live, ['http://a.example/1', 'http://a.example/2', 'http://b.example/1'])
      const other = await create(1)
      await insertLinks(store.writing, other, ['http://b.example/2'])
      await run(0, { host: 'a.example' })
      expect(internet.requests).toHaveLength(2)
      await run(1, { limit: 1 })
      expect(internet.requests.slice(2)).toEqual(['HEAD b.example/1'])
      expect((await run(2, { olderThanMs: 1.5 * dayMs })).asked).toBe(3)
      const { asked } = await runLinkCheck(createDeps(9, { selectRecords: async () => [other] }), {
        ...{ ...everything, query: 'tag=x' },
      }).then((outcome) => (outcome.is === 'done' ? outcome.report : { asked: -1 }))
      expect(asked).toBe(1)
    }, 60_000)

    test('has one holder at a time, and is continued when that one has died', async () => {
      start({ 'a.example': fine, 'b.example': status(404) })
      await insertLinks(store.writing, live, toPages('a.example', 3))
      await insertLinks(store.writing, live, ['http://b.example/1'])
      const stopping = new AbortController()
      const dying = createDeps(0, { holder: 'first', signal: stopping.signal })
      const sleep = async (_: number, signal: AbortSignal) => {
        while (!signal.aborted && internet.requests.length < 3) await Bun.sleep(1)
      }
      // Dies after its first results are stored: what was asked later is lost, and it never ends.
      let isDead = false
      const step = dying.runStep
      const first = runLinkCheck(
        {
          ...dying,
          clock: { now: dying.clock.now, sleep },
          async runStep(given) {
            if (isDead) return new Promise(() => undefined)
            isDead = given.is === 'record'
            return step(given)
          },
        },
        everything,
      )
      expect(await Promise.race([first, Bun.sleep(500).then(() => 'dead')])).toBe('dead')
      expect(await runLinkCheck(createDeps(0, { holder: 'second' }), everything)).toMatchObject({
        ...{ is: 'taken', holder: 'first' },
      })
      const outcome = await runLinkCheck(createDeps(1, { holder: 'second' }), everything)
      expect(outcome).toMatchObject({ is: 'done', report: { run: 1, isContinued: true, isFinished: true } })
      const rows = await readLinks(store.db)
      expect(rows.map(({ run, pending }) => [run, pending])).toEqual(numbers(4).map(() => [1, null]))
      expect(rows.at(-1)).toMatchObject({ url: 'http://b.example/1', failures: 1 })
      // The first one finds out with its next step.
      expect(await step({ is: 'record', run: 1, holder: 'first', results: [], ended: [] })).toEqual({ is: 'lost' })
    }, 60_000)

    test('that is stopped keeps its answers, ends at once, and is continued by the next one', async () => {
      const stopping = new AbortController()
      const hang = () => new Promise<Response>(() => stopping.abort())
      start({ 'a.example': () => (internet.requests.length === 3 ? hang() : fine()) }, { signal: stopping.signal })
      await insertLinks(store.writing, live, toPages('a.example', 4))
      const outcome = await runLinkCheck(createDeps(0, { signal: stopping.signal, holder: 'first' }), everything)
      expect(outcome).toMatchObject({ is: 'done', report: { asked: 2, isFinished: false } })
      const before = internet
      start({ 'a.example': fine })
      await before.stop()
      expect(await run(0)).toMatchObject({ asked: 2, isContinued: true, isFinished: true })
    }, 60_000)

    test('does not begin if its records cannot be selected', async () => {
      start({})
      const selectRecords = () => Promise.reject(new Error('too many'))
      const failure = await runLinkCheck(createDeps(0, { selectRecords, holder: 'first' }), {
        ...{ ...everything, query: 'tag=x' },
      }).catch(String)
      expect(failure).toBe('Error: too many')
      expect(await run(0)).toMatchObject({ isFinished: true })
    }, 60_000)

    test('recovers from a clock that was years ahead', async () => {
      start({ 'a.example': fine })
      await insertLinks(store.writing, live, toPages('a.example', 2))
      const years = 3_000
      await run(years)
      const { runStep } = createDeps(years)
      await runStep({ is: 'begin', holder: 'first', options: toOptionsText(everything) })
      expect(await run(1, { olderThanMs: dayMs })).toMatchObject({ asked: 2, isFinished: true })
    }, 60_000)

    test('stops and says why if the store fails, and can be continued', async () => {
      start({ 'a.example': fine, 'b.example': fine })
      await insertLinks(
        store.writing,
        live,
        numbers(6).map((n) => `http://${n % 2 === 0 ? 'a' : 'b'}.example/${n}`),
      )
      const deps = createDeps(0)
      const runStep: LinkRunDeps['runStep'] = (step) =>
        step.is === 'record' ? Promise.reject(new Error('the disk is full')) : deps.runStep(step)
      const failure = await runLinkCheck({ ...deps, runStep }, everything).catch(String)
      expect(failure).toBe('Error: the disk is full')
      expect(await run(1)).toMatchObject({ asked: 6, isContinued: true, isFinished: true })
    }, 60_000)

    test('forgets answers about addresses that have changed meanwhile', async () => {
      start({ 'a.example': fine })
      await insertLinks(store.writing, live, ['http://a.example/1'])
      const deps = createDeps(0)
      const change = "UPDATE link SET url = 'http://a.example/other'"
      const { fetch } = internet
      await runLinkCheck(
        {
          ...deps,
          async fetch(...given) {
            await store.writing.transaction('write', () => store.writing.query(change).run())
            return fetch(...given)
          },
        },
        everything,
      )
      expect(await find('http://a.example/other')).toMatchObject({ state: 'unknown', checked: null })
    }, 60_000)
  })
