import { describe, expect, test } from 'bun:test'
import { runRostrum } from '../cli/store-command.ts'
import { until } from '../harness/until.ts'
import { openGoodStream, readChanges } from './event-stream.ts'
import { checkEveryAnswer } from './every-answer.ts'
import { getTitles } from './list-page.ts'
import { type Call, type Fields, parseFields, toPath, useService } from './service.ts'
import { getBatches, toHistoryPath, undo } from './versions.ts'

// Runner: long checkout

const service = useService({ roles: ['editor'] })

async function purge(id: unknown): Promise<void> {
  expect(await runRostrum('purge', String(id), '--yes', '--db', service.server().db)).toMatchObject({ exitCode: 0 })
  const readGone = async () => (await service.read(id)).status === 410
  const areGone = async () => (await Promise.all(Array.from({ length: 8 }, readGone))).every(Boolean)
  await until('every thread has noticed', areGone)
  // Threads that had not cached the record notice before the writer has looked for other processes' changes.
  const isTold = async () =>
    (await readAs(0, 'admin')).some((change) => change.id === id && change.kind === 'withdrawn')
  await until('the change feed tells of it', isTold)
}

async function ask(call: Call): Promise<{ readonly status: number; readonly json: Fields }> {
  const answer = await service.call(call)
  checkEveryAnswer(call, answer)
  return { status: answer.status, json: answer.body === '' ? {} : parseFields(answer) }
}

const readAs = (since: number, as: 'none' | 'admin') =>
  readChanges(service.server(), since, as === 'none' ? undefined : service.keyOf(as))

const readLast = async () => (await readAs(0, 'admin')).at(-1)?.seq ?? 0

describe('An erased record', () => {
  const calls: readonly Pick<Call, 'method' | 'path' | 'as' | 'json'>[] = [
    { method: 'GET', path: toPath('{id}') },
    { method: 'HEAD', path: toPath('{id}') },
    { method: 'GET', path: toPath('{id}'), as: 'admin' },
    { method: 'PUT', path: toPath('{id}'), as: 'editor', json: { category: 'c', title: 't' } },
    { method: 'PATCH', path: toPath('{id}'), as: 'editor', json: { title: 't' } },
    { method: 'PATCH', path: toPath('{id}'), as: 'editor', json: { unknown: 1 } },
    { method: 'PUT', path: toPath('{id}'), as: 'admin', json: { category: 'c', title: 't' } },
    { method: 'PATCH', path: toPath('{id}'), as: 'admin', json: { title: 't' } },
    { method: 'PATCH', path: toPath('{id}'), as: 'admin', json: { unknown: 1 } },
    { method: 'GET', path: toHistoryPath('{id}'), as: 'admin' },
    { method: 'GET', path: `${toHistoryPath('{id}')}/1`, as: 'admin' },
    { method: 'POST', path: `${toHistoryPath('{id}')}/1/restore`, as: 'admin' },
    { method: 'GET', path: `${toPath('{id}')}/extras` },
  ]

  for (const state of [1, 2]) {
    test(`that was ${state === 1 ? 'live' : 'a draft'} is gone for everybody, on every path of its own`, async () => {
      const { id } = await service.create({ title: 'Erased', state })
      await service.read(id)
      await purge(id)
      for (const call of calls) {
        const { status, json } = await ask({ ...call, path: call.path.replace('{id}', String(id)) })
        expect([call.method, call.path, status]).toEqual([call.method, call.path, 410])
        if (call.method !== 'HEAD') expect(json).toMatchObject({ type: 'urn:rostrum:problem:gone', title: 'Gone' })
      }
      expect((await ask({ method: 'OPTIONS', path: toPath(id) })).status).toBe(200)
      expect((await ask({ method: 'GET', path: toPath(Number(id) + 1000) })).status).toBe(404)
    })
  }

  test('is in no list, and its names are in no vocabulary', async () => {
    const { id } = await service.create({ title: 'Quixotically', speakers: ['Nobody Else'], tags: ['unheard'] })
    await purge(id)
    expect(await getTitles(service, 'q=quixotically')).toEqual([])
    for (const path of ['/api/v2/speaker?q=nobody', '/api/v2/tag?q=unheard']) {
      expect((await ask({ method: 'GET', path })).json.count).toBe(0)
    }
  })

  test('makes room for nobody: the next record has an id of its own, and an Idempotency-Key is free again', async () => {
    const headers = { 'Idempotency-Key': 'once' }
    const call = {
      method: 'POST',
      path: '/api/v2/video',
      as: 'admin',
      headers,
      json: { category: 'c', title: 't' },
    } as const
    const first = (await ask(call)).json.id
    await purge(first)
    const { status, json } = await ask(call)
    expect([status, json.id]).toEqual([201, Number(first) + 1])
  })
})

describe('The change feed tells of an erasure', () => {
  const withdrawn = (id: unknown, version: number) => ({ id, version, kind: 'withdrawn' })

  test('as withdrawn to everybody who may have seen the record, in place of its versions', async () => {
    const before = await readLast()
    const { id } = await service.create({ title: 'Public once' })
    const other = await service.create({ title: 'Another' })
    await service.patch(id, { state: 2 })
    await purge(id)
    for (const as of ['none', 'admin'] as const) {
      const changes = await readAs(before, as)
      expect(changes).toMatchObject([{ id: other.id, kind: 'created' }, withdrawn(id, 3)])
      expect(changes[1]?.seq).toBe(before + 4)
    }
    const later = await service.create({ title: 'Later' })
    expect(await readAs(before + 4, 'none')).toMatchObject([{ id: later.id, seq: before + 5 }])
  })

  test('of a draft only to those who see drafts, and nobody is ahead of the feed', async () => {
    const before = await readLast()
    const { id } = await service.create({ title: 'Never public', state: 2 })
    await purge(id)
    expect(await readAs(before, 'admin')).toMatchObject([withdrawn(id, 2)])
    expect(await readAs(before, 'none')).toEqual([])
    expect((await ask({ method: 'GET', path: `/api/v2/changes?since=${before + 2}` })).status).toBe(200)
  })
})

test('the live feed tells of an erasure, too', async () => {
  const { id } = await service.create({ title: 'Followed' })
  const stream = await openGoodStream(service.server())
  try {
    await purge(id)
    expect(await stream.waitForChanges(1)).toMatchObject([{ id, version: 2, kind: 'withdrawn' }])
  } finally {
    stream.close()
  }
})

test('a batch loses its erased member, and is undone without it, which the undo tells', async () => {
  const ids: unknown[] = []
  for (const title of ['A', 'B', 'C']) ids.push((await service.create({ title, category: 'To be renamed' })).id)
  const rename = {
    method: 'PATCH',
    path: '/api/v2/category/to-be-renamed',
    as: 'admin',
    json: { title: 'Renamed' },
  } as const
  expect((await ask(rename)).status).toBe(200)
  const [one, two, three] = ids
  await purge(two)
  const [batch] = (await getBatches(service)).results
  expect(batch).toMatchObject({ kind: 'rename category', records: 2 })
  const answer = await undo(service, batch?.id)
  const left = [{ id: two, fields: [], why: 'erased' }]
  expect(parseFields(answer)).toMatchObject({ total: 3, changed: 2, unchanged: 1, left })
  for (const id of [one, three]) expect(parseFields(await service.read(id)).category).toBe('To be renamed')
  expect(await runRostrum('doctor', '--db', service.server().db)).toMatchObject({ exitCode: 0, stdout: '' })
})

test('reasons for what happened to an erased record are kept nowhere else; those for others stay', async () => {
  const headers = { 'Change-Reason': 'asked by eve@example.org' }
  const post = { method: 'POST', path: '/api/v2/video', as: 'admin', headers } as const
  const speakers = ['Eve Former']
  const first = await ask({ ...post, json: { title: 'First of its event', category: 'Made for Eve', speakers } })
  const other = await ask({ ...post, json: { title: 'Also', category: 'Made for Eve' } })
  const bulk = async (ids: readonly unknown[], category: string) => {
    const json = { select: { ids }, patch: { category } }
    const made = await ask({ method: 'POST', path: '/api/v2/batches', as: 'admin', headers, json })
    expect(made.status).toBe(201)
    return made.json.id
  }
  const { id } = first.json
  const [alone, shared] = [await bulk([id], 'Moved for Eve'), await bulk([id, other.json.id], 'Both moved')]
  const found = await ask({ method: 'GET', path: '/api/v2/speaker?q=eve', as: 'admin' })
  const [speaker] = found.json.results as readonly Fields[]
  const path = `/api/v2/speaker/${speaker?.id}`
  const renamed = await ask({ method: 'PATCH', path, as: 'admin', headers, json: { name: 'Eve Now' } })
  expect(renamed.status).toBe(200)
  const rename = (await ask({ method: 'GET', path: '/api/v2/batches', as: 'admin' })).json.results as readonly Fields[]
  const reasonsOf = async (slug: string) => {
    const { json } = await ask({ method: 'GET', path: `/api/v2/category/${slug}/history`, as: 'admin' })
    return (json.results as readonly Fields[]).map(({ reason }) => reason)
  }
  const batchReason = async (batch: unknown) =>
    (await ask({ method: 'GET', path: `/api/v2/batches/${batch}`, as: 'admin' })).json.reason
  const seen = async () => [
    ...[await reasonsOf('made-for-eve'), await reasonsOf('moved-for-eve'), await reasonsOf('both-moved')],
    ...[await batchReason(rename[0]?.id), await batchReason(alone), await batchReason(shared)],
  ]
  const said = headers['Change-Reason']
  expect(await seen()).toEqual([[said], [said], [said], said, said, said])
  await purge(id)
  expect(await seen()).toEqual([[null], [null], [said], null, null, said])
  await purge(other.json.id)
  expect(await seen()).toEqual([[null], [null], [null], null, null, null])
  expect(await runRostrum('doctor', '--db', service.server().db)).toMatchObject({ exitCode: 0, stdout: '' })
})
