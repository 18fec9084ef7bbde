import { beforeAll, describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { resultsOf } from './every-answer.ts'
import { parseFields, tagOf, useService } from './service.ts'
import { type Row, runTable } from './table.ts'
import { createVariantCalls, kinds, namesOf } from './variants.ts'

const service = useService({ roles: ['reader'] })
const { getVariants, findGroups, add } = createVariantCalls(service)

beforeAll(async () => {
  await add('speaker', 'John Winterbottom', 'Jane Doe')
  await add('speaker', 'John Winterbottom')
  await add('speaker', 'john winterbottom', 'J. Winterbottom')
  await add('speaker', 'Winterbottom, John')
  await service.create({ state: 2, speakers: ['John Winterbotom'] })
  await service.create({ state: 2, speakers: ['Ágnes Kovács'] })
  await add('speaker', 'Agnes Kovacs')
  await add('tag', 'web socket', 'python2', 'python3', 'c++', 'c')
  await add('tag', 'web-socket', 'websocket', 'websockets')
})

describe('Variants', () => {
  test('of speakers come with their reasons and counts, drafts included', async () => {
    const both = ['John Winterbottom 2', 'john winterbottom 1']
    expect(await findGroups('speaker', 'winterbot')).toEqual([
      ['case', ...both],
      ['order', ...both, 'Winterbottom, John 1'],
      ['initials', both[0], 'J. Winterbottom 1', both[1]],
      ['letter', both[0], 'John Winterbotom 1', both[1]],
    ])
    expect(await findGroups('speaker', 'kov')).toEqual([['accent', 'Agnes Kovacs 1', 'Ágnes Kovács 1']])
  })

  test('of tags leave alone what differs in a digit or a symbol', async () => {
    const all = ['web socket 1', 'web-socket 1', 'websocket 1']
    expect(await findGroups('tag', 'w')).toEqual([
      ['punctuation', ...all],
      ['plural', ...all, 'websockets 1'],
    ])
    expect(await findGroups('tag', 'python')).toEqual([])
    expect(await findGroups('tag', 'c++')).toEqual([])
  })

  test('have the envelope of all lists, and pages', async () => {
    const first = parseFields(await getVariants('speaker', '?page_size=2'))
    expect(Object.keys(first)).toEqual(['count', 'next', 'previous', 'results'])
    expect(first).toMatchObject({
      count: 5,
      previous: null,
      next: `${service.server().url}/api/v2/speaker/variants?page_size=2&page=2`,
    })
    const groups = [...resultsOf(await getVariants('speaker', '?page_size=2'))]
    for (const page of [2, 3]) groups.push(...resultsOf(await getVariants('speaker', `?page_size=2&page=${page}`)))
    expect(groups).toEqual([...resultsOf(await getVariants('speaker'))])
    expect(resultsOf(await getVariants('speaker', '?page_size=2&page=last'))).toEqual(groups.slice(4))
    expect((await getVariants('speaker', '?page=2')).status).toBe(404)
    expect(headerOf(await getVariants('speaker', '?reasn=case'), 'Ignored-Parameters')).toBe('reasn')
    const [group] = groups
    expect(Object.keys(group ?? {})).toEqual(['reason', 'keep', 'names'])
    expect(Object.keys(namesOf(group?.names)[0] ?? {})).toEqual(['id', 'name', 'count'])
  })

  test('can be listed by reason', async () => {
    const ofReason = (reason: string) => getVariants('speaker', `?reason=${reason}`)
    const found = parseFields(await ofReason('initials'))
    expect(found).toMatchObject({ count: 1, next: null })
    expect(resultsOf(await ofReason('initials')).map(({ reason }) => reason)).toEqual(['initials'])
    expect(parseFields(await ofReason('alias'))).toMatchObject({ count: 0 })
    const wrong = await ofReason('looks')
    expect([wrong.status, parseFields(wrong).errors]).toEqual([
      400,
      { reason: [expect.stringContaining('alias, case, space')] },
    ])
  })

  test('suggest to keep the name that is written best', async () => {
    const groups = resultsOf(await getVariants('speaker', '?reason=order'))
    const kept = groups.map(({ keep, names }) => namesOf(names).find(({ id }) => id === keep)?.name)
    expect(kept).toEqual(['John Winterbottom'])
  })

  test('have an ETag that follows the records, and are kept by no shared cache', async () => {
    const first = await getVariants('tag')
    expect(headerOf(first, 'Cache-Control')).toBe('private, no-store')
    expect((await getVariants('tag', '', 'reader', { 'If-None-Match': tagOf(first) })).status).toBe(304)
    const { id } = await add('tag', 'web socket')
    expect(await findGroups('tag', 'web-')).toContainEqual([
      'punctuation',
      'web socket 2',
      'web-socket 1',
      'websocket 1',
    ])
    expect((await getVariants('tag', '', 'reader', { 'If-None-Match': tagOf(first) })).status).toBe(200)
    await service.patch(id, { tags: [] })
    expect(tagOf(await getVariants('tag'))).toBe(tagOf(first))
  })

  for (const kind of kinds) {
    test(`list a merged ${kind} that is written again, until it is merged again`, async () => {
      await add(kind, 'Formerly Called', 'Now Known')
      const listed = resultsOf(
        await service.call({ method: 'GET', path: `/api/v2/${kind}?page_size=100`, as: 'reader' }),
      )
      const [from, into] = ['Formerly Called', 'Now Known'].map((name) => listed.find((each) => each.name === name)?.id)
      const merge = () =>
        service.call({ method: 'POST', path: `/api/v2/${kind}/${from}/merge`, as: 'admin', json: { into } })
      expect((await merge()).status).toBe(200)
      expect(await findGroups(kind, 'now known')).toEqual([])
      await add(kind, 'Formerly Called')
      expect(await findGroups(kind, 'now known')).toEqual([['alias', 'Formerly Called 1', 'Now Known 1']])
      expect((await merge()).status).toBe(200)
      expect(await findGroups(kind, 'now known')).toEqual([])
    })
  }

  test('go when the last record of a name does', async () => {
    const { id } = await add('tag', 'Fleeting thing', 'fleeting thing')
    expect(await findGroups('tag', 'fleeting')).toEqual([['case', 'Fleeting thing 1', 'fleeting thing 1']])
    await service.patch(id, { tags: ['Fleeting thing'] })
    expect(await findGroups('tag', 'fleeting')).toEqual([])
  })

  runTable(
    kinds.flatMap((kind): Row[] => {
      const path = `/api/v2/${kind}/variants`
      return [
        { name: `of ${kind}s are 401 without a token`, method: 'GET', path, status: 401 },
        { name: `of ${kind}s are 401 with a wrong one`, method: 'GET', path, as: 'wrong', status: 401 },
        {
          name: `of ${kind}s are for readers, with a slash too`,
          method: 'GET',
          path: `${path}/`,
          as: 'reader',
          status: 200,
        },
        { name: `of ${kind}s have a HEAD`, method: 'HEAD', path, as: 'reader', status: 200 },
        {
          name: `of ${kind}s have no POST`,
          method: 'POST',
          path,
          as: 'admin',
          json: {},
          status: 405,
          has: { Allow: 'GET, HEAD, OPTIONS' },
        },
        { name: `of ${kind}s know no page x`, method: 'GET', path: `${path}?page=x`, as: 'reader', status: 404 },
        {
          name: `of ${kind}s refuse a page of none`,
          method: 'GET',
          path: `${path}?page_size=0`,
          as: 'reader',
          status: 400,
        },
      ]
    }),
    service,
  )
  runTable(
    [
      {
        name: 'of languages do not exist',
        method: 'GET',
        path: '/api/v2/language/variants',
        as: 'reader',
        status: 404,
      },
      {
        name: 'of categories are no category',
        method: 'GET',
        path: '/api/v2/category/variants',
        as: 'reader',
        status: 404,
      },
    ],
    service,
  )
})
