import { beforeAll, describe, expect, test } from 'bun:test'
import { parse } from 'parse5'
import { createHostileMarkup, createHostileRecord } from '../browser/hostile-markup.ts'
import { headerOf } from '../harness/raw.ts'
import { isLong } from '../harness/runs.ts'
import { listActing } from './acting-markup.ts'
import { type Curator, createCurator } from './curator.ts'
import { checkEditHeaders, editRows, sampleNames, toEditAddress } from './edit-table.ts'
import { type Fields, fail, parseFields, useService } from './service.ts'
import { batchPath } from './versions.ts'

// Runner: long PostgreSQL

const args = ['--threads', '1']
const service = useService({ roles: ['reader', 'editor', 'publisher'], args })
const local = useService({ args: [...args, '--auth', 'local'] })

const collector = 'https://collector.example.org'
const evil = '"><script>window.pwned=1</script>'
const paths = editRows.filter(({ method }) => method === 'GET').map(({ path }) => path)

/** What a page shows more of, if it is asked for. */
const queries: { readonly [path: string]: readonly string[] } = {
  '/edit/list': ['q=script', 'state=2', `category=${encodeURIComponent(evil)}`, `by=${encodeURIComponent(evil)}`],
  '/edit/list.csv': ['state=1'],
  '/edit/bulk': ['id=1', 'list=state%3D1', `list=${encodeURIComponent(`q=${evil}`)}`, `id=${encodeURIComponent(evil)}`],
  '/edit/table': [`text=${encodeURIComponent(`</textarea>${evil}`)}`, `event=${encodeURIComponent(evil)}`],
  '/edit/video/:id/compare': ['from=1&to=2', `from=${encodeURIComponent(evil)}`],
  '/edit/new': [`address=${encodeURIComponent(`${collector}/${evil}`)}`, `category=${encodeURIComponent(evil)}`],
  '/edit/pick/:kind': ['q=a', `q=${encodeURIComponent(evil)}`],
}

let curator: Curator
let addresses: readonly string[] = []

beforeAll(async () => {
  const hostile = createHostileRecord(collector)
  const talk = await service.create(hostile)
  await service.create({ ...hostile, state: 2, title: `${hostile.title}2` })
  const reason = Buffer.from(evil).toString('latin1')
  await service.patch(
    talk.id,
    { summary: createHostileMarkup(collector).toReversed().join('\n') },
    { 'Change-Reason': reason },
  )
  const json = { select: { ids: [talk.id, 999] }, patch: { whiteboard: `x${evil}` }, partial: true, reason: evil }
  const batch = parseFields(await service.call({ method: 'POST', path: batchPath, as: 'admin', json }))
  curator = createCurator(service)
  await curator.signIn(service.keyOf('admin'))
  const { results } = parseFields(await service.call({ method: 'GET', path: '/api/v2/category', as: 'admin' }))
  const [{ slug } = fail('No category')] = results as readonly Fields[]
  addresses = paths.flatMap((path, at) => {
    const own = path.startsWith('/edit/batches/') ? batch.id : talk.id
    const address = toEditAddress(path.replace(':slug', String(slug)), own)
    const hostileQuery = ['q', 'page', 'list', 'saved', 'done', 'next', 'sort', 'by'].map(
      (name) => `${name}=${encodeURIComponent(evil)}`,
    )
    // In `npm test` two of them, others from page to page.
    const some = hostileQuery.filter((_, place) => isLong || place % 4 === at % 4)
    return [address, ...[...(queries[path] ?? []), ...some].map((query) => `${address}?${query}`)]
  })
})

describe('Pages about hostile talks', () => {
  test('have no active element, attribute or URL', async () => {
    let shown = 0
    for (const address of addresses) {
      const answer = await curator.get(address)
      expect([address, answer.status < 500]).toEqual([address, true])
      if (!headerOf(answer, 'Content-Type')?.startsWith('text/html')) continue
      expect([address, listActing(parse(answer.body))]).toEqual([address, []])
      if (answer.status === 200 && answer.body.includes('window.pwned=1')) shown++
    }
    // Otherwise there was nothing to see.
    expect(shown).toBeGreaterThan(20)
  }, 120_000)

  test('are private, errors too, and set no cookie', async () => {
    for (const address of addresses) {
      const answer = await curator.get(address, { 'Accept-Encoding': 'br, gzip' })
      expect([address, headerOf(answer, 'Set-Cookie')]).toEqual([address, null])
      checkEditHeaders(answer)
    }
    const missing = ['/edit/video/999999', '/edit/video/x', '/edit/batches/999999', '/edit/names/speaker/999999']
    for (const address of missing) {
      const answer = await curator.get(address)
      expect([address, answer.status]).toEqual([address, 404])
      checkEditHeaders(answer)
    }
  }, 120_000)

  test('lead to sign-in without a session, and say nothing', async () => {
    for (const address of addresses.filter((each) => !each.startsWith('/edit/sign-in'))) {
      const answer = await createCurator(service).get(address)
      expect([address, answer.status, answer.body]).toEqual([address, 303, ''])
      expect(headerOf(answer, 'Location')).toStartWith('/edit/sign-in')
      checkEditHeaders(answer)
    }
  }, 120_000)
})

test('A 404 keeps the menu of curators', async () => {
  for (const path of ['/edit/nothing', '/edit/video/1/nothing']) {
    const answer = await curator.get(path)
    expect([path, answer.status]).toEqual([path, 404])
    expect(answer.body).toContain('aria-label="Curators"')
    expect(answer.body).toContain('Back to the work lists')
    expect(answer.body).toContain('There is no such page for curators.')
    expect(answer.body).toContain('<form class="find-form"')
  }
})

test('A 404 cannot be cached or framed', async () => {
  for (const path of ['/edit/nothing', '/edit/video/1/nothing', '/edit//', '/edit/%2e%2e/edit/nothing']) {
    const answer = await curator.get(path)
    if (answer.status !== 404) expect([path, answer.status]).toEqual([path, 200])
    expect([path, headerOf(answer, 'Cache-Control')]).toEqual([path, expect.stringContaining('no-store')])
    expect(headerOf(answer, 'Content-Security-Policy')).toContain("frame-ancestors 'none'")
  }
  for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const headers = { Cookie: [...curator.cookies].map((pair) => pair.join('=')).join(';'), Accept: 'text/html' }
    for (const path of new Set(editRows.map((row) => toEditAddress(row.path, 1)))) {
      const answer = await service.call({ method, path, headers })
      expect([method, path, answer.status]).toEqual([method, path, 405])
      expect([method, path, headerOf(answer, 'Cache-Control')]).toEqual([
        method,
        path,
        expect.stringContaining('no-store'),
      ])
      expect(headerOf(answer, 'Content-Security-Policy')).toContain("frame-ancestors 'none'")
    }
  }
})

test('Every page opens in local mode, with one cookie for all', async () => {
  const { id } = await local.create(sampleNames)
  const visitor = createCurator(local)
  const first = await visitor.get('/edit')
  expect(headerOf(first, 'Set-Cookie')).toMatch(/^rostrum_local=[\w-]{43}; Path=\/edit; HttpOnly; SameSite=Lax$/)
  for (const path of paths.filter((each) => each !== '/edit/batches/:id')) {
    const answer = await visitor.get(toEditAddress(path, id))
    expect([path, answer.status, headerOf(answer, 'Set-Cookie')]).toEqual([path, 200, null])
    checkEditHeaders(answer)
    const foreign = await createCurator(local).get(toEditAddress(path, id), { 'X-Forwarded-For': '192.0.2.1' })
    if (path !== '/edit/sign-in') expect([path, foreign.status, foreign.body]).toEqual([path, 303, ''])
  }
}, 180_000)
