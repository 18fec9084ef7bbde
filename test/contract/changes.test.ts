import { describe, expect, test } from 'bun:test'
import { headerOf, type RawAnswer } from '../harness/raw.ts'
import type { Change } from './event-stream.ts'
import { checkEveryAnswer } from './every-answer.ts'
import { fail, listPath, parseFields, type Role, requiredFields, tagOf, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

const service = useService({ roles: ['reader'] })

const path = '/api/v2/changes'
const allow = 'GET, HEAD, OPTIONS'
const asChanges = { 'Content-Type': 'application/json', Allow: allow, Vary: 'Accept, Authorization, Accept-Encoding' }
const get = { method: 'GET', path, status: 200, has: asChanges }
const forPublic = 'public, max-age=0, must-revalidate'

async function ask(query: string, as: Role = 'none', headers = {}): Promise<RawAnswer> {
  const call = { method: 'GET', path: `${path}${query}`, as, headers }
  const answer = await service.call(call)
  checkEveryAnswer(call, answer)
  return answer
}

async function getPage(query: string, as: Role = 'none') {
  const answer = await ask(query, as)
  if (answer.status !== 200) fail(`${query} got ${answer.status}: ${answer.body}`)
  const page: { readonly changes: readonly Change[]; readonly next: number; readonly store: string } = JSON.parse(
    answer.body,
  )
  return page
}

/** Everything after a change, page by page. */
async function walk(since: number, as: Role = 'none', size = 1_000): Promise<readonly Change[]> {
  const found: Change[] = []
  for (let at = since; ; ) {
    const { changes, next } = await getPage(`?since=${at}&page_size=${size}`, as)
    found.push(...changes)
    if (changes.length === 0) return next === at ? found : fail(`An empty page after ${at} leads to ${next}`)
    at = next
  }
}

async function findLast(): Promise<number> {
  return (await walk(0, 'admin')).at(-1)?.seq ?? 0
}

/** What the work has added to the feed, as both kinds of readers see it. */
async function watch(work: () => Promise<unknown>) {
  const before = await findLast()
  await work()
  const [all, live] = [await walk(before, 'reader'), await walk(before)]
  return { all, live, kinds: live.map(({ kind }) => kind) }
}

/** A category of its own with live records and a draft, renamed so often: each time a change of every record. */
async function rename(records: number, times: number): Promise<void> {
  const category = `Renamed ${crypto.randomUUID()}`
  const slug = category.toLowerCase().replace(' ', '-')
  await service.create({ category, state: 2 })
  for (let index = 0; index < records; index++) await service.create({ category })
  for (let time = 1; time <= times; time++) {
    const json = { title: `${category} ${time}` }
    const answer = await service.call({ method: 'PATCH', path: `/api/v2/category/${slug}`, as: 'admin', json })
    if (answer.status !== 200) fail(`${answer.status}: ${answer.body}`)
  }
}

const refusals: readonly Row[] = [
  ...['x', '-1', '1.5', '1e3', '0x1', '%201', '9007199254740993', '99999999999999999999'].map((since) => ({
    name: `since=${since} is refused by name`,
    path: `${path}?since=${since}`,
    errors: ['since'],
  })),
  ...['0', 'x', '-1', '1.5', '', '%20'].map((size) => ({
    name: `page_size=${size} is refused by name`,
    path: `${path}?page_size=${size}`,
    errors: ['page_size'],
  })),
].map((row) => ({ method: 'GET', status: 400, ...row }))

const answers: readonly Row[] = [
  { ...get, name: 'are JSON', has: { ...asChanges, 'Cache-Control': forPublic } },
  { ...get, name: 'have the same answer behind a slash', path: `${path}/` },
  { ...get, name: 'are JSON to a browser', headers: { Accept: 'text/html' } },
  { ...get, name: 'are JSON with format=json', path: `${path}?format=json` },
  { ...get, name: 'ignore unknown parameters', path: `${path}?foo=bar` },
  { ...get, name: 'are kept nowhere for token holders', as: 'reader', has: { 'Cache-Control': 'private, no-store' } },
  { ...get, name: 'are told what they are by OPTIONS', method: 'OPTIONS', has: {}, contains: [path] },
  { ...get, name: 'are not to be had as a picture', headers: { Accept: 'image/png' }, status: 406, has: {} },
  { ...get, name: 'are not to be had as XML', path: `${path}?format=xml`, status: 404, has: {} },
  { ...get, name: 'are not for wrong tokens', as: 'wrong', status: 401, has: {} },
  ...['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'].map((method) => ({
    ...get,
    name: `do not allow ${method}`,
    method,
    as: 'admin' as const,
    status: 405,
    has: { Allow: allow },
  })),
]

describe('The changes of an empty store', () => {
  test('are none', async () => {
    for (const query of ['', '?since=0'])
      expect((await ask(query)).body).toMatch(/^{"changes":\[\],"next":0,"store":"[0-9a-z-]+"}$/)
  })
})

describe('The changes', () => {
  runTable(answers, service)
  runTable(refusals, service)

  test('have exactly a number, a record, its version, a time and a kind', async () => {
    const record = await service.create({ title: 'Secret of the title' })
    const answer = await ask(`?since=${(await findLast()) - 1}`)
    const { seq } = (await walk(0)).at(-1) ?? fail('No changes')
    const change = { seq, id: record.id, version: 1, at: `${record.updated}Z`, kind: 'created' }
    const { store } = await getPage('')
    expect(answer.body).toBe(JSON.stringify({ changes: [change], next: seq, store }))
  })

  test('come in the order of their commits, each once, whatever the size of the page', async () => {
    await Promise.all(Array.from({ length: 12 }, () => service.create()))
    const changes = await walk(0)
    const numbers = changes.map(({ seq }) => seq)
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other))
    expect(await walk(0, 'none', 1)).toEqual(changes)
    expect(await walk(numbers[4] ?? 0, 'none', 3)).toEqual(changes.slice(5))
  })

  test('are 100 per page by default, and 1000 at most', async () => {
    await rename(50, 20)
    const all = await walk(0)
    expect(all.length).toBeGreaterThan(1_000)
    for (const [query, length] of [
      ['', 100],
      ['?page_size=1', 1],
      ['?page_size=1000', 1_000],
      ['?page_size=1001', 1_000],
      ['?page_size=99999999999999999999', 1_000],
    ] as const) {
      const { changes, next } = await getPage(query)
      expect([query, changes, next]).toEqual([query, all.slice(0, length), all[length - 1]?.seq ?? 0])
    }
  })

  test('continue after the last one, and are empty beyond it', async () => {
    await service.create({ state: 2 })
    const last = await findLast()
    for (const as of ['none', 'reader'] as const) {
      expect(await getPage(`?since=${last}`, as)).toMatchObject({ changes: [], next: last })
      for (const since of [last + 1, Number.MAX_SAFE_INTEGER]) {
        const answer = await ask(`?since=${since}`, as)
        expect([answer.status, Object.keys(parseFields(answer).errors ?? {})]).toEqual([400, ['since']])
      }
    }
  })
})

describe('The tag of the changes', () => {
  test('stays the same while nothing changes, and gets 304', async () => {
    const since = await findLast()
    const answer = await ask(`?since=${since}`)
    const known = await ask(`?since=${since}`, 'none', { 'If-None-Match': tagOf(answer) })
    expect([known.status, known.body, tagOf(known)]).toEqual([304, '', tagOf(answer)])
    for (const [name, value] of [...Object.entries(asChanges), ['Cache-Control', forPublic]]) {
      if (name !== 'Content-Type') expect(headerOf(known, name ?? '')).toBe(value ?? '')
    }
    await service.create()
    expect((await ask(`?since=${since}`, 'none', { 'If-None-Match': tagOf(answer) })).status).toBe(200)
  })

  test('differs by who sees them', async () => {
    expect(tagOf(await ask('', 'reader'))).not.toBe(tagOf(await ask('')))
  })

  test('and all other headers are the same to HEAD', async () => {
    const [whole, head] = [await ask(''), await service.call({ method: 'HEAD', path })]
    expect([head.status, head.body]).toEqual([200, ''])
    for (const name of [...Object.keys(asChanges), 'ETag', 'Cache-Control', 'Content-Length']) {
      expect([name, headerOf(head, name)]).toEqual([name, headerOf(whole, name)])
    }
  })
})

describe('To the public', () => {
  test('a record is created, updated and withdrawn as it is published, edited and unpublished, again and again', async () => {
    const { live, all, kinds } = await watch(async () => {
      const { id } = await service.create({ state: 2, title: 'Draft' })
      const steps = [{ summary: 'a' }, { state: 1 }, { summary: 'b' }, { state: 2 }, { summary: 'c' }, { state: 1 }]
      for (const step of steps) await service.patch(id, step)
    })
    expect(kinds).toEqual(['created', 'updated', 'withdrawn', 'created'])
    expect(live.map(({ version }) => version)).toEqual([3, 4, 5, 7])
    expect(all.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7])
    const published = all.filter(({ version }) => version > 2 && version !== 6)
    expect(published.map(({ seq, id, version, at, kind }) => ({ seq, id, version, at, kind }))).toEqual([...live])
  })

  test('a draft that was never live does not exist', async () => {
    const { live, all } = await watch(async () => {
      const { id } = await service.create({ state: 2 })
      await service.patch(id, { summary: 'Draft' })
    })
    expect([live, all.map(({ kind }) => kind)]).toEqual([[], ['created', 'updated']])
  })

  test('a withdrawal that also changes fields shows only the withdrawal', async () => {
    const { id } = await service.create()
    const { live } = await watch(() => service.patch(id, { state: 2, title: 'Hidden words' }))
    expect(live.map(({ kind, version }) => [kind, version])).toEqual([['withdrawn', 2]])
    const answer = await ask('?page_size=1000')
    for (const word of ['Hidden', 'words', 'Secret', 'Draft', 'title']) expect(answer.body).not.toContain(word)
  })

  test('a renamed category is a change of each of its records, but not of its drafts', async () => {
    const { live, all, kinds } = await watch(() => rename(3, 1))
    expect([all.length, live.length]).toEqual([8, 6])
    expect(kinds).toEqual([...Array(3).fill('created'), ...Array(3).fill('updated')])
    expect(new Set(live.slice(3).map(({ id }) => id)).size).toBe(3)
  })
})

test('What changes nothing is no change', async () => {
  const { id } = await service.create({ summary: 'Same' })
  const { all } = await watch(async () => {
    expect((await service.patch(id, { summary: 'Same' })).status).toBe(200)
    expect((await service.patch(id, { nope: 1 })).status).toBe(400)
    expect((await service.patch(id, { summary: 'x' }, { 'If-Match': '"0"' })).status).toBe(412)
    const dryRun = { method: 'POST', path: `${listPath}?dry_run=1`, as: 'admin' as const, json: requiredFields }
    expect((await service.call(dryRun)).status).toBe(200)
  })
  expect(all).toEqual([])
})
