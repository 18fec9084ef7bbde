import { beforeAll, describe, expect, test } from 'bun:test'
import { checkEveryAnswer } from './every-answer.ts'
import { type ListPage, toPage } from './list-page.ts'
import { type Fields, fail, type Role, useService } from './service.ts'
import { createMany, createTalks } from './talks.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader'] })

beforeAll(async () => {
  await createTalks(service)
})

async function getWords(target: string, as: Role = 'none'): Promise<ListPage> {
  const call = { method: 'GET', path: `/api/v2/${target}`, as }
  const answer = await service.call(call)
  if (answer.status !== 200) fail(`${target} got ${answer.status}: ${answer.body}`)
  checkEveryAnswer(call, answer)
  return toPage(answer)
}

const show = ({ name, count }: Fields) => `${name}: ${count}`

const lists: readonly (readonly [target: string, as: Role, words: readonly string[]])[] = [
  ['speaker', 'none', ['Ada Byron: 1', 'Ada Lovelace: 1', 'Łukasz Ødegård: 1', 'Zoë Ångström: 1', '山田太郎: 1']],
  [
    'speaker',
    'reader',
    ['Ada Byron: 1', 'Ada Draft: 1', 'Ada Lovelace: 1', 'Łukasz Ødegård: 1', 'Zoë Ångström: 1', '山田太郎: 1'],
  ],
  ['tag', 'none', ['100%_sure: 1', 'Café society: 1', 'data: 1', 'Web: 1', 'web: 1', 'webassembly: 1', '柑橘: 1']],
  ['tag?q=secret', 'none', []],
  ['tag?q=secret', 'reader', ['secret: 1']],
  ['language', 'none', ['English: 2', 'German: 1', 'Japanese: 1', 'Norwegian Bokmål: 1']],
  ['language', 'reader', ['English: 3', 'German: 1', 'Japanese: 1', 'Norwegian Bokmål: 1']],
  ['speaker?q=ada', 'none', ['Ada Byron: 1', 'Ada Lovelace: 1']],
  ['speaker?q=ADA%20L', 'none', ['Ada Lovelace: 1']],
  ['speaker?q=lovelace', 'none', ['Ada Lovelace: 1']],
  ['speaker?q=LOVE', 'none', ['Ada Lovelace: 1']],
  ['speaker?q=ovelace', 'none', []],
  ['speaker?q=%C3%A5ng', 'none', ['Zoë Ångström: 1']],
  ['speaker?q=oe', 'none', []],
  ['speaker?q=degard', 'none', []],
  ['speaker?q=draft', 'none', []],
  ['speaker?q=draft', 'reader', ['Ada Draft: 1']],
  ['speaker?q=zoe', 'none', ['Zoë Ångström: 1']],
  ['speaker?q=ZO%C3%8B%20%C3%A5', 'none', ['Zoë Ångström: 1']],
  ['speaker?q=lukasz%20od', 'none', ['Łukasz Ødegård: 1']],
  ['speaker?q=%E5%B1%B1', 'none', ['山田太郎: 1']],
  ['speaker?q=%E5%A4%AA%E9%83%8E', 'none', ['山田太郎: 1']],
  ['speaker?q=%25', 'none', []],
  ['speaker?q=_', 'none', []],
  ['speaker?q=%00', 'none', []],
  ['speaker?q=ada%00', 'none', []],
  ['tag?q=web', 'none', ['Web: 1', 'web: 1', 'webassembly: 1']],
  ['tag?q=cafe', 'none', ['Café society: 1']],
  ['tag?q=soc', 'none', ['Café society: 1']],
  ['tag?q=assembly', 'none', []],
  ['tag?q=100%25_', 'none', ['100%_sure: 1']],
  ['tag?q=sure', 'none', ['100%_sure: 1']],
  ['tag?q=%25', 'none', []],
  ['tag?q=', 'none', ['100%_sure: 1', 'Café society: 1', 'data: 1', 'Web: 1', 'web: 1', 'webassembly: 1', '柑橘: 1']],
  ['language?q=eng', 'none', ['English: 2']],
  ['language?q=GER', 'none', ['German: 1']],
  ['language?q=lish', 'none', []],
  ['language?q=norwegian', 'none', ['Norwegian Bokmål: 1']],
  ['language?q=bokmal', 'none', ['Norwegian Bokmål: 1']],
  ['language?q=norwegian%20bokmal', 'none', ['Norwegian Bokmål: 1']],
  ['language?q=Norwegian%20Bokm%C3%A5l', 'none', ['Norwegian Bokmål: 1']],
]

describe('The list of', () => {
  for (const [target, as, words] of lists) {
    test(`${target} shows ${words.join(', ') || 'nothing'} to ${as}`, async () => {
      const { count, results } = await getWords(target, as)
      expect(results.map(show).sort()).toEqual([...words].sort())
      expect(count).toBe(words.length)
    })
  }

  test('speakers has id, name, slug and count of each', async () => {
    const { results } = await getWords('speaker')
    for (const each of results) expect(Object.keys(each).sort()).toEqual(['count', 'id', 'name', 'slug'])
    const slugs = results.map(({ slug }) => slug)
    expect(slugs).toContain('zoe-angstrom')
    expect(slugs).toContain('lukasz-odegard')
    expect(new Set(slugs).size).toBe(results.length)
    expect(new Set(results.map(({ id }) => id)).size).toBe(results.length)
  })

  test('speakers gives two of one slug two slugs', async () => {
    await service.create({ speakers: ['Zoe Angstrom'] })
    const { results } = await getWords('speaker?q=zoe')
    expect(results.map(({ slug }) => slug).sort()).toEqual(['zoe-angstrom', 'zoe-angstrom-2'])
  })

  test('speakers forgets who speaks nowhere any more', async () => {
    const record = await service.create({ speakers: ['Quick Change', 'Quentin Stays'] })
    expect((await getWords('speaker?q=qu')).results.map(show)).toEqual(['Quentin Stays: 1', 'Quick Change: 1'])
    await service.patch(record.id, { speakers: ['Quentin Stays'] })
    expect((await getWords('speaker?q=qu')).results.map(show)).toEqual(['Quentin Stays: 1'])
    await service.patch(record.id, { state: 2 })
    expect((await getWords('speaker?q=qu')).count).toBe(0)
    expect((await getWords('speaker?q=qu', 'reader')).count).toBe(1)
  })
})

describe('Paging of words', () => {
  test('has 50 a page, and page_size, next, previous and last', async () => {
    const wanted = Array.from({ length: 120 }, (_, index) => ({ tags: [`zz${String(index).padStart(3, '0')}`] }))
    await createMany(service, wanted)
    const first = await getWords('tag?q=zz')
    expect([first.count, first.results.length, first.previous]).toEqual([120, 50, null])
    const names: unknown[] = []
    let target: string | null = 'tag?q=zz&page_size=25'
    for (let pages = 0; target !== null && pages < 10; pages++) {
      const page: ListPage = await getWords(target)
      names.push(...page.results.map(({ name }) => name))
      target = page.next === null ? null : page.next.replace(/^.*\/api\/v2\//, '')
    }
    expect(names).toEqual(wanted.map(({ tags }) => tags[0]))
    const last = await getWords('tag?q=zz&page=last')
    expect([last.results.length, last.next]).toEqual([20, null])
    expect(new URL(last.previous ?? '').searchParams.get('page')).toBe('2')
    expect((await getWords('tag?q=zz&page_size=1000')).results).toHaveLength(100)
  })

  for (const [target, status] of [
    ['tag?page_size=0', 400],
    ['speaker?page_size=x', 400],
    ['language?page=2', 404],
    ['category?page=0', 404],
    ['category?page=x', 404],
    ['speaker?page=999', 404],
  ] as const) {
    test(`answers ${status} to ${target}`, async () => {
      const answer = await service.call({ method: 'GET', path: `/api/v2/${target}` })
      expect(answer.status).toBe(status)
      if (status === 400) expect(answer.body).toContain('page_size')
    })
  }
})

describe('Words', () => {
  for (const name of ['speaker', 'tag', 'language']) {
    test(`of ${name} cannot be written`, async () => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await service.call({ method, path: `/api/v2/${name}`, as: 'admin', json: {} })
        expect([method, answer.status]).toEqual([method, 405])
        expect(answer.headers.get('allow')).toEqual(['GET, HEAD, OPTIONS'])
      }
    })
  }
})
