import { beforeAll, describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { unsaidOf } from './curated-names.ts'
import { checkEveryAnswer, resultsOf } from './every-answer.ts'
import { type Fields, fail, parseFields, type Role, tagOf, useService } from './service.ts'
import { type Row, runTable } from './table.ts'
import { createTalks } from './talks.ts'

const service = useService({ roles: ['reader'] })

async function get(target: string, as: Role = 'none') {
  const call = { method: 'GET', path: `/api/v2/${target}`, as }
  const answer = await service.call(call)
  checkEveryAnswer(call, answer)
  return answer
}

async function findName(kind: string, name: string): Promise<Fields> {
  const found = resultsOf(await get(`${kind}?page_size=100`, 'reader')).find((each) => each.name === name)
  return found ?? fail(`there is no ${kind} ${name}`)
}

beforeAll(async () => {
  await createTalks(service)
  for (const speakers of [
    ['Often Heard'],
    ['Often Heard', 'Olga Twice'],
    ['Often Heard', 'Olga Twice', 'Once Onstage'],
  ]) {
    await service.create({ speakers, category: 'Orders of Use', language: 'Old Norse', tags: ['b use', 'a use'] })
  }
  await service.create({ speakers: ['Olga Twice'], state: 2, category: 'One Draft', language: 'Oromo' })
  await service.create({ category: 'Only One', language: 'Oromo', tags: ['b use'] })
})

describe('A speaker or tag', () => {
  const cases: readonly (readonly [kind: 'speaker' | 'tag', name: string, as: Role, count: number | null])[] = [
    ['speaker', 'Ada Lovelace', 'none', 1],
    ['speaker', 'Often Heard', 'none', 3],
    ['speaker', 'Olga Twice', 'none', 2],
    ['speaker', 'Olga Twice', 'reader', 3],
    ['speaker', 'Ada Draft', 'none', null],
    ['speaker', 'Ada Draft', 'reader', 1],
    ['tag', 'Café society', 'none', 1],
    ['tag', 'b use', 'none', 4],
    ['tag', 'secret', 'none', null],
    ['tag', 'secret', 'reader', 1],
  ]
  for (const [kind, name, as, count] of cases) {
    test(`${kind} ${name} ${count === null ? 'is not there' : `has ${count}`} for ${as}`, async () => {
      const { id, slug } = await findName(kind, name)
      for (const path of [`${kind}/${id}`, `${kind}/${id}/`]) {
        const answer = await get(path, as)
        if (count === null) expect([answer.status, parseFields(answer).detail]).toEqual([404, `No such ${kind}.`])
        else
          expect(parseFields(answer)).toEqual({
            id,
            name,
            slug,
            count,
            ...unsaidOf[kind],
            ...(as === 'none' ? {} : { aliases: [] }),
          })
        const members = [
          'id',
          'name',
          'slug',
          'count',
          ...Object.keys(unsaidOf[kind]),
          ...(as === 'none' ? [] : ['aliases']),
        ]
        if (count !== null) expect(Object.keys(parseFields(answer))).toEqual(members)
      }
    })
  }

  const missing = ['0', '01', '1.0', '-1', 'x', '999999', '9007199254740991', '9007199254740992', 'ada-lovelace']
  runTable(
    ['speaker', 'tag'].flatMap((kind): Row[] => [
      ...missing.map(
        (id): Row => ({ name: `${kind}/${id} is 404`, method: 'GET', path: `/api/v2/${kind}/${id}`, status: 404 }),
      ),
      ...['POST', 'PUT', 'DELETE'].map(
        (method): Row => ({
          name: `${method} of a ${kind} is 405`,
          method,
          path: `/api/v2/${kind}/1`,
          as: 'admin',
          json: {},
          status: 405,
        }),
      ),
    ]),
    service,
  )

  test('has an ETag that differs by caller and changes with the records', async () => {
    const { id } = await findName('speaker', 'Often Heard')
    const [first, asReader] = [await get(`speaker/${id}`), await get(`speaker/${id}`, 'reader')]
    expect(tagOf(first)).not.toBe(tagOf(asReader))
    expect(headerOf(asReader, 'Cache-Control')).toBe('private, no-store')
    const path = `/api/v2/speaker/${id}`
    const headers = { 'If-None-Match': tagOf(first) }
    expect((await service.call({ method: 'GET', path, headers })).status).toBe(304)
    const { id: record } = await service.create({ speakers: ['Often Heard'] })
    expect(parseFields(await get(`speaker/${id}`)).count).toBe(4)
    expect((await service.call({ method: 'GET', path, headers })).status).toBe(200)
    await service.patch(record, { speakers: [] })
    expect(parseFields(await get(`speaker/${id}`)).count).toBe(3)
  })

  test('goes with its last live record', async () => {
    const { id: record } = await service.create({ tags: ['short-lived'] })
    const { id } = await findName('tag', 'short-lived')
    expect((await get(`tag/${id}`)).status).toBe(200)
    await service.patch(record, { state: 2 })
    expect([(await get(`tag/${id}`)).status, (await get(`tag/${id}`, 'reader')).status]).toEqual([404, 200])
  })
})

describe('With q the most used come first:', () => {
  for (const [target, as, names] of [
    ['speaker?q=o', 'none', ['Often Heard', 'Olga Twice', 'Łukasz Ødegård', 'Once Onstage']],
    ['speaker?q=o', 'reader', ['Often Heard', 'Olga Twice', 'Łukasz Ødegård', 'Once Onstage']],
    ['speaker?q=on', 'none', ['Once Onstage']],
    ['tag?q=use', 'none', ['b use', 'a use']],
    ['language?q=o', 'none', ['Old Norse', 'Oromo']],
    ['language?q=n', 'none', ['Old Norse', 'Norwegian Bokmål']],
    ['category?q=o', 'none', ['Orders of Use', 'Only One']],
    ['category?q=o', 'reader', ['Orders of Use', 'Drafts only', 'One Draft', 'Only One']],
    ['category?q=2012', 'none', ['PyCon 2012']],
    ['category?q=ycon', 'none', []],
  ] as const) {
    test(`${target} lists ${names.join(', ') || 'nothing'} for ${as}`, async () => {
      const found = resultsOf(await get(target, as)).map(({ name, title }) => String(name ?? title))
      expect(found).toEqual([...names])
    })
  }

  test('without it they stay in alphabetical order', async () => {
    const names = resultsOf(await get('speaker')).map(({ name }) => name)
    expect(names.slice(0, 2)).toEqual(['Ada Byron', 'Ada Lovelace'])
    expect(names.indexOf('Often Heard')).toBeLessThan(names.indexOf('Olga Twice'))
    expect(names.indexOf('Olga Twice')).toBeLessThan(names.indexOf('Once Onstage'))
  })
})
