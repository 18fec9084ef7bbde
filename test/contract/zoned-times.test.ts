import { expect, test } from 'bun:test'
import { type Fields, isFields, parseFields, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService()

const zoned = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const bare = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}$/

async function get(path: string, headers = {}): Promise<Fields> {
  return parseFields(await service.call({ method: 'GET', path: `/api/v2/${path}`, as: 'admin', headers }))
}

/** Every value of a key, wherever it is. */
function listValues(value: unknown, key: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => listValues(each, key))
  if (!isFields(value)) return []
  return Object.entries(value).flatMap(([name, each]) => (name === key ? [each] : listValues(each, key)))
}

test('Times of batches, history and changes end in Z, those of records do not', async () => {
  const { id } = await service.create({ title: 'A talk with a past', category: 'Zoned Days' })
  await service.patch(id, { title: 'Another title' })
  const patch = { select: { ids: [id] }, patch: { summary: 'In bulk' } }
  const post = (path: string, json: Fields) =>
    service.call({ method: 'POST', path: `/api/v2/${path}`, as: 'admin', json })
  const dryRun = parseFields(await post('batches?dry_run=1', { ...patch, expect: 1 }))
  const batch = parseFields(await post('batches', patch))
  await service.call({
    method: 'PATCH',
    path: '/api/v2/category/zoned-days',
    as: 'admin',
    json: { url: 'https://a.b/' },
  })
  const answers: readonly (readonly [string, Fields])[] = [
    ['a dry run', dryRun],
    ['a batch', batch],
    ['its undo', parseFields(await post(`batches/${batch.id}/undo`, {}))],
    ...(await Promise.all(
      [
        'batches',
        `batches/${batch.id}`,
        'changes',
        `video/${id}/history`,
        `video/${id}/history/2`,
        'category/zoned-days/history',
        'category/zoned-days/history/1',
      ].map(async (path) => [path, await get(path)] as const),
    )),
  ]
  for (const [name, answer] of answers) {
    const times = listValues(answer, 'at')
    expect([name, times.length > 0]).toEqual([name, true])
    for (const time of times) expect([name, time]).toEqual([name, expect.stringMatching(zoned)])
  }
  for (const answer of [await get(`video/${id}`), await get(`video/${id}/history/2`), await get('video')]) {
    const times = ['added', 'updated'].flatMap((key) => listValues(answer, key))
    for (const time of times) expect(time).toMatch(bare)
    expect(times.length).toBeGreaterThan(0)
  }
})

test('A 406 of the changes names their stream', async () => {
  const call = { method: 'GET', path: '/api/v2/changes', headers: { Accept: 'text/event-stream' } }
  const { status, detail } = parseFields(await service.call(call))
  expect([status, detail]).toEqual([406, expect.stringContaining('/api/v2/changes/stream')])
  const other = parseFields(await service.call({ ...call, path: '/api/v2/video' }))
  expect(other.detail).not.toContain('stream')
})

test('The detail of a 400 names the first error, and how many follow', async () => {
  const post = async (json: Fields) =>
    parseFields(await service.call({ method: 'POST', path: '/api/v2/video', as: 'admin', json })).detail
  expect(await post({ category: 'Zoned Days', title: '' })).toMatch(/^title: \S.*\.$/)
  expect(await post({ category: 'Zoned Days', title: '', duration: 'long', recorded: 'never' })).toMatch(
    /^\w+: \S.*\. And 2 more; see "errors"\.$/,
  )
})
