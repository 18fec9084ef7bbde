import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runRostrum } from '../archive/command.ts'
import { createFolder, removeFolder } from '../harness/server.ts'
import { toPage } from './list-page.ts'
import { type Fields, fail, parseFields, useService } from './service.ts'
import { batchPath, getNewest } from './versions.ts'

// Runner: slow, long PostgreSQL

const service = useService()

/** More than change within a group of commands. */
const count = 650
const deadlineMs = 60_000

/** Live talks of one event, which `rostrum import` brings in beside the server; gives their batch, and one of the ids. */
async function importEvent(event: string) {
  const folder = createFolder()
  try {
    // A source of its own: the same one would change the talks that it brought before.
    const [source, reportFile] = [join(folder, `${event}.ndjson`), join(folder, 'report.json')]
    const talks = Array.from({ length: count }, (_, i) => ({
      category: event,
      title: `${event}, talk ${i}`,
      summary: 'S',
    }))
    writeFileSync(source, talks.map((talk) => `${JSON.stringify(talk)}\n`).join(''))
    const ended = await runRostrum('import', source, '--db', service.server().db, '--report', reportFile)
    expect([ended.exitCode, ended.stderr]).toEqual([0, expect.any(String)])
    const report: { readonly created: number; readonly batch: number } = await Bun.file(reportFile).json()
    expect(report.created).toBe(count)
    await waitFor(async () => (await countOf(`category=${encodeURIComponent(event)}`)) === count)
    const { results } = await getList(`category=${encodeURIComponent(event)}&page_size=3&ordering=id`)
    return { batch: report.batch, ids: results.map(({ id }) => Number(id)) }
  } finally {
    removeFolder(folder)
  }
}

async function getList(query: string) {
  return toPage(await service.call({ method: 'GET', path: `/api/v2/video?${query}`, as: 'admin' }))
}

const countOf = async (query: string) => (await getList(`${query}&page_size=1`)).count

/** Asks until it is so; servers hear of an import within 200 ms. */
async function waitFor(isSo: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + deadlineMs
  while (!(await isSo())) {
    if (Date.now() > until) fail('it did not happen in time')
    await Bun.sleep(50)
  }
}

/** Asks for what may take a while: more than five seconds are answered 202. */
async function ask(method: string, path: string, json?: Fields): Promise<Fields> {
  const { url } = service.server()
  const headers = { Authorization: `Token ${service.keyOf('admin')}`, 'Content-Type': 'application/json' }
  const answer = await fetch(`${url}${path}`, {
    method,
    headers,
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const body: Fields = Object(await answer.json())
  if (answer.status !== 200 && answer.status !== 202) fail(`${answer.status} ${JSON.stringify(body)}`)
  const location = answer.headers.get('Content-Location')
  if (answer.status === 202) expect([body.state, location]).toEqual(['running', `${url}${batchPath}/${body.id}`])
  return answer.status === 202 ? await waitForEnd(body) : body
}

async function waitForEnd(first: Fields): Promise<Fields> {
  const path = `${batchPath}/${first.id}`
  let batch = first
  await waitFor(async () => {
    batch = parseFields(await service.call({ method: 'GET', path, as: 'admin' }))
    return batch.state !== 'running'
  })
  return batch
}

/** Changes records of another event one after the other, until it is over; how long the slowest took. */
async function writeUntil(id: unknown, isOver: () => boolean) {
  let [slowest, writes] = [0, 0]
  while (!isOver()) {
    const start = performance.now()
    const answer = await service.patch(id, { whiteboard: `${writes++}` })
    expect(answer.status).toBe(200)
    slowest = Math.max(slowest, performance.now() - start)
  }
  return { slowest, writes }
}

/** How many talks the lists had under both titles together, each time that somebody looked. */
async function watchTitles(isOver: () => boolean): Promise<ReadonlySet<number>> {
  const sums = new Set<number>()
  while (!isOver()) {
    const path = '/api/v2/video?q="before talk"&page_size=1&facets=category'
    const { facets } = parseFields(await service.call({ method: 'GET', path: encodeURI(path), as: 'admin' }))
    const titles: { value: string; count: number }[] = Object(facets).category
    expect(titles.filter(({ value }) => value !== 'Before' && value !== 'After')).toEqual([])
    sums.add(titles.reduce((sum, title) => sum + title.count, 0))
  }
  return sums
}

describe('A batch of many records', () => {
  test('is undone field by field while others write, and so is the undoing', async () => {
    const { batch, ids } = await importEvent('Undone')
    const [titled = 0, hidden = 0] = ids
    await service.patch(titled, { title: 'A better title' })
    await service.patch(hidden, { state: 2 })
    const { id: other } = await service.create()
    let isOver = false
    const writing = writeUntil(other, () => isOver)
    const undone = await ask('POST', `${batchPath}/${batch}/undo`)
    isOver = true
    const left = [{ id: hidden, fields: ['state'], why: 'already_draft' }]
    const counts = { total: count, done: count, changed: count - 1, unchanged: 1, left, left_count: 1 }
    expect(undone).toMatchObject({ kind: 'undo', state: 'done', undoes: batch, ...counts })
    const { slowest, writes } = await writing
    // They wait for the undo; this machine may be busy with other tests.
    expect([writes > 0, slowest < 4_000]).toEqual([true, true])
    expect(await countOf('category=undone&state=1')).toBe(0)
    expect(parseFields(await service.read(titled))).toMatchObject({ title: 'A better title', state: 2 })
    const redone = await ask('POST', `${batchPath}/${undone.id}/undo`)
    expect(redone).toMatchObject({ state: 'done', total: count - 1, changed: count - 1, left: [] })
    expect(await countOf('category=undone&state=1')).toBe(count - 1)
    expect(await getNewest(service, titled)).toMatchObject({ version: 4, changed: ['state'], batch: redone.id })
  }, 120_000)

  test('is renamed while others write: each talk is listed under the old title or under the new one', async () => {
    const { ids } = await importEvent('Before')
    let isOver = false
    const writing = writeUntil(ids[0], () => isOver)
    const path = '/api/v2/category/before'
    const watching = watchTitles(() => isOver)
    await ask('PATCH', path, { title: 'After' })
    isOver = true
    expect((await writing).writes).toBeGreaterThan(0)
    expect(await watching).toEqual(new Set([count]))
    const { title, slug, videos } = parseFields(await service.call({ method: 'GET', path, as: 'admin' }))
    expect([title, slug, Array.isArray(videos) && videos.length]).toEqual(['After', 'before', count])
    expect([await countOf('category=before'), await countOf('category=Before')]).toEqual([count, 0])
    expect(await countOf('category=After')).toBe(count)
    expect((await service.call({ method: 'GET', path: '/api/v2/category/after', as: 'admin' })).status).toBe(404)
  }, 120_000)
})
