import { beforeAll, describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { until } from '../harness/until.ts'
import { checkEveryAnswer } from './every-answer.ts'
import { type Fields, isFields, parseFields, type Role, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'publisher'] })

const rossum = 'Guido van Rossum'
const talks: readonly Fields[] = [
  { title: 'King’s Day Keynote', speakers: [rossum], tags: ['asyncio', 'python'], recorded: '2018-05-01' },
  { title: 'Tulip: Async I/O', speakers: [rossum], tags: ['asyncio', 'c++'], recorded: '2013-03-01' },
  { title: 'Why asyncio is slow', speakers: ['Zoë Ångström'], tags: ['asyncio'], recorded: '2019-05-01' },
  { title: 'Asynchronous Zope', speakers: ['Vanessa Gui'], category: 'Größe 2015', recorded: '2020-05-01' },
  { title: 'Growing trees', speakers: ['Ada Lovelace', 'Jean-Luc O’Reilly'], tags: ['.NET', 'node.js'] },
  { title: 'A hidden xylophone', speakers: ['Xaver Hidden'], tags: ['xylophone'], category: 'Xenia', state: 2 },
  { title: '東京の図書館', speakers: ['山田太郎'], tags: ['日本語'] },
  { title: 'Быстрый поиск', speakers: ['김철수', 'Фёдор Достоевский', 'محمد علي'] },
  ...Array.from({ length: 12 }, (_, i) => ({
    title: `Lesson ${i + 1}`,
    speakers: [`Quentin Number${String.fromCharCode(97 + i)}`],
    tags: i < 4 ? ['quantum'] : ['quiet'],
    recorded: `2021-01-${String(i + 1).padStart(2, '0')}`,
  })),
  { title: 'Quilts of yore', recorded: '2001-01-01' },
  { title: 'More quilts', recorded: '2002-01-01' },
  { title: 'Quilts again', recorded: '2003-01-01' },
  { title: 'The last quilt', recorded: '2000-01-01' },
]

beforeAll(async () => {
  for (const talk of talks) await service.create({ category: 'PyCon 2012', ...talk })
})

/** The suggestions once everything is loaded. */
async function suggest(text: string, as: Role = 'none'): Promise<readonly Fields[]> {
  const call = { method: 'GET', path: `/api/v2/suggest?q=${encodeURIComponent(text)}`, as }
  let answer = await service.call(call)
  await until('everything is loaded', async () => {
    answer = await service.call(call)
    return headerOf(answer, 'Cache-Control') !== 'no-store'
  })
  checkEveryAnswer(call, answer)
  const { results } = parseFields(answer)
  return Array.isArray(results) ? results.filter(isFields) : expect.unreachable()
}

const textsOf = async (text: string, as: Role = 'none') => (await suggest(text, as)).map((each) => each.text)

describe('Suggestions', () => {
  test('have these members', async () => {
    const { url } = service.server()
    const [guido, ...others] = await suggest('rossum')
    expect(guido).toEqual({ kind: 'speaker', text: rossum, url: guido?.url ?? '', count: 2 })
    expect(others).toEqual([])
    const page = await service.call({ method: 'GET', path: String(guido?.url).slice(url.length) })
    expect(guido?.url).toMatch(/\/speaker\/\d+\/guido-van-rossum$/)
    expect([page.status, page.body.includes(`<h1 dir="auto">${rossum}</h1>`)]).toEqual([200, true])
    expect(await suggest('größe')).toEqual([
      { kind: 'category', text: 'Größe 2015', url: `${url}/category/grosse-2015`, count: 1 },
    ])
    const [tree] = await suggest('growing')
    expect(tree).toMatchObject({ kind: 'video', text: 'Growing trees', count: 1 })
  })

  const found: readonly (readonly [typed: string, first: string])[] = [
    ['g', rossum],
    ['guido', rossum],
    ['van ros', rossum],
    ['rossum guido', rossum],
    ['GUIDO  VAN', rossum],
    ['zoe', 'Zoë Ångström'],
    ['angstrom', 'Zoë Ångström'],
    ['ÅNG', 'Zoë Ångström'],
    ['grosse', 'Größe 2015'],
    ['2015', 'Größe 2015'],
    ['o’rei', 'Jean-Luc O’Reilly'],
    ["o'reilly", 'Jean-Luc O’Reilly'],
    ['oreil', 'Jean-Luc O’Reilly'],
    ['jean-l', 'Jean-Luc O’Reilly'],
    ['jean luc', 'Jean-Luc O’Reilly'],
    ['c++', 'c++'],
    ['.ne', '.NET'],
    ['node.j', 'node.js'],
    ['nodejs', 'node.js'],
    ['山', '山田太郎'],
    ['太郎', '山田太郎'],
    ['山田太', '山田太郎'],
    ['本語', '日本語'],
    ['図書', '東京の図書館'],
    ['김철', '김철수'],
    ['федор', 'Фёдор Достоевский'],
    ['محم', 'محمد علي'],
    ['быстр', 'Быстрый поиск'],
    ['lesson 12', 'Lesson 12'],
    ['trees growing', 'Growing trees'],
  ]
  test.each(found)('find a word of a name or title as it is typed: %p -> %p', async (typed, first) => {
    expect((await textsOf(typed))[0]).toBe(first)
  })

  const forgiven: readonly (readonly [typed: string, text: string])[] = [
    ['asnyc', 'asyncio'],
    ['asyncoi', 'asyncio'],
    ['guido van rosum', rossum],
    ['giudo', rossum],
    ['lovelcae', 'Ada Lovelace'],
    ['lovalac', 'Ada Lovelace'],
    ['ada lovvelace', 'Ada Lovelace'],
    ['growign tre', 'Growing trees'],
    ['a.lovelace', 'Ada Lovelace'],
  ]
  test.each(forgiven)('forgive errors: %p -> %p', async (typed, text) => {
    expect(await textsOf(typed)).toContain(text)
  })

  test('are as typed before they are forgiven, and the most used first', async () => {
    expect((await suggest('asyn')).map(({ text, count }) => [text, count])).toEqual([
      ['asyncio', 3],
      ['Asynchronous Zope', 1],
      ['Why asyncio is slow', 1],
      ['Tulip: Async I/O', 1],
    ])
    expect((await textsOf('qu')).slice(0, 3)).toEqual(['quiet', 'quantum', 'Quentin Numbera'])
  })

  test('are not forgiven where a name or title fits as typed', async () => {
    await service.create({ title: 'Rowing trees', category: 'PyCon 2012' })
    expect([await textsOf('rowing'), await textsOf('growing')]).toEqual([['Rowing trees'], ['Growing trees']])
  })

  test('have the editions of an event together, the newest first, and the exact one before them', async () => {
    for (const [year, talks] of [
      [2014, 1],
      [2016, 3],
      [2015, 2],
    ] as const) {
      for (let i = 0; i < talks; i++)
        await service.create({ title: `Port ${year} ${i}`, category: `Harbourfest ${year}` })
    }
    for (const title of ['One', 'Two'])
      await service.create({ title, tags: ['harbourmasters'], category: 'PyCon 2012' })
    const editions = ['Harbourfest 2016', 'Harbourfest 2015', 'Harbourfest 2014']
    expect(await textsOf('harbour')).toEqual([...editions, 'harbourmasters'])
    expect((await textsOf('harbourfest 2014'))[0]).toBe('Harbourfest 2014')
  })

  test('put the name that was typed to its end first, and of equals the one that begins with it', async () => {
    expect((await textsOf('quantum'))[0]).toBe('quantum')
    expect((await textsOf('gui')).slice(0, 2)).toEqual([rossum, 'Vanessa Gui'])
    expect((await textsOf('van')).slice(0, 2)).toEqual([rossum, 'Vanessa Gui'])
  })

  test('are ten at most, of which three are titles, newest first', async () => {
    const results = await suggest('qu')
    expect(results).toHaveLength(10)
    const titles = results.filter(({ kind }) => kind === 'video').map(({ text }) => text)
    expect(titles).toEqual(['Quilts again', 'More quilts', 'Quilts of yore'])
    expect((await suggest('q')).map(({ kind }) => kind)).not.toContain('video')
    expect(await suggest('lesson')).toHaveLength(10)
  })

  test('tell callers without a token nothing that only drafts have', async () => {
    for (const typed of ['x', 'xyl', 'xylophnoe', 'hidden', 'xaver', 'xenia', 'a hidden xylo']) {
      expect([typed, await suggest(typed)]).toEqual([typed, []])
      expect([typed, (await suggest(typed, 'reader')).length > 0]).toEqual([typed, true])
    }
    expect(await textsOf('xyl', 'reader')).toEqual(['xylophone', 'A hidden xylophone'])
  })

  test('follow publishing, withdrawing and renaming at once', async () => {
    const { id } = await service.create({ title: 'Wombats', speakers: ['Wilma W'], category: 'Wild 1', state: 2 })
    expect(await textsOf('w wi')).toEqual([])
    await service.patch(id, { state: 1 })
    expect(await textsOf('wi')).toEqual(['Wild 1', 'Wilma W'])
    await service.patch(id, { speakers: ['Wendy W'], title: 'Weasels' })
    expect([await textsOf('wilma'), await textsOf('wend'), await textsOf('weas')]).toEqual([
      [],
      ['Wendy W'],
      ['Weasels'],
    ])
    const json = { title: 'Yonder 1' }
    await service.call({ method: 'PATCH', path: '/api/v2/category/wild-1', as: 'publisher', json })
    expect([await textsOf('wild'), await textsOf('yonder')]).toEqual([[], ['Yonder 1']])
    await service.patch(id, { state: 2 })
    expect([await textsOf('wendy'), await textsOf('weasels'), await textsOf('yonder')]).toEqual([[], [], []])
  })

  test.each([
    '"',
    '((((',
    '%_*',
    '\u0000',
    '\ud800',
    '\u202e\u200d',
    '💡'.repeat(200),
    'a '.repeat(100),
    'ab'.repeat(100),
    [...'abcdefghijklmnopqrstuvwxyz'].join(' '),
    '山'.repeat(200),
    'a.b.c.d.e.f.g.h.i.j.k.l',
    "'; DROP TABLE speaker; --",
    '-".NET" NOT NEAR(a b)',
    '\u0301'.repeat(200),
  ])('take any text: %p', async (typed) => {
    expect((await suggest(typed.toWellFormed())).length).toBeLessThanOrEqual(10)
  })
})
