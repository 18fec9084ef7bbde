import { describe, expect, test } from 'bun:test'
import type { HeaderList, RawAnswer } from '../harness/raw.ts'
import { useCategoryHistory } from './category-history.ts'
import { checkEveryAnswer, resultsOf } from './every-answer.ts'
import { type Fields, parseFields, type Role, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'publisher'] })
const { listHistory, readVersion } = useCategoryHistory(service)

const path = '/api/v2/category'
let made = 0

/** The slug of a new category with one live record. */
async function createCategory(): Promise<string> {
  const slug = `remembered-${++made}`
  await service.create({ category: slug })
  return slug
}

async function patch(slug: string, json: Fields, headers: HeaderList = {}): Promise<RawAnswer> {
  const call = { method: 'PATCH', path: `${path}/${slug}`, as: 'publisher' as const, json, headers }
  const answer = await service.call(call)
  checkEveryAnswer(call, answer)
  return answer
}

describe('The history of a category', () => {
  test('says who changed what, when and why, newest first', async () => {
    const slug = await createCategory()
    await patch(slug, { description: 'one', url: 'https://a.example/' }, { 'Change-Reason': 'it was empty' })
    await patch(slug, { title: `Renamed ${slug}`, start_date: '2020-02-29' })
    const [third, second, first] = await listHistory(slug)
    expect(first).toEqual({
      version: 1,
      at: expect.any(String),
      by: 'ROSTRUM_ADMIN_TOKEN',
      reason: null,
      changed: ['title', 'description', 'url', 'start_date', 'end_date', 'place', 'series', 'whiteboard'],
    })
    expect(second).toMatchObject({
      version: 2,
      by: 'the publisher',
      reason: 'it was empty',
      changed: ['description', 'url'],
    })
    expect(third).toMatchObject({ version: 3, reason: null, changed: ['title', 'start_date'] })
    expect(await readVersion(slug, 3)).toEqual({
      ...third,
      changed: { title: { from: slug, to: `Renamed ${slug}` }, start_date: { from: null, to: '2020-02-29' } },
      category: {
        title: `Renamed ${slug}`,
        slug,
        description: 'one',
        url: 'https://a.example/',
        start_date: '2020-02-29',
        end_date: null,
        place: '',
        series: '',
        whiteboard: '',
      },
    })
    expect((await readVersion(slug, 1)).changed).toMatchObject({ title: { to: slug }, start_date: { to: null } })
  })

  test('has a rename that was undone', async () => {
    const slug = await createCategory()
    await patch(slug, { title: `To be undone ${slug}` })
    const batches = resultsOf(await service.call({ method: 'GET', path: '/api/v2/batches', as: 'admin' }))
    const undo = `/api/v2/batches/${batches[0]?.id}/undo`
    const headers = { 'Change-Reason': 'a mistake' }
    expect((await service.call({ method: 'POST', path: undo, as: 'admin', headers })).status).toBe(200)
    expect(await listHistory(slug)).toMatchObject([
      { version: 3, by: 'ROSTRUM_ADMIN_TOKEN', reason: 'a mistake', changed: ['title'] },
      { version: 2 },
      { version: 1 },
    ])
    expect((await readVersion(slug, 3)).changed).toEqual({ title: { from: `To be undone ${slug}`, to: slug } })
  })

  test('comes in pages', async () => {
    const slug = await createCategory()
    for (const description of ['1', '2', '3']) await patch(slug, { description })
    const ask = (query: string) =>
      service.call({ method: 'GET', path: `${path}/${slug}/history?${query}`, as: 'reader' })
    const first = parseFields(await ask('page_size=3'))
    expect([first.count, (first.results as unknown[]).length, first.previous]).toEqual([4, 3, null])
    expect(resultsOf(await ask('page_size=3&page=2'))).toMatchObject([{ version: 1 }])
    expect((await ask('page=3')).status).toBe(404)
  })

  test('is for token holders, and for existing categories', async () => {
    const slug = await createCategory()
    const ask = async (rest: string, as: Role) =>
      (await service.call({ method: 'GET', path: `${path}/${rest}`, as })).status
    expect(await ask(`${slug}/history`, 'none')).toBe(401)
    expect(await ask(`${slug}/history/1`, 'none')).toBe(401)
    expect(await ask('no-such/history', 'reader')).toBe(404)
    for (const number of ['2', '0', '01', 'x', '%31x'])
      expect(await ask(`${slug}/history/${number}`, 'reader')).toBe(404)
  })
})
