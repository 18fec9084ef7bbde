import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { useNames } from './curated-names.ts'
import { resultsOf } from './every-answer.ts'
import { type Fields, parseFields, type Role, tagOf, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'] })
const { ask, get, toNew, undo, readBatch } = useNames(service)

const toAddress = (slug: unknown) => `${service.server().url}/api/v2/category/${slug}`
const merge = (from: string, into: unknown) => ask('POST', `category/${from}/merge`, { into })

/** A category with one live record. */
async function createCategory(word: string, fields: Fields = {}) {
  const title = toNew(word)
  const { id } = await service.create({ category: title })
  const { slug } =
    resultsOf(await get(`category?page_size=100&q=${encodeURIComponent(title)}`)).find(
      (each) => each.title === title,
    ) ?? {}
  if (Object.keys(fields).length > 0) await ask('PATCH', `category/${slug}`, fields)
  return { title, slug: String(slug), id }
}

const categoryOf = async (id: unknown) => parseFields(await service.read(id)).category
const videosOf = async (slug: string, as: Role = 'publisher') => parseFields(await get(`category/${slug}`, as)).videos

describe('The merge of a category', () => {
  test('is refused with 412 if the category is not the version that If-Match names', async () => {
    const [a, b] = [await createCategory('Stale'), await createCategory('Fresh')]
    const read = tagOf(await get(`category/${a.slug}`))
    await ask('PATCH', `category/${a.slug}`, { description: 'Other words' })
    const mergeIf = (tag: string) =>
      ask('POST', `category/${a.slug}/merge`, { into: b.slug }, 'publisher', { 'If-Match': tag })
    expect((await mergeIf(read)).status).toBe(412)
    expect(await categoryOf(a.id)).toBe(a.title)
    expect((await mergeIf(tagOf(await get(`category/${a.slug}`)))).status).toBe(200)
  })

  test('moves its records as one batch, and its address answers 301', async () => {
    const [a, b] = [await createCategory('PyCon 14'), await createCategory('PyCon 2014')]
    const answer = await ask('POST', `category/${a.slug}/merge`, { into: b.slug }, 'publisher', {
      'Change-Reason': 'twice',
    })
    expect([answer.status, parseFields(answer)]).toEqual([200, await readBatch()])
    const batch = { kind: 'merge category', reason: 'twice', state: 'done', total: 1, changed: 1, left: [] }
    expect(parseFields(answer)).toMatchObject(batch)
    expect(await categoryOf(a.id)).toBe(b.title)
    expect(await videosOf(b.slug)).toHaveLength(2)
    for (const as of ['none', 'reader'] as const) {
      for (const method of ['GET', 'HEAD']) {
        const moved = await ask(method, `category/${a.slug}?format=json`, undefined, as)
        expect([moved.status, headerOf(moved, 'Location')]).toEqual([301, `${toAddress(b.slug)}?format=json`])
      }
      const titles = resultsOf(await get('category?page_size=100', as)).map(({ title }) => title)
      expect([titles.includes(a.title), titles.includes(b.title)]).toEqual([false, true])
      expect((await get(`suggest?q=${encodeURIComponent(a.title)}`, as)).body).not.toContain(`"${a.title}"`)
    }
  })

  test('of an empty one that was listed removes it from the list', async () => {
    const title = toNew('Empty')
    const { slug } = parseFields(await ask('POST', 'category', { title, url: 'https://empty.example/' }))
    const b = await createCategory('Full')
    expect(parseFields(await merge(String(slug), b.slug))).toMatchObject({
      id: expect.any(Number),
      total: 0,
      state: 'done',
    })
    expect((await get('category?page_size=100', 'none')).body).not.toContain(title)
    expect(parseFields(await get(`category/${b.slug}`)).url).toBe('https://empty.example/')
    await undo((await readBatch()).id)
    expect((await get('category?page_size=100', 'none')).body).toContain(title)
    expect(parseFields(await get(`category/${b.slug}`)).url).toBe('')
  })

  test('fills the empty fields of the target, as a version of it', async () => {
    const whole = {
      ...{ description: 'Ours', url: 'https://a.example/', start_date: '2014-04-09', end_date: '2014-04-17' },
      ...{ place: 'Montréal', series: 'PyCon', whiteboard: 'W' },
    }
    const a = await createCategory('Filled', whole)
    const b = await createCategory('Half', { description: 'Theirs' })
    await merge(a.slug, b.slug)
    const filled = { ...whole, description: 'Theirs', title: b.title }
    expect(parseFields(await get(`category/${b.slug}`))).toMatchObject(filled)
    const [newest] = resultsOf(await get(`category/${b.slug}/history`))
    expect(newest).toMatchObject({
      by: 'the publisher',
      changed: ['url', 'start_date', 'end_date', 'place', 'series', 'whiteboard'],
    })
    // A field that people have changed since stays.
    const { id } = await readBatch()
    await ask('PATCH', `category/${b.slug}`, { whiteboard: 'Mine' })
    expect(await undo(id)).toMatchObject({ changed: 1, left: [] })
    const none = { url: '', start_date: null, end_date: null, place: '', series: '' }
    const back = { ...none, description: 'Theirs', whiteboard: 'Mine' }
    expect(parseFields(await get(`category/${b.slug}`))).toMatchObject(back)
    expect(parseFields(await get(`category/${a.slug}`))).toMatchObject({ ...whole, title: a.title })
    expect(await categoryOf(a.id)).toBe(a.title)
  })

  test('leaves a day empty that would be invalid with the target’s other day', async () => {
    const a = await createCategory('Earlier', { end_date: '2013-01-01', place: 'Montréal' })
    const b = await createCategory('Later', { start_date: '2014-04-09' })
    await merge(a.slug, b.slug)
    const filled = { start_date: '2014-04-09', end_date: null, place: 'Montréal' }
    expect(parseFields(await get(`category/${b.slug}`))).toMatchObject(filled)
  })

  test('is undone, and so is the undo', async () => {
    const [a, b] = [await createCategory('Back', { url: 'https://back.example' }), await createCategory('Forth')]
    const read = async () =>
      [await get(`category/${a.slug}`), await get(`category/${b.slug}`)].map(({ status, body }) => [status, body])
    const before = await read()
    const { id } = parseFields(await merge(a.slug, b.slug))
    const after = await read()
    const undone = await undo(id)
    expect([await read(), await categoryOf(a.id)]).toEqual([before, a.title])
    expect(await undo(id)).toMatchObject({ id: null, changed: 0 })
    await undo(undone.id)
    expect([await read(), await categoryOf(a.id)]).toEqual([after, b.title])
  })

  test('moves the aliases of a category, too', async () => {
    const [a, b, c] = [await createCategory('A'), await createCategory('B'), await createCategory('C')]
    await merge(a.slug, b.slug)
    await merge(b.slug, c.slug)
    const moved = await Promise.all([a, b].map(({ slug }) => ask('GET', `category/${slug}`)))
    expect(moved.map((answer) => headerOf(answer, 'Location'))).toEqual([toAddress(c.slug), toAddress(c.slug)])
    const list = resultsOf(await get(`video?category=${a.slug}`, 'none')).map(({ id }) => id)
    expect(list.sort()).toEqual([a.id, b.id, c.id].sort())
    const byTitle = resultsOf(await get(`video?category=${encodeURIComponent(b.title)}`, 'none')).map(({ id }) => id)
    expect(byTitle.sort()).toEqual(list)
  })

  test('into itself or an alias is 409 with the current slug, as are changes of a merged one', async () => {
    const [a, b, c] = [await createCategory('Same'), await createCategory('Alias'), await createCategory('Other')]
    await merge(b.slug, a.slug)
    const answers = [
      await merge(a.slug, a.slug),
      await merge(a.slug, b.slug),
      await merge(c.slug, b.slug),
      await merge(b.slug, c.slug),
      await ask('PATCH', `category/${b.slug}`, { description: 'x' }),
      await ask('POST', 'category', { title: b.title }),
      await ask('PATCH', `category/${a.slug}`, { title: b.title }),
    ]
    expect(answers.map((answer) => [answer.status, parseFields(answer).slug])).toEqual(answers.map(() => [409, a.slug]))
  })

  test.each([[{}], [{ into: 7 }], [{ into: '' }], [{ into: 'No Slug' }], [{ into: 'no-such-category' }]])(
    'of %j is 400',
    async (json) => {
      const { slug } = await createCategory('Whole')
      const answer = await ask('POST', `category/${slug}/merge`, json)
      expect([answer.status, Object.keys(Object(parseFields(answer).errors))]).toEqual([400, ['into']])
      expect((await ask('POST', 'category/no-such-category/merge', json)).status).toBe(404)
    },
  )

  const roles: readonly (readonly [Role, number])[] = [
    ['none', 401],
    ['reader', 403],
    ['editor', 403],
  ]
  test.each(roles)('by %s is %d', async (as, status) => {
    const { slug } = await createCategory('Role')
    expect((await ask('POST', `category/${slug}/merge`, { into: 'x' }, as)).status).toBe(status)
  })

  test('by a dry run or with the same key changes nothing more', async () => {
    const [a, b] = [await createCategory('Dry'), await createCategory('Key')]
    const [before, tag] = [await readBatch(), tagOf(await get(`category/${b.slug}`))]
    const dry = parseFields(await ask('POST', `category/${a.slug}/merge?dry_run=1`, { into: b.slug }))
    expect(dry).toMatchObject({ id: null, kind: 'merge category', total: 1, changed: 1 })
    expect([await readBatch(), tagOf(await get(`category/${b.slug}`))]).toEqual([before, tag])
    const headers = { 'Idempotency-Key': 'merge-category' }
    const first = await ask('POST', `category/${a.slug}/merge`, { into: b.slug }, 'publisher', headers)
    const second = await ask('POST', `category/${a.slug}/merge`, { into: b.slug }, 'publisher', headers)
    expect([second.status, second.body]).toEqual([200, first.body])
  })

  test('leaves a title that is written again as a separate category', async () => {
    const [a, b] = [await createCategory('Written'), await createCategory('Target')]
    await merge(a.slug, b.slug)
    const { id } = await service.create({ category: a.title })
    expect(await videosOf(a.slug, 'none')).toEqual([`${service.server().url}/api/v2/video/${id}`])
    expect((await merge(a.slug, b.slug)).status).toBe(200)
    expect(await categoryOf(id)).toBe(b.title)
  })
})
