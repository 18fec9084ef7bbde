import { beforeAll, describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { type Curator, createCurator } from './curator.ts'
import { type Fields, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'] })

const hostile = '<script>alert(1)</script> "quoted" & \u202eback\u202c'
const made = new Map<string, Fields>()
const idOf = (title: string) => Number(made.get(title)?.id)
let publisher: Curator

beforeAll(async () => {
  const wanted: Fields[] = [
    { title: 'First draft', state: 2, recorded: '2024-05-03', speakers: ['Ada Quill', 'Ben Stone'] },
    { title: 'Second draft', state: 2, recorded: '2024-05-02', category: 'Other event', whiteboard: 'Ask Ada' },
    { title: hostile, state: 2, recorded: '2024-05-01' },
    { title: 'Parked draft', state: 2, whiteboard: '[parked] Nobody has the recording' },
    { title: 'LOUD AND LIVE TALK', recorded: '2023-01-01', language: 'German', tags: ['x'] },
    { title: 'Same one', source_url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', language: 'English' },
    { title: 'Same two', source_url: 'https://youtu.be/dQw4w9WgXcQ', language: 'English' },
  ]
  for (const fields of wanted) made.set(String(fields.title), await service.create(fields))
  const path = `/api/v2/video/${idOf('First draft')}/recordings`
  const json = { recordings: [{ url: 'https://example.org/mirror' }] }
  expect((await service.call({ method: 'PUT', path, json, as: 'editor' })).status).toBe(200)
  publisher = createCurator(service)
  await publisher.signIn(service.keyOf('publisher'))
}, 180_000)

/** The titles of the rows of a list, as text. */
function listTitles(html: string): string[] {
  const titles = [...html.matchAll(/<th scope="row"><a href="[^"]*"[^>]*>([^<]*)<\/a>/g)].map(([, title = '']) => title)
  return titles.map((title) => title.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
}

const find = async (query: string) => listTitles((await publisher.get(`/edit/list?${query}`)).body)

describe('A work list', () => {
  test('has the records that the list of the API has, in its order', async () => {
    for (const query of [
      'state=2',
      'finding=missing_tags',
      'language=German',
      'whiteboard=1',
      'ordering=-title',
      'q=draft',
    ]) {
      const ordering = query.includes('ordering') ? '' : '&ordering=-recorded'
      const answer = await service.call({ method: 'GET', path: `/api/v2/video?${query}${ordering}`, as: 'reader' })
      const expected = JSON.parse(answer.body).results.map(({ title }: Fields) => title)
      expect(expected.length).toBeGreaterThan(0)
      expect(await find(query)).toEqual(expected)
    }
  })

  test('of drafts leaves out those set aside, and says how many there are', async () => {
    const { body } = await publisher.get('/edit/list?state=2&parked=0')
    expect(listTitles(body)).toEqual(['First draft', 'Second draft', hostile])
    expect(body).toContain('and 1 set aside')
    expect(await find('state=2&parked=1')).toEqual(['Parked draft'])
  })

  test('shows what is to do in each record, and who changed it last', async () => {
    const { body } = await publisher.get('/edit/list?q=loud')
    expect(body).toContain('capitals')
    expect(body).toContain('no speakers')
    expect(body).not.toContain('no language')
    expect(body).toContain('by ROSTRUM_ADMIN_TOKEN')
  })

  test('shows texts of others as text', async () => {
    const { body } = await publisher.get('/edit/list?state=2')
    expect(body).not.toContain('<script>alert')
    expect(listTitles(body)).toContain(hostile)
  })

  test('links to the editor, which knows the list', async () => {
    const { body } = await publisher.get('/edit/list?state=2&page=1&page_size=20')
    expect(body).toContain(`/edit/video/${idOf('First draft')}?list=state%3D2"`)
  })

  test('sorts by its columns', async () => {
    const { body } = await publisher.get('/edit/list?state=2&ordering=title')
    expect(body).toMatch(/aria-sort="ascending"><a href="[^"]*ordering=-title"/)
    expect(body).toMatch(/<th scope="col"><a href="\/edit\/list\?state=2"/)
  })

  test('has pages', async () => {
    const first = await publisher.get('/edit/list?page_size=20')
    expect(listTitles(first.body)).toHaveLength(7)
    const titles = [
      ...(await find('page_size=3')),
      ...(await find('page_size=3&page=2')),
      ...(await find('page_size=3&page=3')),
    ]
    expect(titles).toEqual(listTitles(first.body))
    const gone = await publisher.get('/edit/list?page_size=3&page=9')
    expect([gone.status, headerOf(gone, 'Location')]).toEqual([303, '/edit/list?page_size=3&page=3'])
    expect((await publisher.get('/edit/list?page=x')).status).toBe(404)
  })

  test('that is empty says so', async () => {
    const { status, body } = await publisher.get('/edit/list?language=Welsh')
    expect([status, listTitles(body)]).toEqual([200, []])
    expect(body).toContain('No talks match these filters.')
  })

  test('has a URL without parameters that the form left empty', async () => {
    const answer = await publisher.get('/edit/list?q=&category=&state=2&finding=&page_size=')
    expect([answer.status, headerOf(answer, 'Location')]).toEqual([303, '/edit/list?state=2'])
  })

  test('accepts missing fields as findings, and several of them', async () => {
    const { body } = await publisher.get('/edit/list?missing=tags,language&finding=missing_speakers')
    expect(listTitles(body)).not.toContain('First draft')
    expect(listTitles(body)).toContain('Second draft')
    expect(body).toMatch(/<option value="missing_tags,missing_language,missing_speakers" selected/)
  })
})

describe('What is wrong with a filter is said at the filter', () => {
  test.each([
    ['language=klingonish', 'filter-language-error'],
    ['host=a%20b', 'filter-host-error'],
    ['state=3', 'filter-state-error'],
    ['finding=nonsense', 'filter-finding-error'],
    ['missing=nonsense', 'missing must be'],
    ['recorded_after=x', 'recorded_after must be'],
    ['stat=1', '&quot;stat&quot; is not a filter'],
    [`q=${'x'.repeat(300)}`, 'filter-q-error'],
    ['state=1&state=2', 'state can be given only once'],
    ['parked=maybe', 'filter-parked-error'],
    ['id=x', 'id must be'],
  ])('%s', async (query, text) => {
    const { status, body } = await publisher.get(`/edit/list?${query}`)
    expect(status).toBe(400)
    expect(body).toContain(text)
    expect(body).toContain('<form class="list-filters"')
  })

  test.each([
    'category=%00',
    'by=%00',
    'q=%00',
    'host=%00',
    'ordering=%00',
    'speaker=%00',
    'x=%ff',
    'category=%ED%A0%80',
  ])('hostile values do not fail: %s', async (query) => {
    expect([200, 303, 400]).toContain((await publisher.get(`/edit/list?${query}`)).status)
  })

  test('and is text, too', async () => {
    const { status, body } = await publisher.get(
      `/edit/list?${new URLSearchParams({ [hostile]: hostile, language: hostile })}`,
    )
    expect(status).toBe(400)
    expect(body).not.toContain('<script>alert')
  })
})

describe('The overview', () => {
  test('counts every list', async () => {
    const { body } = await publisher.get('/edit')
    const counts = new Map(
      [...body.matchAll(/<a href="\/edit\/([^"]*)">([^<]*) <span class="count">([\d,]+)<\/span>/g)].map(
        ([, href, , count]) => [href, Number(count)],
      ),
    )
    expect(counts.get('list?state=2&amp;parked=0')).toBe(3)
    expect(counts.get('list?state=2&amp;parked=1')).toBe(1)
    expect(counts.get('list?whiteboard=1')).toBe(2)
    expect(counts.get('list?has=recordings')).toBe(1)
    expect(counts.get('list?finding=missing_language')).toBe(4)
    expect(counts.get('list?finding=shouting_title')).toBe(1)
    expect(counts.get('duplicates')).toBe(1)
    const today = new Date().toISOString().slice(0, 10)
    expect(counts.get(`list?updated_after=${today}&amp;ordering=-updated`)).toBe(7)
    expect(counts.get(`list?by=the+publisher&amp;updated_after=${today}&amp;ordering=-updated`)).toBe(0)
    expect(body).toMatch(/Contract tests<\/span> <span class="count">\d+<span class="hidden-text"> issues</)
  })
})

describe('Duplicates', () => {
  test('are side by side, with links to edit them', async () => {
    const { body } = await publisher.get('/edit/duplicates')
    const [one, two] = [idOf('Same one'), idOf('Same two')]
    for (const id of [one, two]) expect(body).toContain(`/edit/video/${id}"`)
    const compared = await publisher.get(`/edit/duplicates?compare=${one},${two}`)
    expect(compared.status).toBe(200)
    expect(compared.body).toContain('https://youtu.be/dQw4w9WgXcQ')
  })

  test.each(['1', '1,x', '1,2,3', '', '1,999999'])('cannot be compared: %s', async (ids) => {
    expect((await publisher.get(`/edit/duplicates?compare=${ids}`)).status).toBe(404)
  })

  test('by title are of one event', async () => {
    expect((await publisher.get('/edit/duplicates?reason=same_title')).body).toContain(
      'No event has two talks with the same title, apart from those that you have decided on.',
    )
  })
})

test('Findings of events are sorted by the requested finding', async () => {
  const titles = async (sort: string) =>
    listTitles((await publisher.get(`/edit/findings?sort=${sort}`)).body.replaceAll(' dir="auto"', ''))
  expect(await titles('')).toEqual(['Contract tests', 'Other event'])
  expect(await titles('title')).toEqual(['Contract tests', 'Other event'])
  expect(await titles('shouting_title')).toEqual(['Contract tests'])
  expect(await titles('nonsense')).toEqual(['Contract tests', 'Other event'])
  expect((await publisher.get('/edit/findings?page=0')).status).toBe(404)
})

describe('A row', () => {
  test('has three speakers, and the number of the others', async () => {
    const speakers = Array.from({ length: 40 }, (_, i) => `Speaker ${i + 1}`)
    await service.create({ title: 'Crowded stage', speakers })
    const { body } = await publisher.get('/edit/list?q=crowded')
    expect(body).toContain('Speaker 1, Speaker 2, Speaker 3 <span')
    expect(body).toContain('+37')
    const few = await publisher.get('/edit/list?q=first')
    expect(few.body).toContain('Ada Quill, Ben Stone</td>')
  })

  test('says once that a draft is set aside', async () => {
    const { body } = await publisher.get('/edit/list?state=2&parked=1')
    expect(body).toContain('>set aside</span>')
    expect(body).toContain('>Nobody has the recording</p>')
    expect(body).not.toContain('[parked]')
  })
})
