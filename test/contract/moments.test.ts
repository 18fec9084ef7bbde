import { beforeAll, describe, expect, test } from 'bun:test'
import { toCompanionBody, toCompanionChecksum } from '../../src/store/companion/companion-rows.ts'
import { openEngine, withDatabase } from '../../src/store/open.ts'
import { until } from '../harness/until.ts'
import { type Fields, parseFields, useService } from './service.ts'

const service = useService({ roles: ['reader', 'publisher'], args: ['--threads', '1'] })

const path = '/api/v2/moments'
const said = ['So the garbage', 'collector <b>runs</b> twice.', 'Nobody asked why', 'the collector runs.']

async function say(id: number, language: string, texts: readonly string[]): Promise<void> {
  const cues = texts.map((text, i) => ({ start: i * 3500, end: (i + 1) * 3500, text }))
  const body = toCompanionBody({ origin: 'machine', cues })
  await withDatabase(await openEngine(service.server().db), 'write', async (db) => {
    const insert = 'INSERT INTO companion (record_id, name, number, alone, checksum, body) VALUES (?, ?, 2, 1, ?, ?)'
    await db.transaction('write', async () => {
      await db.query(insert).run(id, `transcripts/${language}`, toCompanionChecksum(body), body)
      const trait = 'INSERT INTO companion_trait (trait, record_id, name) VALUES (?, ?, ?)'
      for (const each of [`transcript:machine:${language}`, `transcript_language:${language}`])
        await db.query(trait).run(each, id, `transcripts/${language}`)
    })
  })
}

interface Found {
  readonly count: number
  readonly count_is?: string
  readonly next: string | null
  readonly results: readonly { readonly record: Fields; readonly hits: number; readonly moments: readonly Fields[] }[]
}

async function find(query: string, as: 'none' | 'reader' = 'none', at = path): Promise<Found> {
  const answer = await service.call({ method: 'GET', path: `${at}?${query}`, as })
  expect(answer.status).toBe(200)
  return parseFields(answer) as unknown as Found
}

const toIds = ({ results }: Found) => results.map(({ record }) => record.id)

let [first, second, draft] = [0, 0, 0]

beforeAll(async () => {
  const create = async (fields: Fields) => Number((await service.create({ state: 1, ...fields })).id)
  first = await create({ title: 'First', recorded: '2020-01-01', duration: 60, category: 'One' })
  second = await create({ title: 'Second', recorded: '2021-01-01', category: 'Two' })
  draft = await create({ title: 'Draft', state: 2 })
  await say(first, 'en', said)
  await say(second, 'en', ['the collector of stamps', 'is here'])
  await say(
    second,
    'de',
    Array.from({ length: 90 }, (_, i) => (i % 30 === 0 ? 'tick' : 'a quiet line of a clock that says little')),
  )
  await say(draft, 'en', ['the collector of secrets'])
  await until('all transcripts are indexed', async () => {
    const { count, count_is: countIs } = await find('q=collector', 'reader')
    return count === 3 && countIs === undefined
  })
}, 60_000)

describe('what was said', () => {
  test('is found with its time, text and marks', async () => {
    const { results } = await find('q=%22garbage%20collector%22')
    expect(results).toEqual([
      {
        record: {
          id: first,
          slug: 'first',
          title: 'First',
          speakers: [],
          category: 'One',
          recorded: '2020-01-01',
          duration: 60,
        },
        hits: 1,
        moments: [
          {
            language: 'en',
            start: 0,
            end: 14,
            text: said.join(' '),
            marks: [
              [7, 14],
              [15, 24],
            ],
            url: `${service.server().url}/video/${first}/first?t=0`,
          },
        ],
      },
    ])
  })

  test.each([
    ['q=collector', () => [first, second]],
    ['q=collector&category=two', () => [second]],
    ['q=collector&page_size=1&page=2', () => [second]],
    ['q=collector -stamps', () => [first]],
    ['q="collector runs"', () => [first]],
    ['q="runs collector"', () => []],
    ['q=stamps garbage', () => []],
    ['q=-collector', () => []],
    ['q=collector&transcript_language=en', () => [first, second]],
    ['q=collector&transcript_language=de', () => []],
    ['q=tick&transcript_language=de', () => [second]],
    ['q=tick&transcript_language=en', () => []],
    ['q=', () => []],
  ])('%s', async (query, ids) => {
    expect(toIds(await find(query.replaceAll(' ', '%20').replaceAll('"', '%22')))).toEqual(ids())
  })

  test('has moments in order of time, as many as wanted', async () => {
    const { results } = await find('q=collector')
    // The line of the second one is in the text of the first.
    expect(results[0]).toMatchObject({
      hits: 2,
      moments: [
        {
          start: 3.5,
          marks: [
            [0, 9],
            [50, 59],
          ],
        },
      ],
    })
    const long = await find('q=tick')
    expect(long.results[0]?.moments.map(({ start }) => start)).toEqual([0, 105, 210])
    expect(String(long.results[0]?.moments[1]?.url)).toEndWith('?t=105&transcript=de')
    expect((await find('q=tick&moments=1')).results[0]?.moments).toHaveLength(1)
  })

  test('in a draft is for token holders', async () => {
    expect(toIds(await find('q=secrets'))).toEqual([])
    expect(toIds(await find('q=secrets', 'reader'))).toEqual([draft])
    const ofDraft = `/api/v2/video/${draft}/moments`
    expect((await service.call({ method: 'GET', path: `${ofDraft}?q=secrets`, as: 'none' })).status).toBe(404)
    expect(toIds(await find('q=secrets', 'reader', ofDraft))).toEqual([draft])
  })

  test('is found in one talk', async () => {
    expect(toIds(await find('q=collector', 'none', `/api/v2/video/${second}/moments`))).toEqual([second])
    expect((await service.call({ method: 'GET', path: '/api/v2/video/999/moments?q=x', as: 'none' })).status).toBe(404)
  })

  test.each(['moments=0', 'moments=x', 'page_size=0', `q=${'x'.repeat(201)}`])('%s is refused', async (query) => {
    expect(
      (await service.call({ method: 'GET', path: `${path}?q=x&${query}`.replace('q=x&q=', 'q='), as: 'none' })).status,
    ).toBe(400)
  })

  test('has a box that keeps the filters, and titles as on every card', async () => {
    const title = 'Quoting `--help`'
    const talk = await service.create({ title, category: 'Three', state: 1, speakers: ['Ada Nova'] })
    await say(Number(talk.id), 'en', ['a marmot whistles'])
    await until('it is indexed', async () => (await find('q=marmot')).count === 1)
    const { body } = await service.call({ method: 'GET', path: '/moments?q=marmot&category=three', as: 'none' })
    expect(body).toContain('<form action="/moments" method="get"><input type="search" name="q" value="marmot"')
    expect(body).toContain('<input type="hidden" name="category" value="three"/>')
    expect(body).toContain('Quoting <code>--help</code></a></h2>')
    expect(body).toContain('>Ada Nova</a>')
  })

  test.each(['/moments?q=collector', '/search?q=collector'])('is on %s, without drafts', async (page) => {
    const { status, body } = await service.call({ method: 'GET', path: page, as: 'reader' })
    expect(status).toBe(200)
    expect(body).toContain(`<a href="/video/${first}/first?t=3" data-start="3.5"><span class="time">0:03</span>`)
    expect(body).toContain('<mark>collector</mark> &lt;b>runs&lt;/b> twice.')
    // Where the line is in 60 seconds.
    expect(body).toContain('<path d="M5.8 0v4"></path>')
    expect(body).not.toContain('secrets')
  })

  test('is a result, though no title or description matches', async () => {
    const { body } = await service.call({ method: 'GET', path: '/search?q=garbage+collector', as: 'none' })
    expect(body).toContain('Results for “')
    expect(body).toContain('No title, name or description matches.')
    expect(body).not.toContain('Check the spelling')
  })

  test('is on the page of its talk, with the line of the time that is asked for', async () => {
    const { body } = await service.call({ method: 'GET', path: `/video/${first}/first?t=4`, as: 'none' })
    expect(body).toContain('Transcribed by a machine; may contain mistakes.')
    expect(body).toContain('<span data-start="3.5" aria-current="true">collector &lt;b>runs&lt;/b> twice. </span>')
    const { body: found } = await service.call({ method: 'GET', path: `/video/${first}/first?say=twice`, as: 'none' })
    expect(found).toContain('<mark>twice</mark>')
    expect(found).not.toContain('these are the best places')
    const { body: all } = await service.call({ method: 'GET', path: `/video/${first}/first?say=collector`, as: 'none' })
    expect(all).toContain('Said 2 times; these are the best places.')
  })

  test('never changes the list', async () => {
    const answer = parseFields(await service.call({ method: 'GET', path: '/api/v2/video?q=garbage', as: 'none' }))
    expect(answer.count).toBe(0)
  })
})
