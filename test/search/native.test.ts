import { beforeAll, describe, expect, test } from 'bun:test'
import { getPage } from '../contract/list-page.ts'
import { useService } from '../contract/service.ts'
import { nativeCases } from './native-cases.ts'
import { otherTalks } from './other-talks.ts'

// Runner: long PostgreSQL

const service = useService()

beforeAll(async () => {
  for (const talk of otherTalks) await service.create({ category: 'Others', ...talk })
  for (const { talk } of nativeCases) await service.create({ category: 'Natives', ...talk })
}, 180_000)

describe('What a native types finds the talk first:', () => {
  for (const { language, talk, typed } of nativeCases) {
    for (const query of typed) {
      test(`${language}: ${query} finds ${talk.title}`, async () => {
        const { results } = await getPage(service, `match=best&q=${encodeURIComponent(query)}`)
        expect(results.map(({ title }) => title)[0]).toBe(talk.title)
      })
    }
  }
})
