import { beforeAll, describe, expect, test } from 'bun:test'
import { checkEveryAnswer } from './every-answer.ts'
import { getTitles, toPage } from './list-page.ts'
import { type Fields, listPath, parseFields, type Role, tagOf, useService } from './service.ts'
import { type Row, runTable } from './table.ts'
import { createMany, createTalks } from './talks.ts'

const service = useService({ roles: ['reader', 'editor', 'publisher'] })
let made: readonly Fields[] = []

beforeAll(async () => {
  made = await createTalks(service)
})

const path = '/api/v2/category'
const names = [
  'title',
  'slug',
  'description',
  'url',
  'start_date',
  'end_date',
  'place',
  'series',
  'whiteboard',
  'added',
  'videos',
]
const urlOf = (title: string) =>
  `${service.server().url}${listPath}/${made.find((record) => record.title === title)?.id}`

async function get(slug: string, as: Role = 'none'): Promise<Fields> {
  const call = { method: 'GET', path: `${path}/${slug}`, as }
  const answer = await service.call(call)
  expect(answer.status).toBe(200)
  checkEveryAnswer(call, answer)
  return parseFields(answer)
}

const patch = (slug: string, json: unknown, as: Role = 'publisher') =>
  service.call({ method: 'PATCH', path: `${path}/${slug}`, as, json })

describe('A category', () => {
  test('has exactly these members, and absolute URLs of its live records, newest first', async () => {
    const category = await get('pycon-2012')
    expect(Object.keys(category)).toEqual(names)
    expect(category).toMatchObject({
      title: 'PyCon 2012',
      slug: 'pycon-2012',
      description: '',
      url: '',
      start_date: null,
      end_date: null,
      place: '',
      series: '',
      whiteboard: '',
      videos: ['Čherry', 'Apple', 'banana'].map(urlOf),
    })
    expect(category.added).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/)
  })

  test('shows token holders its drafts too', async () => {
    expect((await get('pycon-2012', 'reader')).videos).toEqual(['Čherry', 'Apple', 'banana', 'Jackfruit'].map(urlOf))
  })

  test('of drafts only is visible to token holders only', async () => {
    expect((await service.call({ method: 'GET', path: `${path}/drafts-only` })).status).toBe(404)
    expect((await get('drafts-only', 'reader')).videos).toEqual([urlOf('Kumquat')])
  })

  test('is found only by its slug', async () => {
    for (const slug of ['PyCon%202012', 'pycon', 'PYCON-2012', '%00', 'none']) {
      const answer = await service.call({ method: 'GET', path: `${path}/${slug}` })
      expect([slug, answer.status]).toEqual([slug, 404])
    }
  })
})

describe('The list of categories', () => {
  test('has all that have live records', async () => {
    const { count, results } = toPage(await service.call({ method: 'GET', path }))
    expect(results.map(({ title }) => title).sort()).toEqual(['EuroPython', 'PyCon 2012', 'europython', 'みかん'])
    expect(count).toBe(4)
    for (const each of results) expect(Object.keys(each)).toEqual(names)
    expect(results.find(({ slug }) => slug === 'pycon-2012')).toEqual(await get('pycon-2012'))
  })

  test('has 50 a page', async () => {
    const titles = Array.from({ length: 60 }, (_, index) => `Paged ${100 + index}`)
    await createMany(
      service,
      titles.map((category) => ({ category })),
    )
    const first = toPage(await service.call({ method: 'GET', path }))
    expect([first.count, first.results.length]).toEqual([64, 50])
    const second = toPage(await service.call({ method: 'GET', path: `${path}${new URL(first.next ?? '').search}` }))
    expect([second.results.length, second.next]).toEqual([14, null])
    const slugs = [...first.results, ...second.results].map(({ slug }) => slug)
    expect(new Set(slugs).size).toBe(64)
  })
})

const refusals: readonly Row[] = [
  ...(['none', 'reader', 'editor'] as const).map((as) => ({
    name: `PATCH by ${as} is refused`,
    as,
    json: { description: 'x' },
    status: as === 'none' ? 401 : 403,
  })),
  { name: 'PATCH of an unknown category is not found', path: `${path}/none`, json: {}, status: 404 },
  { name: 'A blank title is refused', json: { title: ' ' }, status: 400, errors: ['title'] },
  { name: 'No title is refused', json: { title: null }, status: 400, errors: ['title'] },
  { name: 'A long title is refused', json: { title: 'x'.repeat(256) }, status: 400, errors: ['title'] },
  { name: 'An unknown field is refused by name', json: { color: 'red' }, status: 400, errors: ['color'] },
  {
    name: 'All errors are reported together',
    json: {
      ...{ title: 5, url: 'javascript:x', start_date: '2012-02-30', description: null },
      ...{ end_date: 5, place: 'x'.repeat(256), series: null },
    },
    status: 400,
    errors: ['description', 'end_date', 'place', 'series', 'start_date', 'title', 'url'],
  },
  { name: 'A list is refused', json: [], status: 400 },
  { name: 'Broken JSON is refused', body: '{', status: 400 },
  { name: 'Text is refused', body: 'x', headers: { 'Content-Type': 'text/plain' }, status: 415 },
  { name: 'The title of another is a conflict', json: { title: 'EuroPython' }, status: 409 },
].map((row) => ({ method: 'PATCH', path: `${path}/pycon-2012`, as: 'publisher' as const, ...row }))

describe('A refused PATCH', () => {
  runTable(refusals, service)

  test('changes nothing', async () => {
    expect(await get('pycon-2012')).toMatchObject({ title: 'PyCon 2012', description: '', url: '' })
    expect((await get('europython')).title).toBe('EuroPython')
  })

  for (const method of ['PUT', 'POST', 'DELETE']) {
    test(`is the only write: ${method} is not allowed`, async () => {
      const answer = await service.call({ method, path: `${path}/pycon-2012`, as: 'admin', json: {} })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, ['GET, PATCH, HEAD, OPTIONS']])
    })
  }
})

describe('PATCH of a category', () => {
  const changes = {
    description: 'Talks about <Python> & more',
    url: 'https://pycon.example.org/2012',
    start_date: '2012-03-07',
    end_date: '2012-03-15',
    place: 'Santa Clara, USA',
    series: 'PyCon US',
    whiteboard: 'to do',
  }

  test('changes the given fields and no records', async () => {
    const before = await service.read(made[0]?.id)
    const answer = await patch('pycon-2012', changes)
    expect(answer.status).toBe(200)
    expect(parseFields(answer)).toMatchObject({ ...changes, title: 'PyCon 2012', slug: 'pycon-2012' })
    expect(await get('pycon-2012')).toMatchObject(changes)
    expect((await service.read(made[0]?.id)).body).toBe(before.body)
    const none = { start_date: null, end_date: null, place: '', series: '', url: '', description: '', whiteboard: '' }
    expect(parseFields(await patch('pycon-2012', none))).toMatchObject(none)
  })

  test('is refused if the last day would be before the first, and changes nothing', async () => {
    const days = { start_date: '2012-03-07', end_date: '2012-03-07' }
    expect((await patch('pycon-2012', days)).status).toBe(200)
    const wrong = [{ end_date: '2012-03-06' }, { start_date: '2012-03-08' }, { ...days, end_date: '2011-03-07' }]
    for (const change of wrong) {
      const answer = await patch('pycon-2012', change)
      expect([answer.status, parseFields(answer).errors]).toEqual([
        400,
        { end_date: [expect.stringContaining('May not be before the first day')] },
      ])
    }
    expect(await get('pycon-2012')).toMatchObject(days)
    expect((await patch('pycon-2012', { start_date: null, end_date: '2011-01-01' })).status).toBe(200)
    expect((await patch('pycon-2012', { end_date: null })).status).toBe(200)
  })

  test('ignores fields that it may not change, so that what was read can be sent back', async () => {
    const before = await get('pycon-2012', 'publisher')
    const answer = await patch('pycon-2012', { ...before, slug: 'other', added: 'never', videos: [] })
    expect([answer.status, parseFields(answer)]).toEqual([200, before])
  })

  test('never answers 304, whatever ETag it names', async () => {
    const { headers } = await service.call({ method: 'GET', path: `${path}/pycon-2012`, as: 'publisher' })
    const known = { 'If-None-Match': headers.get('etag')?.[0] ?? '' }
    const call = { method: 'PATCH', path: `${path}/pycon-2012`, as: 'publisher' as const, json: {}, headers: known }
    expect([200, 412]).toContain((await service.call(call)).status)
  })
})

describe('Renaming a category', () => {
  test('renames its records, drafts too, each with a new ETag, and keeps its slug', async () => {
    const before = await service.read(made[0]?.id)
    const answer = await patch('pycon-2012', { title: '  PyCon ’12  ' })
    expect([answer.status, parseFields(answer).title, parseFields(answer).slug]).toEqual([
      200,
      'PyCon ’12',
      'pycon-2012',
    ])
    for (const record of made.filter(({ category }) => category === 'PyCon 2012')) {
      const now = await service.read(record.id)
      const { category, updated, ...rest } = parseFields(now)
      expect(category).toBe('PyCon ’12')
      expect(String(updated) > String(record.updated)).toBe(true)
      expect(rest).toMatchObject(Object.fromEntries(Object.entries(rest).map(([name]) => [name, record[name]])))
    }
    expect(tagOf(await service.read(made[0]?.id))).not.toBe(tagOf(before))
  })

  test('is seen by filters, facets and search', async () => {
    const titles = ['Apple', 'banana', 'Čherry']
    expect((await getTitles(service, 'category=pycon-2012')).sort()).toEqual(titles)
    expect((await getTitles(service, `category=${encodeURIComponent('PyCon ’12')}`)).sort()).toEqual(titles)
    expect(await getTitles(service, 'category=PyCon%202012')).toEqual([])
    expect(await getTitles(service, 'q=pycon+2012')).toEqual([])
    expect((await getTitles(service, 'q=pycon+12')).sort()).toEqual(titles)
  })

  test('to its current title makes no new versions', async () => {
    const before = await service.read(made[0]?.id)
    expect((await patch('pycon-2012', { title: 'PyCon ’12' })).status).toBe(200)
    const after = await service.read(made[0]?.id)
    expect([after.body, tagOf(after)]).toEqual([before.body, tagOf(before)])
  })

  test('frees the old title for a new category with another slug', async () => {
    await service.create({ title: 'Newcomer', category: 'PyCon 2012' })
    expect(await getTitles(service, 'category=PyCon%202012')).toEqual(['Newcomer'])
    expect((await get('pycon-2012-2')).title).toBe('PyCon 2012')
    expect((await patch('pycon-2012-2', { title: 'PyCon ’12' })).status).toBe(409)
  })
})

describe('q on the list of categories', () => {
  test('is the beginning of a title, as on the other lists', async () => {
    await service.create({ category: 'Überraschung' })
    for (const q of ['uberr', 'ÜBER', '%C3%BCberraschung']) {
      const { results } = toPage(await service.call({ method: 'GET', path: `${path}?q=${encodeURI(decodeURI(q))}` }))
      expect(results.map(({ title }) => title)).toEqual(['Überraschung'])
    }
    expect(toPage(await service.call({ method: 'GET', path: `${path}?q=nowhere` })).count).toBe(0)
  })
})
