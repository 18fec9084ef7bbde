import { describe, expect, test } from 'bun:test'
import { type HeaderList, headerOf, type RawAnswer } from '../harness/raw.ts'
import { until } from '../harness/until.ts'
import { useCategoryHistory } from './category-history.ts'
import { checkEveryAnswer } from './every-answer.ts'
import { type Fields, fail, parseFields, type Role, tagOf, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'publisher'] })

const path = '/api/v2/category'
const past = 'Mon, 01 Jan 2001 00:00:00 GMT'
const future = 'Fri, 01 Jan 2100 00:00:00 GMT'
let made = 0

/** The slug of a new category with one live record. */
async function createCategory(): Promise<string> {
  const slug = `versioned-${++made}`
  await service.create({ category: slug })
  return slug
}

const read = (slug: string, as: Role = 'none', headers: HeaderList = {}) =>
  service.call({ method: 'GET', path: `${path}/${slug}`, as, headers })

async function patch(slug: string, json: Fields, headers: HeaderList = {}, query = ''): Promise<RawAnswer> {
  const call = { method: 'PATCH', path: `${path}/${slug}${query}`, as: 'publisher' as const, json, headers }
  const answer = await service.call(call)
  checkEveryAnswer(call, answer)
  return answer
}

const { listHistory, readVersion } = useCategoryHistory(service)

describe('Two changes of a category at once', () => {
  test('with the same If-Match: one succeeds, the other is 412, and nothing is lost', async () => {
    const slug = await createCategory()
    for (let round = 1; round <= 40; round++) {
      const headers = { 'If-Match': tagOf(await read(slug, 'publisher')) }
      const texts = ['a', 'b'].map((side) => `round ${round}, side ${side}`)
      const answers = await Promise.all(texts.map((description) => patch(slug, { description }, headers)))
      expect([round, answers.map(({ status }) => status).sort()]).toEqual([round, [200, 412]])
      const won = texts[answers.findIndex(({ status }) => status === 200)]
      expect(parseFields(await read(slug)).description).toBe(won ?? '')
    }
    expect(await listHistory(slug)).toHaveLength(41)
  })

  test('without a condition: both texts are kept in its versions', async () => {
    const slug = await createCategory()
    const texts = ['one', 'two', 'three', 'four']
    await Promise.all(texts.map((description) => patch(slug, { description })))
    const kept = await Promise.all([2, 3, 4, 5].map(async (number) => (await readVersion(slug, number)).category))
    expect(kept.map((category) => (category as Fields).description).sort()).toEqual(texts.toSorted())
  })
})

type Known = { readonly now: string; readonly stale: string; readonly modified: string }
type Case = { readonly name: string; readonly headers: (known: Known) => HeaderList; readonly status: 200 | 412 }

const cases: readonly Case[] = [
  { name: 'the current ETag', headers: ({ now }) => ({ 'If-Match': now }), status: 200 },
  { name: 'any ETag', headers: () => ({ 'If-Match': '*' }), status: 200 },
  { name: 'a list with the current ETag', headers: ({ now }) => ({ 'If-Match': `"a", ${now}, "b"` }), status: 200 },
  { name: 'a stale ETag', headers: ({ stale }) => ({ 'If-Match': stale }), status: 412 },
  { name: 'an unknown ETag', headers: () => ({ 'If-Match': '"unknown"' }), status: 412 },
  { name: 'the current ETag as a weak one', headers: ({ now }) => ({ 'If-Match': `W/${now}` }), status: 412 },
  { name: 'the current ETag without quotes', headers: ({ now }) => ({ 'If-Match': now.slice(1, -1) }), status: 412 },
  { name: 'the current time', headers: ({ modified }) => ({ 'If-Unmodified-Since': modified }), status: 200 },
  { name: 'a later time', headers: () => ({ 'If-Unmodified-Since': future }), status: 200 },
  { name: 'an earlier time', headers: () => ({ 'If-Unmodified-Since': past }), status: 412 },
  { name: 'If-None-Match: *', headers: () => ({ 'If-None-Match': '*' }), status: 412 },
  { name: 'If-None-Match: the current ETag', headers: ({ now }) => ({ 'If-None-Match': now }), status: 412 },
  { name: 'If-None-Match: a stale ETag', headers: ({ stale }) => ({ 'If-None-Match': stale }), status: 200 },
]

describe('PATCH of a category', () => {
  for (const { name, headers, status } of cases) {
    for (const json of [{ description: 'Written' }, { title: 'Written' }]) {
      const what = Object.keys(json).join()
      test(`(${what}) with ${name} gets ${status}`, async () => {
        const slug = await createCategory()
        const stale = tagOf(await read(slug))
        await patch(slug, { whiteboard: 'second version' })
        const before = await read(slug)
        const modified = headerOf(before, 'Last-Modified') ?? fail('No Last-Modified')
        const given = 'title' in json ? { title: `Written ${slug}` } : json
        const answer = await patch(slug, given, headers({ now: tagOf(before), stale, modified }))
        expect(answer.status).toBe(status)
        const after = parseFields(await read(slug))
        expect(after).toMatchObject(status === 200 ? given : parseFields(before))
        expect(await listHistory(slug)).toHaveLength(status === 200 ? 3 : 2)
      })
    }
  }

  test('is refused by a stale condition even if the body is wrong or changes nothing', async () => {
    const slug = await createCategory()
    for (const json of [{}, { colour: 'red' }]) {
      expect((await patch(slug, json, { 'If-Match': '"stale"' })).status).toBe(412)
    }
  })

  test('compares only versions: the ETag of another reader is valid, even when its records have changed', async () => {
    const slug = await createCategory()
    await service.create({ category: slug, state: 2 })
    const tags = await Promise.all(
      (['none', 'reader', 'publisher'] as const).map(async (as) => tagOf(await read(slug, as))),
    )
    expect(tags[0]).not.toBe(tags[1])
    await service.create({ category: slug, title: 'One more' })
    for (const [round, tag] of tags.entries()) {
      const answer = await patch(slug, { description: '' }, { 'If-Match': tag })
      expect([round, answer.status]).toEqual([round, 200])
    }
  })

  test('responds with the ETag of the new version, for the next change', async () => {
    const slug = await createCategory()
    const [first, second] = [await patch(slug, { description: 'one' }), await patch(slug, { description: 'two' })]
    expect(tagOf(second)).toBe(tagOf(await read(slug, 'publisher')))
    expect((await patch(slug, { description: 'three' }, { 'If-Match': tagOf(first) })).status).toBe(412)
    expect((await patch(slug, { description: 'three' }, { 'If-Match': tagOf(second) })).status).toBe(200)
  })

  test('that changes nothing makes no version, and keeps ETag and date', async () => {
    const slug = await createCategory()
    await patch(slug, { description: 'same', start_date: '2012-03-07' })
    const before = await read(slug, 'publisher')
    const answer = await patch(slug, { description: 'same', start_date: '2012-03-07', title: ` ${slug} ` })
    expect([answer.status, tagOf(answer)]).toEqual([200, tagOf(before)])
    expect(await listHistory(slug)).toHaveLength(2)
  })

  test('with dry_run=1 checks its precondition and makes no version', async () => {
    const slug = await createCategory()
    const headers = { 'If-Match': tagOf(await read(slug)) }
    const dryRun = await patch(slug, { description: 'would be' }, headers, '?dry_run=1')
    expect([dryRun.status, parseFields(dryRun).description]).toEqual([200, 'would be'])
    expect((await patch(slug, { description: 'x' }, { 'If-Match': '"stale"' }, '?dry_run=1')).status).toBe(412)
    expect(await listHistory(slug)).toHaveLength(1)
    expect(parseFields(await read(slug)).description).toBe('')
  })
})

describe('GET of a category', () => {
  test('is 304 for a client that has it, until its records change', async () => {
    const slug = await createCategory()
    const first = await read(slug)
    const tag = tagOf(first)
    const same = await read(slug, 'none', { 'If-None-Match': `"other", ${tag}` })
    expect([same.status, same.body, tagOf(same)]).toEqual([304, '', tag])
    expect((await read(slug, 'none', { 'If-None-Match': '"other"' })).status).toBe(200)
    await service.create({ category: slug, title: 'Another' })
    const changed = await read(slug, 'none', { 'If-None-Match': tag })
    expect([changed.status, (parseFields(changed).videos as unknown[]).length]).toEqual([200, 2])
  })

  test('is 304 by date while nothing has changed, and never for an older date', async () => {
    const slug = await createCategory()
    const modified = headerOf(await read(slug), 'Last-Modified') ?? fail('No Last-Modified')
    expect((await read(slug, 'none', { 'If-Modified-Since': modified })).status).toBe(304)
    expect((await read(slug, 'none', { 'If-Modified-Since': past })).status).toBe(200)
    expect((await read(slug, 'none', { 'If-Modified-Since': modified, 'If-None-Match': '"x"' })).status).toBe(200)
  })

  test('has a later date once one of its records has left it', async () => {
    const slug = await createCategory()
    const { id } = await service.create({ category: slug, title: 'Leaves' })
    const before = await read(slug)
    const since = headerOf(before, 'Last-Modified') ?? fail('No Last-Modified')
    // The header has whole seconds.
    await until('the next second', () => Date.now() >= Date.parse(since) + 1_000)
    await service.patch(id, { category: 'Elsewhere' })
    expect((await read(slug, 'none', { 'If-Modified-Since': since })).status).toBe(200)
  })
})
