import { beforeAll, describe, expect, test } from 'bun:test'
import { checkEveryAnswer } from './every-answer.ts'
import { followIds, getTitles } from './list-page.ts'
import { type Fields, isFields, listPath, parseFields, type Role, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader'] })

const talks: readonly Fields[] = [
  { title: 'Concurrent programming with asyncio', tags: ['asyncio'], recorded: '2019-05-01' },
  { title: 'Programming microcontrollers', summary: 'Small computers.', recorded: '2020-05-01' },
  { title: 'Event loops', description: 'What asyncio does while you wait.', recorded: '2021-05-01' },
  { title: 'The secret xylophone', state: 2 },
]

beforeAll(async () => {
  for (const talk of talks) await service.create({ category: 'Best', ...talk })
})

async function find(query: string, as: Role = 'none'): Promise<Fields> {
  const call = { method: 'GET', path: `${listPath}?match=best&${query}`, as }
  const answer = await service.call(call)
  checkEveryAnswer(call, answer)
  expect([query, answer.status]).toEqual([query, 200])
  return parseFields(answer)
}

const titlesOf = ({ results }: Fields) =>
  Array.isArray(results) ? results.map((result: Fields) => result.title) : expect.unreachable()

describe('match=best', () => {
  test('names what it corrected', async () => {
    const found = await find('q=asycnio')
    expect(found).toMatchObject({ count: 2, corrected: { asycnio: ['asyncio'] } })
    expect(Object.keys(found)).toEqual(['count', 'next', 'previous', 'results', 'corrected'])
  })

  test('names nothing if it corrected nothing', async () => {
    expect(Object.keys(await find('q=asyncio'))).toEqual(['count', 'next', 'previous', 'results'])
  })

  test('finds what has most of the words, where match=all finds nothing', async () => {
    expect(titlesOf(await find('q=concurrent+programming+asyncio+nowhere'))[0]).toBe(talks[0]?.title)
    expect(await getTitles(service, 'q=concurrent+programming+asyncio+nowhere&match=all')).toEqual([])
  })

  test('keeps phrases and exclusions strict', async () => {
    expect(titlesOf(await find(`q=${encodeURIComponent('"event loops" asycnio')}`))).toEqual(['Event loops'])
    expect(titlesOf(await find(`q=${encodeURIComponent('"evnet loops"')}`))).toEqual([])
    expect(titlesOf(await find('q=asyncio+-wait'))).toEqual([talks[0]?.title])
  })

  test('gives the same matches in another order', async () => {
    const best = titlesOf(await find('q=asycnio'))
    expect(titlesOf(await find('q=asycnio&ordering=-recorded'))).toEqual(['Event loops', talks[0]?.title])
    expect(titlesOf(await find('q=asycnio&ordering=recorded'))).toEqual([talks[0]?.title, 'Event loops'])
    expect(best.toSorted()).toEqual(['Event loops', talks[0]?.title].toSorted())
    expect(titlesOf(await find('q=asycnio&ordering=recorded&whiteboard=0'))).toEqual([talks[0]?.title, 'Event loops'])
  })

  test('has pages and cursors', async () => {
    const whole = await followIds(service, 'match=best&q=asycnio&ordering=id')
    for (const query of [
      'page_size=1',
      'page_size=1&cursor=',
      'page_size=1&ordering=-id',
      'page_size=1&ordering=id&cursor=',
    ]) {
      expect((await followIds(service, `match=best&q=asycnio&${query}`)).toSorted((a, b) => a - b)).toEqual(whole)
    }
    expect(await find('q=asycnio&page_size=1&page=last')).toMatchObject({ count: 2, next: null })
  })

  test('reveals no word that only drafts have to callers without a token', async () => {
    expect(await find('q=xylophnoe')).toMatchObject({ count: 0 })
    expect((await find('q=xylophnoe')).corrected).toBeUndefined()
    expect(await find('q=xylophnoe', 'reader')).toMatchObject({ count: 1, corrected: { xylophnoe: ['xylophone'] } })
  })

  test('marks the words that it matched, as they are in the texts', async () => {
    const { results } = await find('q=asycnio&highlight=1&ordering=recorded')
    const highlights = Array.isArray(results) ? results.map((result) => isFields(result) && result.highlight) : []
    expect(highlights).toEqual([
      { title: [[28, 35]], passage: { field: 'tags', text: 'asyncio', marks: [[0, 7]] } },
      {
        title: [],
        passage: { field: 'description', text: 'What asyncio does while you wait.', marks: [[5, 12]] },
      },
    ])
  })
})
