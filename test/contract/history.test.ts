import { describe, expect, test } from 'bun:test'
import { checkEveryAnswer } from './every-answer.ts'
import { checkRecord } from './every-record.ts'
import { paramsOf, toPage } from './list-page.ts'
import { type Fields, isFields, parseFields, tagOf, toPath, useService } from './service.ts'
import { type Row, runTable } from './table.ts'
import { getHistory, getNewest, getVersion, readAllow, toChangedNames, toHistoryPath } from './versions.ts'

// Runner: long checkout

const service = useService({ roles: ['reader', 'editor', 'publisher'] })

const lineNames = ['version', 'at', 'by', 'kind', 'reason', 'batch', 'changed']
const versionNames = ['id', ...lineNames, 'record']
const readOnly = ['id', 'slug', 'added', 'updated']

/** A record with so many versions. */
async function createVersions(count: number): Promise<Fields> {
  const record = await service.create()
  for (let number = 2; number <= count; number += 1) await service.patch(record.id, { summary: `Version ${number}` })
  return record
}

const changesOf = (version: Fields): Fields => (isFields(version.changed) ? version.changed : {})

describe('The history of a record', () => {
  test('has every version, newest first, with what it was, by whom and when', async () => {
    const { id, added } = await service.create({ state: 2 })
    const path = toPath(id)
    await service.call({ method: 'PATCH', path, as: 'editor', json: { summary: 'x', tags: ['a'] } })
    await service.call({ method: 'PATCH', path, as: 'publisher', json: { state: 1 } })
    await service.call({ method: 'PATCH', path, as: 'publisher', json: { duration: 60 } })
    await service.call({ method: 'PATCH', path, as: 'publisher', json: { state: 2, title: 'Gone' } })
    const { updated } = parseFields(await service.read(id))
    const { count, next, previous, results } = await getHistory(service, id)
    expect([count, next, previous]).toEqual([5, null, null])
    for (const line of results) expect(Object.keys(line)).toEqual(lineNames)
    expect(results.map(({ version, by, kind }) => [version, by, kind])).toEqual([
      [5, 'the publisher', 'withdrawn'],
      [4, 'the publisher', 'updated'],
      [3, 'the publisher', 'created'],
      [2, 'the editor', 'updated'],
      [1, expect.any(String), 'created'],
    ])
    const first = { at: `${added}Z`, changed: expect.arrayContaining(['category', 'title', 'recorded']) }
    expect([results[0]?.at, results[4]]).toMatchObject([`${updated}Z`, first])
    expect(results.slice(0, 4).map(toChangedNames)).toEqual([
      ['state', 'title'],
      ['duration'],
      ['state'],
      ['summary', 'tags'],
    ])
    for (const { reason, batch } of results) expect([reason, batch]).toEqual([null, null])
  })

  test('names in its first version all fields that a client may set, and no others', async () => {
    const record = await service.create()
    const settable = Object.keys(record).filter((name) => !readOnly.includes(name))
    expect(toChangedNames(await getNewest(service, record.id))).toEqual(settable.sort())
  })

  test('has no line for a write that changed nothing, was refused or was a dry run', async () => {
    const { id } = await service.create({ summary: 'Same' })
    expect((await service.patch(id, { summary: 'Same' })).status).toBe(200)
    expect((await service.patch(id, { title: '' })).status).toBe(400)
    expect((await service.patch(id, { title: 'x' }, { 'If-Match': '"other"' })).status).toBe(412)
    const dryRun = { method: 'PATCH', path: `${toPath(id)}?dry_run=1`, as: 'admin' as const, json: { title: 'x' } }
    expect((await service.call(dryRun)).status).toBe(200)
    expect((await getHistory(service, id)).count).toBe(1)
  })

  test('comes in pages of 50, and the last can be asked for', async () => {
    const { id } = await createVersions(53)
    const first = await getHistory(service, id)
    expect([first.count, first.results.length, first.previous]).toEqual([53, 50, null])
    expect([first.results[0]?.version, first.results[49]?.version]).toEqual([53, 4])
    const last = await getHistory(service, id, paramsOf(first.next).toString())
    expect(last.results.map(({ version }) => version)).toEqual([3, 2, 1])
    expect([last.next, paramsOf(last.previous).get('page')]).toEqual([null, '1'])
    expect((await getHistory(service, id, 'page=last')).results).toEqual(last.results)
    const small = await getHistory(service, id, 'page=last&page_size=10')
    expect([small.results.length, small.next]).toEqual([3, null])
    expect(paramsOf(small.previous).toString()).toBe('page=5&page_size=10')
    expect((await getHistory(service, id, 'page_size=1000')).results.length).toBe(53)
  })

  test('has a tag of its own, which a new version changes', async () => {
    const { id } = await service.create()
    const call = { method: 'GET', path: toHistoryPath(id), as: 'reader' as const }
    const answer = await service.call(call)
    const known = { ...call, headers: { 'If-None-Match': tagOf(answer) } }
    const again = await service.call(known)
    checkEveryAnswer(known, again)
    expect([again.status, again.body, tagOf(again)]).toEqual([304, '', tagOf(answer)])
    expect((await service.call({ ...known, method: 'HEAD' })).status).toBe(304)
    await service.patch(id, { summary: 'new' })
    expect((await service.call(known)).status).toBe(200)
  })

  test('has links that keep the slash at the end', async () => {
    const { id } = await createVersions(2)
    const path = `${toHistoryPath(id)}/`
    const { next } = toPage(await service.call({ method: 'GET', path: `${path}?page_size=1`, as: 'reader' }))
    expect(next).toBe(`${service.server().url}${path}?page_size=1&page=2`)
  })
})

describe('A version', () => {
  test('has the record as it was, byte for byte, and what changed', async () => {
    const { id } = await service.create({ title: 'Grüße <b>', video_mp4_url: null, tags: ['a'] })
    const bodies = [(await service.read(id)).body]
    bodies.push((await service.patch(id, { title: 'Second & last', video_mp4_url: '', tags: ['a', 'b'] })).body)
    await service.patch(id, { title: 'Third' })
    for (const [index, body] of bodies.entries()) {
      const call = { method: 'GET', path: `${toHistoryPath(id)}/${index + 1}`, as: 'reader' as const }
      const answer = await service.call(call)
      const version = parseFields(answer)
      expect(Object.keys(version)).toEqual(versionNames)
      expect(answer.body.endsWith(`,"record":${body}}`)).toBe(true)
      checkRecord(isFields(version.record) ? version.record : {}, answer.body)
      expect([version.id, version.version]).toEqual([id, index + 1])
    }
    expect((await getVersion(service, id, 2)).changed).toEqual({
      title: { from: 'Grüße <b>', to: 'Second & last' },
      video_mp4_url: { from: null, to: '' },
      tags: { from: ['a'], to: ['a', 'b'] },
    })
    const first = changesOf(await getVersion(service, id, 1))
    expect([first.title, first.video_mp4_url]).toEqual([{ to: 'Grüße <b>' }, { to: null }])
  })

  test('tells the same of itself as its line in the list', async () => {
    const { id } = await createVersions(3)
    const { results } = await getHistory(service, id)
    for (const line of results) {
      const { id: _, record: __, changed, ...version } = await getVersion(service, id, Number(line.version))
      const names = Object.keys(isFields(changed) ? changed : {})
      expect<Fields>({ ...version, changed: names }).toEqual(line)
    }
  })

  test('is not sent again to a client that has it', async () => {
    const { id } = await createVersions(2)
    const call = { method: 'GET', path: `${toHistoryPath(id)}/1`, as: 'reader' as const }
    const tag = tagOf(await service.call(call))
    const again = await service.call({ ...call, headers: { 'If-None-Match': `"other", ${tag}` } })
    expect([again.status, again.body, tagOf(again)]).toEqual([304, '', tag])
  })
})

const list = toHistoryPath('{id}')
const headers = { 'Cache-Control': 'private, no-store', 'Content-Type': 'application/json', Allow: readAllow }
const roles = ['none', 'wrong', 'reader', 'editor', 'publisher', 'admin'] as const

const roleRows: readonly Row[] = [list, `${list}/1`].flatMap((path) =>
  [1, 2].flatMap((state) =>
    roles.map((as) => {
      const status = as === 'none' || as === 'wrong' ? 401 : 200
      const name = `GET ${path} of ${state === 1 ? 'a live record' : 'a draft'} by ${as} gets ${status}`
      const omits = status === 401 ? ['A talk'] : []
      return { name, method: 'GET', path, fresh: { state }, as, status, omits }
    }),
  ),
)

const toAnswers = (path: string): readonly Row[] => {
  const vary = path === list ? 'Accept, Authorization, Accept-Encoding' : 'Accept, Authorization'
  const json = { has: { ...headers, Vary: vary, ETag: /"/ } }
  const read = { method: 'GET', path, as: 'reader', status: 200 } as const
  return [
    { ...read, name: `GET ${path} has the headers of token holders`, ...json },
    { ...read, name: `GET ${path}/ is the same`, path: `${path}/`, ...json },
    { ...read, name: `GET ${path} with repeated slashes is the same`, path: path.replaceAll('/', '//'), ...json },
    { ...read, name: `GET ${path} takes format=json`, path: `${path}?format=json` },
    { ...read, name: `GET ${path} refuses format=xml`, path: `${path}?format=xml`, status: 404 },
    { ...read, name: `GET ${path} refuses images`, headers: { Accept: 'image/png' }, status: 406 },
    {
      ...read,
      name: `HEAD ${path} has the headers and no body`,
      method: 'HEAD',
      has: { ...json.has, 'Content-Length': /\d{2,}/ },
      check: (_, answer) => expect(answer.bytes.length).toBe(0),
    },
    { ...read, name: `HEAD ${path} needs a token`, method: 'HEAD', as: 'none', status: 401 },
    { ...read, name: `OPTIONS ${path} needs none`, method: 'OPTIONS', as: 'none', has: { Allow: readAllow } },
    ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => {
      const name = `${method} ${path} is not allowed`
      return { ...read, name, method, as: 'admin' as const, status: 405, has: { Allow: readAllow } }
    }),
  ]
}

const noId = ['0', '01', 'x', '+1', '1.0', '7%2F3', '%2531', '1234567', '9007199254740991', '9007199254740993']

const missing: readonly Row[] = [
  ...noId.flatMap((id) => [toHistoryPath(id), `${toHistoryPath(id)}/1`, `${list}/${id}`]),
  `${list}/2`,
  `${list}/-1`,
  `${list}/1/2`,
].map((path) => ({ name: `GET ${path} is not found`, method: 'GET', path, as: 'reader', status: 404 }))

const pages: readonly Row[] = [
  ...['2', '0', '-1', 'x', '', '1e3', '99999999999999'].map((page) => ({ query: `page=${page}`, status: 404 })),
  ...['0', '-1', 'x', ''].map((size) => ({ query: `page_size=${size}`, status: 400, errors: ['page_size'] })),
].map(({ query, ...wanted }) => {
  return { name: `?${query} gets ${wanted.status}`, method: 'GET', path: `${list}?${query}`, as: 'reader', ...wanted }
})

describe('Who may read the history', () => runTable(roleRows, service))

describe('An answer about the history', () => runTable([list, `${list}/1`].flatMap(toAnswers), service))

describe('What is not there', () => {
  runTable(missing, service)
  runTable(pages, service)

  test('is not found before anyone asks for a token, an unknown record after', async () => {
    expect((await service.call({ method: 'GET', path: toHistoryPath('01') })).status).toBe(404)
    expect((await service.call({ method: 'GET', path: toHistoryPath(1_234_567) })).status).toBe(401)
  })

  test('is found by an id and a number that are percent-encoded once', async () => {
    const { id } = await service.create()
    const path = `${toHistoryPath(String(id).replace(/\d/g, '%3$&'))}/%31`
    expect((await service.call({ method: 'GET', path, as: 'reader' })).status).toBe(200)
  })
})
