import { describe, expect, test } from 'bun:test'
import { headerOf, type RawAnswer } from '../harness/raw.ts'
import { useNames } from './curated-names.ts'
import { signInAs } from './name-pages.ts'
import { type Fields, fail, parseFields, useService } from './service.ts'

const service = useService({ roles: ['reader', 'editor', 'publisher'] })
const { ask, undo } = useNames(service)

let made = 0

/** A live talk that shares its video with no other. */
const create = async (fields: Fields = {}) =>
  Number(
    (await service.create({ title: `Moorings ${++made}`, source_url: `https://example.org/${made}`, ...fields })).id,
  )

const merge = (id: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  ask('POST', `video/${id}/merge`, body, 'publisher', headers)

const requireBatch = (answer: RawAnswer): Fields =>
  answer.status === 200 ? parseFields(answer) : fail(`${answer.status}: ${answer.body}`)

const getPage = (path: string) => service.call({ method: 'GET', path, headers: { Accept: 'text/html' } })
const read = async (id: number) =>
  parseFields(await service.call({ method: 'GET', path: `/api/v2/video/${id}`, as: 'admin' }))
const problemOf = (answer: RawAnswer) => [answer.status, String(parseFields(answer).type).split(':').at(-1)]

describe('A merge of records', () => {
  test('gives the chosen fields to the kept one, and the page of the other leads there', async () => {
    const kept = await create({ summary: '', speakers: [], tags: ['rope'] })
    const other = await create({ summary: 'About ropes', speakers: ['Ann'], tags: ['knots'] })
    const batch = requireBatch(await merge(other, { into: kept, take: ['summary', 'speakers'] }))
    expect(batch).toMatchObject({ kind: 'merge video', state: 'done', total: 2, changed: 2, left: [] })
    expect(batch.others).toEqual([{ kind: 'video', id: other, fields: ['merged_into'], left: null, by: null }])
    expect(await read(kept)).toMatchObject({ summary: 'About ropes', speakers: ['Ann'], tags: ['rope'], state: 1 })
    expect(await read(other)).toMatchObject({ state: 2, tags: ['knots'] })
    const { slug } = await read(kept)
    const page = await getPage(`/video/${other}/${(await read(other)).slug}?t=90`)
    expect([page.status, headerOf(page, 'Location')]).toEqual([301, `/video/${kept}/${slug}?t=90`])
    const frame = await getPage(`/embed/${other}`)
    expect([frame.status, headerOf(frame, 'Location')]).toEqual([301, `/embed/${kept}`])
    expect((await service.call({ method: 'GET', path: `/api/v2/video/${other}` })).status).toBe(404)
  })

  test('is undone field by field; what others changed since stays and is named', async () => {
    const [kept, other] = [
      await create({ summary: 'Old', language: '' }),
      await create({ summary: 'New', language: 'Dutch' }),
    ]
    const { id } = requireBatch(await merge(other, { into: kept, take: ['summary', 'language'] }))
    await service.patch(kept, { summary: 'Better' })
    const undone = await undo(id)
    expect(undone).toMatchObject({ left: [{ id: kept, fields: ['summary'], why: 'changed_since' }] })
    expect(await read(kept)).toMatchObject({ summary: 'Better', language: '' })
    expect(await read(other)).toMatchObject({ state: 1 })
    expect((await getPage(`/video/${other}/${(await read(other)).slug}`)).status).toBe(200)
  })

  test('leads on while it is a draft: not once it is published, but again when that is undone', async () => {
    const [kept, other] = [await create(), await create({ summary: 'S' })]
    const { slug } = await read(other)
    const status = async () => (await getPage(`/video/${other}/${slug}`)).status
    requireBatch(await merge(other, { into: kept }))
    const publication = parseFields(await service.patch(other, { state: 1 }))
    expect([await status(), publication.state]).toEqual([200, 1])
    expect((await ask('POST', `video/${other}/history/2/restore`, undefined)).status).toBe(200)
    expect(await status()).toBe(301)
    await service.patch(other, { state: 1 })
    await service.patch(other, { state: 2 })
    expect(await status()).toBe(301)
  })

  test('of a record that was published again can lead elsewhere, and its undo gives back where it led', async () => {
    const [first, second, other] = [await create(), await create(), await create()]
    const { slug } = await read(other)
    const target = async () => headerOf(await getPage(`/video/${other}/${slug}`), 'Location')
    requireBatch(await merge(other, { into: first }))
    await service.patch(other, { state: 1 })
    const { id } = requireBatch(await merge(other, { into: second }))
    expect(await target()).toStartWith(`/video/${second}/`)
    await service.patch(first, { state: 2 })
    await undo(id)
    expect(await read(other)).toMatchObject({ state: 1 })
    await service.patch(first, { state: 1 })
    await service.patch(other, { state: 2 })
    expect(await target()).toStartWith(`/video/${first}/`)
  })

  test('takes the draft out of the list of drafts, to those that were set aside', async () => {
    const [kept, other] = [await create(), await create({ state: 2 })]
    const listed = async (filters: string) => {
      const { results } = parseFields(await ask('GET', `video?id=${other}&${filters}`))
      return (results as Fields[]).length
    }
    const { id } = requireBatch(await merge(other, { into: kept }))
    expect([await listed('state=2&parked=0'), await listed('parked=1')]).toEqual([0, 1])
    const page = await (await signInAs(service, 'reader')).get(`/edit/list?id=${other}&parked=1`)
    expect(page.body).toContain(`merged into talk ${kept}`)
    await undo(id)
    expect([await listed('state=2&parked=0'), await listed('parked=1')]).toEqual([1, 0])
  })

  test('the other way round, of a record that was published again, leads in no circle', async () => {
    const [one, two] = [await create(), await create()]
    requireBatch(await merge(one, { into: two }))
    await service.patch(one, { state: 1 })
    requireBatch(await merge(two, { into: one }))
    expect(headerOf(await getPage(`/video/${two}`), 'Location')).toStartWith(`/video/${one}/`)
    await service.patch(one, { state: 2 })
    expect((await getPage(`/video/${one}`)).status).toBe(410)
    expect((await getPage(`/video/${two}`)).status).toBe(410)
  })

  test('leads on through a chain, as far as its end is live', async () => {
    const [first, second, third] = [await create(), await create(), await create()]
    requireBatch(await merge(first, { into: second }))
    requireBatch(await merge(second, { into: third }))
    const toThird = `/video/${third}/${(await read(third)).slug}`
    expect(headerOf(await getPage(`/video/${first}`), 'Location')).toBe(toThird)
    await service.patch(third, { state: 2 })
    expect((await getPage(`/video/${first}`)).status).toBe(410)
  })

  test('of a draft that was never live makes a page for it that leads on', async () => {
    const [kept, other] = [await create(), await create({ state: 2 })]
    expect((await getPage(`/video/${other}`)).status).toBe(404)
    expect(requireBatch(await merge(other, { into: kept }))).toMatchObject({ changed: 0 })
    expect((await getPage(`/video/${other}`)).status).toBe(301)
  })

  test('is refused into itself, a draft, a merged record, an unknown one, and twice', async () => {
    const [live, draft, other] = [await create(), await create({ state: 2 }), await create()]
    expect(problemOf(await merge(live, { into: live }))).toEqual([409, 'same_entry'])
    expect(problemOf(await merge(live, { into: draft }))).toEqual([409, 'draft_target'])
    expect(problemOf(await merge(live, { into: 999_999 }))).toEqual([404, 'not_found'])
    expect(problemOf(await merge(999_999, { into: live }))).toEqual([404, 'not_found'])
    requireBatch(await merge(other, { into: live }))
    const again = await merge(other, { into: live })
    expect([...problemOf(again), parseFields(again).id]).toEqual([409, 'merged', live])
    const circle = await merge(live, { into: other })
    expect([...problemOf(circle), parseFields(circle).id]).toEqual([409, 'merged', live])
    expect(await read(live)).toMatchObject({ state: 1 })
  })

  test('names what is wrong with its body', async () => {
    const id = await create()
    const errorsOf = async (body: unknown) => parseFields(await merge(id, body)).errors
    expect(await errorsOf({})).toEqual({ into: ['This field is required.'] })
    expect(await errorsOf({ into: '7', keep: 1 })).toEqual({
      keep: ['Unknown field.'],
      into: ['Must be an id, from 1.'],
    })
    expect(await errorsOf({ into: 7, take: 'title' })).toEqual({ take: ['Must be an array of names of fields.'] })
    expect(await errorsOf({ into: 7, take: ['title', 'state', 'slug', 3] })).toEqual({
      take: ['"state"', '"slug"', '3'].map((name) => `${name} is not a field that can be taken over.`),
    })
  })

  test('needs a publisher, honours preconditions, keys and dry runs', async () => {
    const [kept, other] = [await create(), await create({ summary: 'S' })]
    expect((await ask('POST', `video/${other}/merge`, { into: kept }, 'editor')).status).toBe(403)
    expect(problemOf(await merge(other, { into: kept }, { 'If-Match': '"1-00000000.json"' }))).toEqual([412, 'stale'])
    const dry = await ask('POST', `video/${other}/merge?dry_run=1`, { into: kept, take: ['summary'] })
    expect(parseFields(dry)).toMatchObject({ id: null, changed: 2 })
    expect(await read(other)).toMatchObject({ state: 1 })
    const key = { 'Idempotency-Key': `merge-${other}` }
    const batch = requireBatch(await merge(other, { into: kept }, key))
    expect(requireBatch(await merge(other, { into: kept }, key)).id).toBe(batch.id)
    expect(problemOf(await merge(other, { into: kept, take: ['title'] }, key))).toEqual([400, 'key_reused'])
  })
})

describe('The list of duplicates', () => {
  const listed = async () => {
    const results = parseFields(await ask('GET', 'video/duplicates?page_size=100')).results
    return (results as { ids: number[] }[]).map(({ ids }) => ids)
  }
  const dismiss = (body: unknown) => ask('POST', 'video/duplicates/dismiss', body)
  const createGroup = (count: number, fields: Fields = {}) => {
    const url = `https://example.org/group-${++made}`
    return Promise.all(Array.from({ length: count }, () => create({ source_url: url, ...fields }))).then((ids) =>
      ids.sort((a, b) => a - b),
    )
  }

  test('has no pair that was merged, or of which one was withdrawn, until that is taken back', async () => {
    const [[one = 0, two = 0], [three = 0, four = 0]] = [await createGroup(2), await createGroup(2)]
    const { id } = requireBatch(await merge(one, { into: two }))
    await service.patch(three, { state: 2 })
    expect(await listed()).toEqual([])
    await undo(id)
    await service.patch(three, { state: 1 })
    expect(await listed()).toEqual([
      [one, two],
      [three, four],
    ])
    requireBatch(await merge(one, { into: two }))
    requireBatch(await merge(three, { into: four }))
  })

  test('agrees with the finding, which has no merged records and no pairs that were called different', async () => {
    const [one = 0, two = 0, three = 0] = await createGroup(3)
    const found = async () => {
      const { results } = parseFields(await ask('GET', 'video?finding=same_video&ordering=id'))
      const listed = (results as Fields[]).map(({ id }) => id)
      const { totals } = parseFields(await ask('GET', 'findings?code=same_video'))
      expect(totals).toEqual([{ code: 'same_video', count: listed.length }])
      for (const id of [one, two, three]) {
        const own = parseFields(await ask('GET', `video/${id}/findings`)).results as Fields[]
        expect([id, own.some(({ code }) => code === 'same_video')]).toEqual([id, listed.includes(id)])
      }
      return listed
    }
    expect(await found()).toEqual([one, two, three])
    const { id } = requireBatch(await merge(one, { into: two }))
    expect(await found()).toEqual([two, three])
    await dismiss({ ids: [two, three] })
    expect([await found(), await listed()]).toEqual([[], []])
    await undo(id)
    expect([await found(), await listed()]).toEqual([[one, two, three], [[one, two, three]]])
    await dismiss({ ids: [one, two, three] })
    expect(await found()).toEqual([])
  })

  test('keeps a new draft of a talk that is live', async () => {
    const ids = await createGroup(1)
    const url = (await read(ids[0] ?? 0)).source_url
    const draft = await create({ source_url: url, state: 2 })
    expect(await listed()).toEqual([[...ids, draft]])
    await dismiss({ ids: [...ids, draft] })
  })

  test('has no records that were called different, and splits a group accordingly', async () => {
    const [a = 0, b = 0, c = 0, d = 0] = await createGroup(4)
    expect(parseFields(await dismiss({ ids: [b, a] }))).toEqual({ ids: [a, b], dismissed: true })
    expect(await listed()).toEqual([[a, b, c, d]])
    await dismiss({ ids: [a, c] })
    await dismiss({ ids: [a, d] })
    expect(await listed()).toEqual([[b, c, d]])
    await dismiss({ ids: [b, c, d] })
    expect(await listed()).toEqual([])
    expect(parseFields(await dismiss({ ids: [b, d], dismissed: false }))).toEqual({ ids: [b, d], dismissed: false })
    expect(await listed()).toEqual([[b, d]])
    await dismiss({ ids: [b, d] })
  })

  test('refuses to hide what does not exist, a single record, and too many', async () => {
    const [a = 0] = await createGroup(1)
    expect(parseFields(await dismiss({ ids: [a, 999_999] })).errors).toEqual({
      ids: ['There is no record with the id 999999.'],
    })
    const wrong = { ids: ['Must be an array of 2 to 100 different ids.'] }
    expect(parseFields(await dismiss({ ids: [a] })).errors).toEqual(wrong)
    expect(parseFields(await dismiss({ ids: Array.from({ length: 101 }, (_, i) => i + 1) })).errors).toEqual(wrong)
    expect((await ask('POST', 'video/duplicates/dismiss', { ids: [1, 2] }, 'editor')).status).toBe(403)
  })
})
