import { beforeAll, describe, expect, test } from 'bun:test'
import { resultsOf } from './every-answer.ts'
import { getPage, getTitles } from './list-page.ts'
import { type Fields, type Role, useService } from './service.ts'
import { createTalks, live } from './talks.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader'] })

beforeAll(async () => void (await createTalks(service)))

describe('speaker_id and tag_id', () => {
  let ids: ReadonlyMap<unknown, unknown> = new Map()
  beforeAll(async () => {
    const all: Fields[] = []
    for (const kind of ['speaker', 'tag']) {
      const answer = await service.call({ method: 'GET', path: `/api/v2/${kind}`, as: 'reader' })
      all.push(...resultsOf(answer))
    }
    ids = new Map(all.map(({ name, id }) => [name, id]))
  })

  const cases: readonly (readonly [asks: readonly string[], titles: readonly string[], as?: Role])[] = [
    [['speaker_id=Ada Lovelace'], ['Apple']],
    [['speaker_id=Zoë Ångström'], ['Apple']],
    [['speaker_id=Ada Draft'], []],
    [['speaker_id=Ada Draft'], ['Jackfruit'], 'reader'],
    [['speaker_id=Ada Lovelace', 'speaker_id=Zoë Ångström'], ['Apple']],
    [['speaker_id=Ada Lovelace', 'speaker_id=Ada Lovelace'], ['Apple']],
    [['speaker_id=Ada Lovelace', 'speaker_id=Ada Byron'], []],
    [['speaker_id=Ada Lovelace', 'speaker=zoe'], ['Apple']],
    [['speaker_id=Ada Byron', 'tag_id=web'], ['banana']],
    [['tag_id=web'], ['banana']],
    [['tag_id=Web'], ['Apple']],
    [['tag_id=web', 'tag_id=webassembly'], ['banana']],
    [['tag_id=secret'], []],
    [['tag_id=secret', 'state=2'], ['Kumquat'], 'reader'],
    [['tag_id=Web', 'q=apple'], ['Apple']],
    [['tag_id=Web', 'q=banana'], []],
  ]
  for (const [asks, titles, as = 'none'] of cases) {
    test(`${asks.join(' & ')} finds ${titles.join(', ') || 'nothing'} for ${as}`, async () => {
      const query = asks.map((ask): [string, string] => {
        const [name = '', value = ''] = ask.split('=')
        return [name, name.endsWith('_id') ? String(ids.get(value)) : value]
      })
      for (const more of [[], [['ordering', '-added']], [['cursor', '']], [['facets', 'tag']]]) {
        const asked = new URLSearchParams([
          ...query,
          ...more.map(([name = '', value = '']): [string, string] => [name, value]),
        ])
        const page = await getPage(service, `${asked}`, as)
        expect(page.results.map(({ title }) => title)).toEqual([...titles])
        expect(page.count).toBe(titles.length)
      }
    })
  }

  for (const [query, titles] of [
    ['speaker_id=999999', []],
    ['tag_id=9007199254740991', []],
    ['speaker_id=&tag_id=', live],
  ] as const) {
    test(`${query} finds ${titles.length}`, async () => {
      expect((await getTitles(service, query)).sort()).toEqual([...titles].sort())
    })
  }
})
