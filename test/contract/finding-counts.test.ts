import { describe, expect, test } from 'bun:test'
import { address, createChecked, type Finding } from './checked-records.ts'
import { getPage } from './list-page.ts'
import { useService } from './service.ts'
import { type Row, runTable } from './table.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'publisher'] })
const { create, get, patchCategory } = createChecked(service)

describe('The counts of findings', () => {
  const path = '/api/v2/findings'
  const slugOf = (category: unknown) => String(category).toLowerCase().replaceAll(' ', '-')

  test('are those of each code and category, the largest first, with totals', async () => {
    const category = 'Counted'
    await create({ category, tags: [] })
    await create({ category, tags: [], duration: null, state: 2 })
    const found = await get(`${path}?category=counted`)
    const named = { category, slug: 'counted' }
    expect(found).toMatchObject({ count: 2, next: null, previous: null })
    expect(found.results).toEqual([
      { code: 'missing_tags', ...named, count: 2 },
      { code: 'missing_duration', ...named, count: 1 },
    ])
    expect(found.totals).toContainEqual({ code: 'missing_tags', count: 2 })
    expect(found.totals).toContainEqual({ code: 'same_video', count: 0 })
    expect(await get(`${path}?category=Counted`)).toMatchObject({ results: found.results })
    expect(await get(`${path}?category=counted&code=missing_duration`)).toMatchObject({
      ...{ count: 1, totals: [{ code: 'missing_duration', count: 1 }] },
    })
    expect(await get(`${path}?category=nowhere`)).toMatchObject({ count: 0, results: [] })
  })

  test('follow records, the start of a category, and other records', async () => {
    const source_url = `${address}counted twice`.replaceAll(' ', '-')
    const one = await create({ source_url, tags: [] })
    const two = await create({ source_url })
    const slug = slugOf(one.category)
    const read = async () =>
      ((await get(`${path}?category=${slug}`)).results as readonly Finding[]).map(({ code }) => code) // as described
    expect(await read()).toEqual(['missing_tags', 'same_video'])
    await patchCategory(slug, { start_date: '2000-01-01' })
    expect(await read()).toEqual(['missing_tags', 'outside_event', 'same_video'])
    await service.patch(two.id, { source_url: `${address}other` })
    expect(await read()).toEqual(['missing_tags', 'outside_event'])
    await service.patch(one.id, { category: two.category })
    expect(await read()).toEqual([])
    expect((await get(`${path}?category=${slugOf(two.category)}`)).results).toEqual([
      { code: 'missing_tags', category: two.category, slug: slugOf(two.category), count: 1 },
    ])
  })

  test('add up to what the list finds', async () => {
    const { totals } = await get(path)
    for (const { code, count } of totals as readonly { code: string; count: number }[]) {
      // as described
      expect([code, (await getPage(service, `finding=${code}`, 'reader')).count]).toEqual([code, count])
    }
  })

  test('are paged', async () => {
    const first = await get(`${path}?page_size=1&code=missing_tags`)
    expect(first).toMatchObject({ previous: null, next: expect.stringContaining('page=2') })
    const second = await get(`${path}?page_size=1&code=missing_tags&page=2`)
    expect(second.results).not.toEqual(first.results)
    expect(second.totals).toEqual(first.totals)
    expect(await get(`${path}?page_size=1&page=last`)).toMatchObject({ next: null })
  })

  runTable(
    [
      { name: 'need a token', method: 'GET', path, status: 401, has: { 'WWW-Authenticate': 'Token' } },
      { name: 'are for readers', method: 'GET', path, as: 'reader', status: 200, has: { ETag: /./ } },
      { name: 'are for publishers', method: 'GET', path: `${path}/`, as: 'publisher', status: 200 },
      { name: 'cannot be written', method: 'POST', path, as: 'admin', json: {}, status: 405 },
      { name: 'have no page past the end', method: 'GET', path: `${path}?page=9999`, as: 'reader', status: 404 },
      {
        ...{ name: 'know no other code', method: 'GET', path: `${path}?code=x`, as: 'reader', status: 400 },
        ...{ errors: ['code'], contains: [/missing_language.*same_video/] },
      },
      {
        ...{ name: 'name parameters that they ignore', method: 'GET', path: `${path}?finding=x`, as: 'reader' },
        ...{ status: 200, has: { 'Ignored-Parameters': 'finding' } },
      },
    ] satisfies Row[],
    service,
  )
})
