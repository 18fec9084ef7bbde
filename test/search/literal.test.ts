import { beforeAll, describe, expect, test } from 'bun:test'
import { getPage } from '../contract/list-page.ts'
import { useService } from '../contract/service.ts'
import { literalCases, literalSpeakers, literalTalks } from './literal-cases.ts'
import { otherTalks } from './other-talks.ts'

// Runner: long PostgreSQL

const service = useService()

beforeAll(async () => {
  for (const talk of [...otherTalks, ...literalTalks, ...literalSpeakers]) {
    await service.create({ category: 'Words', ...talk })
  }
}, 180_000)

describe('Words mean what they say:', () => {
  test.each(literalCases)('%s', async (query, first, never = []) => {
    const { results } = await getPage(service, `match=best&page_size=100&q=${encodeURIComponent(query)}`)
    const titles = results.map(({ title }) => String(title))
    expect(titles.slice(0, first.length).sort()).toEqual([...first].sort())
    expect(titles.filter((title) => never.includes(title))).toEqual([])
  })
})
