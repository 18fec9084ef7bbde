import { describe, expect, test } from 'bun:test'
import { createBulk } from './bulk-change.ts'
import { parseFields, useService } from './service.ts'
import { getBatches, getHistory, getNewest, undo } from './versions.ts'

const service = useService({ roles: ['publisher'] })
const { change, dryRun, post, createMany, readAll, countBatches } = createBulk(service)

const tagged = { add: ['new'], remove: ['old'] }

describe('A bulk change', () => {
  test('of ids is a batch, in the shape of the list, with a version for each record', async () => {
    const ids = await createMany(3, { tags: ['old', 'kept'] })
    const batch = await change({ select: { ids }, patch: { language: 'de', tags: tagged }, reason: 'Retagged' })
    const counts = { total: 3, done: 3, changed: 3, unchanged: 0, refused: [], left: [] }
    const said = { by: 'the publisher', reason: 'Retagged', kind: 'bulk', state: 'done', undoes: null }
    expect(batch).toMatchObject({ ...said, ...counts })
    expect((await getBatches(service)).results[0]).toEqual(batch)
    for (const record of await readAll(ids)) expect(record).toMatchObject({ language: 'German', tags: ['kept', 'new'] })
    const version = { version: 2, by: 'the publisher', reason: 'Retagged', batch: batch.id }
    expect(await getNewest(service, ids[2])).toMatchObject({ ...version, changed: ['language', 'tags'] })
    expect((await getHistory(service, ids[0])).count).toBe(2)
  })

  test('of a query accepts the filters of the list, and includes drafts', async () => {
    const ids = [
      ...(await createMany(2, { category: 'Queried' })),
      ...(await createMany(1, { category: 'Queried', state: 2 })),
    ]
    const all = { select: { query: 'category=queried' }, patch: { whiteboard: 'seen' } }
    expect(await change({ ...all, expect: 3 })).toMatchObject({ total: 3, changed: 3 })
    const drafts = { select: { query: 'category=queried&state=2' }, patch: { state: 1 }, expect: 1 }
    expect(await change(drafts)).toMatchObject({ changed: 1 })
    expect((await readAll(ids)).map(({ state, whiteboard }) => [state, whiteboard])).toEqual(Array(3).fill([1, 'seen']))
  })

  test('of an author selects the records that they changed in that time', async () => {
    const [one = 0, two = 0, three = 0] = await createMany(3)
    const patch = (id: number, summary: string) =>
      service.call({ method: 'PATCH', path: `/api/v2/video/${id}`, as: 'publisher', json: { summary } })
    await patch(one, 'Before')
    await Bun.sleep(5)
    const first = String(parseFields(await patch(two, 'First')).updated)
    const last = String(parseFields(await patch(three, 'Last')).updated)
    await Bun.sleep(5)
    await patch(one, 'After')
    const select = { by: 'the publisher', since: first, until: `${last}Z` }
    const body = { select, patch: { whiteboard: 'theirs' } }
    expect(await dryRun(body)).toMatchObject({ total: 2, differences: [{ id: two }, { id: three }] })
    expect(await change({ ...body, expect: 2 })).toMatchObject({ changed: 2 })
    const day = first.slice(0, 10)
    const whole = await dryRun({ ...body, select: { by: 'the publisher', since: day, until: day } })
    expect(Number(whole.total)).toBeGreaterThanOrEqual(3)
    const nobody = await dryRun({ ...body, select: { by: 'nobody', since: day } })
    expect(nobody).toMatchObject({ total: 0, differences: [] })
  })

  test('adds to lists and removes from them record by record, and keeps their order', async () => {
    const [one = 0] = await createMany(1, { speakers: ['B', 'A', 'C'], tags: [] })
    const [two = 0] = await createMany(1, { speakers: ['D', 'E'], tags: ['x'] })
    const patch = { speakers: { add: [' D ', 'B'], remove: ['A'] }, tags: { add: ['x'] } }
    expect(await change({ select: { ids: [one, two] }, patch })).toMatchObject({ changed: 2 })
    expect(await readAll([one, two])).toMatchObject([
      { speakers: ['B', 'C', 'D'], tags: ['x'] },
      { speakers: ['D', 'E', 'B'], tags: ['x'] },
    ])
  })

  test('edits the value of each record, and skips records in which nothing matches', async () => {
    const addresses = { source_url: 'http://www.youtube.com/watch?v=aaaaaaaaaaa', thumbnail_url: '' }
    const [one = 0] = await createMany(1, {
      title: 'Tides ｜Ann｜Conf',
      summary: '$1 $1',
      duration: 90_500,
      ...addresses,
    })
    const [two = 0] = await createMany(1, { title: 'Conf', summary: '', duration: null })
    const patch = {
      title: { cut_end: '｜Ann｜Conf' },
      summary: { find: '$1', replace: '$&' },
      source_url: { cut_start: 'http://', prefix: 'https://' },
      thumbnail_url: { from_source: true },
      duration: { divide: 1000 },
    }
    const batch = await change({ select: { ids: [one, two] }, patch })
    expect(batch).toMatchObject({ total: 2, changed: 1, unchanged: 1, refused: [] })
    const secure = 'https://www.youtube.com/watch?v=aaaaaaaaaaa'
    const thumbnail_url = 'https://i.ytimg.com/vi/aaaaaaaaaaa/hqdefault.jpg'
    const [edited, other] = await readAll([one, two])
    expect(edited).toMatchObject({ title: 'Tides', summary: '$& $&', duration: 91, source_url: secure, thumbnail_url })
    expect(other).toMatchObject({ title: 'Conf', summary: '', duration: null, thumbnail_url: '' })
    await undo(service, batch.id, { as: 'publisher' })
    expect((await readAll([one]))[0]).toMatchObject({ title: 'Tides ｜Ann｜Conf', duration: 90_500, ...addresses })
  })

  test('refuses records for which the result of an edit is invalid', async () => {
    const [one = 0, two = 0] = [
      ...(await createMany(1, { title: 'Conf', duration: 400 })),
      ...(await createMany(1, { title: 'Tides, Conf', duration: 400_000 })),
    ]
    const body = { select: { ids: [one, two] }, patch: { title: { cut_end: 'Conf' }, duration: { divide: 1000 } } }
    const refused = [{ id: one, problem: 'bad_fields' }]
    const answer = await post(body)
    expect([answer.status, parseFields(answer)]).toEqual([409, expect.objectContaining({ refused })])
    expect(await change({ ...body, partial: true })).toMatchObject({ changed: 1, refused })
    expect(await readAll([one, two])).toMatchObject([{ title: 'Conf' }, { title: 'Tides,', duration: 400 }])
  })

  test('that changes nothing makes no batch', async () => {
    const ids = await createMany(2, { language: 'German' })
    const before = await countBatches()
    const answer = await post({ select: { ids }, patch: { language: 'deu' } })
    expect([answer.status, await countBatches()]).toEqual([200, before])
    expect(parseFields(answer)).toMatchObject({ id: null, state: 'done', total: 2, changed: 0, unchanged: 2 })
    const empty = await post({ select: { query: 'category=not there' }, patch: {}, expect: 0 })
    expect([empty.status, parseFields(empty)]).toEqual([200, expect.objectContaining({ id: null, total: 0 })])
    expect((await getHistory(service, ids[0])).count).toBe(1)
  })

  test('takes its reason from the body, or else from the header', async () => {
    const ids = await createMany(1)
    const headers = { 'Change-Reason': 'By header' }
    const body = { select: { ids }, patch: { summary: '1' }, reason: 'By body' }
    expect(await change(body, { headers })).toMatchObject({ reason: 'By body' })
    const blank = { ...body, patch: { summary: '2' }, reason: ' ' }
    expect(await change(blank, { headers })).toMatchObject({ reason: 'By header' })
  })

  test('publishes and withdraws, which the public feed shows', async () => {
    const ids = await createMany(2, { state: 2 })
    const getChanges = async (since: unknown) => {
      const path = `/api/v2/changes?since=${since}`
      return parseFields(await service.call({ method: 'GET', path, as: 'none' }))
    }
    const { as_of } = await dryRun({ select: { ids }, patch: { state: 1 } })
    await change({ select: { ids }, patch: { state: 1 } })
    await change({ select: { ids }, patch: { state: 2 } })
    const told = ['created', 'withdrawn'].flatMap((kind) => ids.map((id) => ({ id, kind })))
    expect((await getChanges(as_of)).changes).toMatchObject(told)
  })

  test('is undone by its author, field by field', async () => {
    const ids = await createMany(2, { tags: ['old'], state: 1 })
    const batch = await change({ select: { ids }, patch: { tags: tagged, state: 2 } })
    await service.patch(ids[0], { tags: ['mine'] })
    const undone = await undo(service, batch.id, { as: 'publisher' })
    const left = [{ id: ids[0], fields: ['tags'], why: 'changed_since' }]
    expect(parseFields(undone)).toMatchObject({ kind: 'undo', undoes: batch.id, changed: 2, left })
    expect(await readAll(ids)).toMatchObject([
      { tags: ['mine'], state: 1 },
      { tags: ['old'], state: 1 },
    ])
  })
})

describe('A dry run of a bulk change', () => {
  test('shows the next differences after a record', async () => {
    const ids = await createMany(3, { title: 'Tides' })
    const body = { select: { ids }, patch: { title: { suffix: '!' } } }
    const all = await dryRun(body)
    expect(all).toMatchObject({ differences: ids.map((id) => ({ id })), next: null })
    const rest = await dryRun(body, { query: `&after=${ids[0]}` })
    expect(rest).toMatchObject({ total: 3, changed: 3, differences: ids.slice(1).map((id) => ({ id })), next: null })
    for (const query of ['dry_run=1&after=x', 'dry_run=1&after=-1', 'after=1', 'dry_run=0&after=1']) {
      const answer = await post(body, { query })
      expect([query, answer.status, Object.keys(Object(parseFields(answer).errors))]).toEqual([query, 400, ['after']])
    }
  })

  test('returns the number, every refusal and the differences, and stores nothing', async () => {
    const ids = await createMany(2, { tags: ['old'] })
    const before = await readAll(ids)
    const told = await dryRun({ select: { ids: [...ids, 999_999] }, patch: { tags: tagged, language: '' } })
    const fields = { tags: { before: ['old'], after: ['new'] } }
    expect(told).toMatchObject({
      total: 3,
      done: 3,
      changed: 2,
      unchanged: 1,
      differences: ids.map((id) => ({ id, fields })),
    })
    expect([told.refused, told.refused_count]).toEqual([[{ id: 999_999, problem: 'not_found' }], 1])
    expect(await readAll(ids)).toEqual(before)
  })

  test('returns as_of: a record whose field was changed later is refused', async () => {
    const ids = await createMany(3)
    const body = { select: { ids }, patch: { summary: 'S', tags: { add: ['x'] } } }
    const { as_of } = await dryRun(body)
    await service.patch(ids[0], { title: 'Another field' })
    await service.patch(ids[1], { tags: ['y'] })
    const refused = [{ id: ids[1], problem: 'changed_since' }]
    const answer = await post({ ...body, as_of })
    expect([answer.status, parseFields(answer).refused]).toEqual([409, refused])
    expect(await change({ ...body, as_of, partial: true })).toMatchObject({ changed: 2, refused })
    expect((await readAll(ids)).map(({ tags }) => tags)).toEqual([['x'], ['y'], ['x']])
  })
})

describe('A bulk change with an Idempotency-Key', () => {
  const headers = { 'Idempotency-Key': 'bulk-once' }

  test('is made once, with the same response', async () => {
    const ids = await createMany(1)
    const body = { select: { ids }, patch: { summary: 'Once' } }
    const first = await post(body, { headers })
    await service.patch(ids[0], { summary: 'Later' })
    const again = await post(body, { headers })
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body])
    expect((await getHistory(service, ids[0])).count).toBe(3)
    const other = await post({ ...body, patch: { summary: 'Twice' } }, { headers })
    expect([other.status, parseFields(other).type]).toEqual([400, 'urn:rostrum:problem:key_reused'])
    const create = {
      method: 'POST',
      path: '/api/v2/video',
      as: 'publisher' as const,
      json: { category: 'C', title: 'T' },
    }
    expect((await service.call({ ...create, headers })).status).toBe(400)
  })

  test('is made once by twenty requests at once', async () => {
    const ids = await createMany(2)
    const body = { select: { ids }, patch: { tags: { add: ['once'] } } }
    const options = { headers: { 'Idempotency-Key': 'bulk-at-once' } }
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(body, options)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1)
    expect((await getHistory(service, ids[0])).count).toBe(2)
  })
})
