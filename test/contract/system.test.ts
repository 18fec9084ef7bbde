import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { toPath, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

// Runner: long checkout, long PostgreSQL

const service = useService()

const health: readonly Row[] = ['/healthz', '/readyz', '/metrics'].map((path) => ({
  name: `${path} answers without a token`,
  method: 'GET',
  path,
  status: 200,
}))

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const label = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"'
const value = '(?:[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?|[+-]?Inf|NaN)'
const sample = new RegExp(`^(${name})(?:\\{(?:${label}(?:,${label})*,?)?\\})? ${value}(?: -?\\d+)?$`)
const typeLine = new RegExp(`^# TYPE (${name}) (counter|gauge|histogram|summary|untyped)$`)
const helpLine = new RegExp(`^# HELP (${name})( .*)?$`)

async function readMetrics(): Promise<string[]> {
  const answer = await service.call({ method: 'GET', path: '/metrics' })
  expect(headerOf(answer, 'Content-Type')).toMatch(/^text\/plain/)
  expect(answer.body).toEndWith('\n')
  return answer.body.split('\n').filter((line) => line !== '')
}

describe('The system pages', () => runTable(health, service))

describe('The metrics', () => {
  test('are Prometheus text', async () => {
    const lines = await readMetrics()
    const wrong = lines.filter((line) => ![sample, typeLine, helpLine].some((pattern) => pattern.test(line)))
    expect(wrong).toEqual([])
    expect(lines.filter((line) => sample.test(line)).length).toBeGreaterThan(0)
  })

  test('name the type of each metric once', async () => {
    const types = (await readMetrics()).map((line) => typeLine.exec(line)?.[1]).filter((type) => type !== undefined)
    expect(types.length).toBeGreaterThan(0)
    expect(new Set(types).size).toBe(types.length)
  })

  test('have no sample twice', async () => {
    const samples = (await readMetrics()).filter((line) => sample.test(line)).map((line) => line.replace(/ \S+$/, ''))
    expect(new Set(samples).size).toBe(samples.length)
  })

  test('count each route by its pattern, and paths that no route has as one', async () => {
    const { id } = await service.create()
    const paths = [
      `${toPath(id)}/history`,
      `//${toPath(id)}/`,
      '/search?q=x',
      '/edit/list.csv',
      '/wp-login.php',
      '/api/x',
    ]
    for (const path of paths) await service.call({ method: 'GET', path })
    await service.call({ method: 'PURGE', path: '/search' })
    const counted = (await readMetrics()).map((line) => /^rostrum_requests_total\{(.*),status/.exec(line)?.[1])
    const expected = [
      'route="/api/v2/video/:id/history",method="GET"',
      'route="/api/v2/video/:id",method="GET"',
      'route="/search",method="GET"',
      'route="/search",method="other"',
      'route="/edit/list.csv",method="GET"',
      'route="other",method="GET"',
    ]
    expect(counted).toEqual(expect.arrayContaining(expected))
    expect(counted.filter((labels) => labels?.includes('wp-login'))).toEqual([])
  })

  test('stay readable after requests of every kind', async () => {
    const { id } = await service.create()
    await service.call({ method: 'GET', path: toPath(id) })
    await service.call({ method: 'GET', path: '/api/v2/%22%0a{x="y"}' })
    await service.call({ method: 'DELETE', path: toPath(id) })
    const lines = await readMetrics()
    expect(lines.filter((line) => !line.startsWith('#') && !sample.test(line))).toEqual([])
  })
})

describe('The metrics tell', () => {
  const own = useService()
  const readMetric = async (name: string) => {
    const { body } = await own.call({ method: 'GET', path: '/metrics' })
    const line = body.split('\n').find((each) => each.startsWith(`${name} `))
    return Number(line?.slice(name.length) ?? Number.NaN)
  }

  test('whether the server is ready, what the store has and when it was changed', async () => {
    const beganSeconds = Date.now() / 1_000
    await own.create({ state: 1 })
    await own.create({ state: 2 })
    await until('it is ready', async () => (await readMetric('rostrum_ready')) === 1)
    await until('the store is measured', async () => (await readMetric('rostrum_records{state="draft"}')) === 1, {
      everyMs: 200,
    })
    expect(await readMetric('rostrum_records{state="live"}')).toBe(1)
    expect(await readMetric('rostrum_index_complete')).toBe(1)
    expect(await readMetric('rostrum_last_change_timestamp_seconds')).toBeWithin(
      beganSeconds - 1,
      Date.now() / 1_000 + 1,
    )
    expect(await readMetric('rostrum_store_bytes')).toBeGreaterThan(10_000)
    expect(await readMetric('rostrum_sessions')).toBe(0)
  })

  test('how many writes were committed, and how many keys were refused', async () => {
    const before = await readMetric('rostrum_committed_writes_total')
    await own.create()
    const headers = { Authorization: 'Token rst_wrong' }
    await own.call({ method: 'GET', path: toPath(1), headers })
    expect(await readMetric('rostrum_committed_writes_total')).toBe(before + 1)
    expect(await readMetric('rostrum_commit_duration_seconds_count')).toBeGreaterThan(0)
    expect(await readMetric('rostrum_refusals_total{reason="token refused"}')).toBe(1)
  })

  test('how many file descriptors the process has', async () => {
    const [open, limit] = [await readMetric('process_open_fds'), await readMetric('process_max_fds')]
    expect(open).toBeWithin(5, limit)
  })
})

/** As a proxy may pass on what its rules for `/metrics` do not match; Bun reads `\` as `/`. */
const otherSpellings = [
  '/metrics/',
  '//metrics',
  '/%6detrics',
  '/x/../metrics',
  '/\\metrics',
  '/.\\metrics',
  '/x\\..\\metrics',
]

test('The metrics are at their exact path only, so that a proxy can deny it', async () => {
  for (const path of otherSpellings) {
    expect([path, (await service.call({ method: 'GET', path })).status]).toEqual([path, 404])
  }
  expect((await service.call({ method: 'GET', path: '/metrics?x' })).status).toBe(200)
})

describe('With --metrics-address the metrics', () => {
  const apart = useService({ args: ['--threads', '2', '--metrics-address', '127.0.0.1:0'] })
  const findUrl = async () => {
    const find = () => /"metrics":"([^"]+)"/.exec(apart.server().stderr())?.[1] ?? ''
    await until('it serves', () => find() !== '')
    return find()
  }

  test('are not at the public port, nor in its description', async () => {
    for (const path of ['/metrics', ...otherSpellings]) {
      expect([path, (await apart.call({ method: 'GET', path })).status]).toEqual([path, 404])
    }
    const { body } = await apart.call({ method: 'GET', path: '/api/v2/openapi.json' })
    expect(body).not.toContain('/metrics')
    expect((await apart.call({ method: 'GET', path: '/readyz' })).status).toBe(200)
  })

  test('are there, with what all threads have counted', async () => {
    const url = await findUrl()
    for (let count = 0; count < 20; count++) await apart.call({ method: 'GET', path: '/healthz' })
    const answer = await fetch(url)
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([
      200,
      expect.stringMatching(/^text\/plain; version=0\.0\.4/),
    ])
    const counted = /^rostrum_requests_total\{route="\/healthz",method="GET",status="200"\} (\d+)$/m.exec(
      await answer.text(),
    )
    expect(Number(counted?.[1])).toBeGreaterThanOrEqual(20)
  })

  test('are all that is there', async () => {
    const url = await findUrl()
    for (const path of ['/', '/api/v2/video', '/readyz', '/edit']) {
      expect([path, (await fetch(new URL(path, url))).status]).toEqual([path, 404])
    }
    expect((await fetch(url, { method: 'POST', body: 'x' })).status).toBe(404)
  })

  test('need an address that is free, and say so', async () => {
    const taken = new URL(await findUrl()).host
    const start = (address: string) => startServer({ args: ['--metrics-address', address] }).catch(String)
    expect(await start(taken)).toMatch(/ended with 69[\s\S]*choose another with --metrics-address/)
    expect(await start('9100')).toMatch(/ended with 78[\s\S]*--metrics-address must be HOST:PORT/)
  })

  const same = [
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.1', '0.0.0.0'],
    ['0.0.0.0', '127.0.0.1'],
    ['127.0.0.1', '::'],
    ['127.0.0.1', 'localhost'],
    ['localhost', '::1'],
  ] as const
  test.each(same)('need another port than a service at %s, also at %s', async (host, metricsHost) => {
    const args = ['--host', host, '--port', '18080', '--metrics-address', `${metricsHost}:18080`]
    expect(await startServer({ args }).catch(String)).toMatch(/ended with 78[\s\S]*Choose another port/)
  })
})
