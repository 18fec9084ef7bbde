import { expect, test } from 'bun:test'
import { ann, bob, bulk, describeBulk, eve, fail, toBatch, toPreview } from './bulk-store.ts'

describeBulk('A bulk change', (store) => {
  test('gives each record one version of one batch', async () => {
    const ids = [await store.create({ tags: ['a'] }), await store.create({ tags: ['b', 'x'] })]
    const patch = { language: 'en', tags: { add: ['x'], remove: ['a'] } }
    const batch = toBatch(await store.run(bulk({ select: { ids }, patch, reason: 'why' })))
    const counts = { total: 2, done: 2, changed: 2, unchanged: 0, refused: [], left: [], records: 2 }
    const said = { kind: 'bulk', state: 'done', by: 'ann', reason: 'why', undoes: null, undone_by: null }
    expect(batch).toMatchObject({ id: 1, ...said, ...counts })
    expect(await store.engine().batches()).toEqual([{ ...batch, id: 1 }])
    expect(await Promise.all(ids.map(store.read))).toMatchObject([
      { language: 'English', tags: ['x'] },
      { language: 'English', tags: ['b', 'x'] },
    ])
    const [first] = await store.engine().history(ids[0] ?? 0)
    expect(first).toMatchObject({ version: 2, by: 'ann', reason: 'why', batch: 1, changed: ['language', 'tags'] })
    expect((await store.engine().vocabulary()).tags).toMatchObject([
      { name: 'b', count: 1 },
      { name: 'x', count: 2 },
    ])
  })

  test('counts records that have the values already, and is no batch if all have them', async () => {
    const ids = [await store.create({ language: 'German' }), await store.create({})]
    const body = { select: { ids }, patch: { language: 'de' } }
    expect(toBatch(await store.run(bulk(body)))).toMatchObject({ id: 1, changed: 1, unchanged: 1 })
    expect(toBatch(await store.run(bulk(body)))).toMatchObject({ id: null, state: 'done', changed: 0, unchanged: 2 })
    expect((await store.engine().batches()).length).toBe(1)
    expect((await store.engine().counts()).versions).toBe(3)
  })

  test('changes nothing if one record refuses, and names every one', async () => {
    const id = await store.create({ tags: Array.from({ length: 200 }, (_, i) => `t${i}`) })
    const other = await store.create({})
    const patch = { tags: { add: ['one more'] }, category: 'A new one' }
    const body = { select: { ids: [other, 99, id, 77] }, patch }
    const refused = [
      { id, problem: 'bad_fields' },
      { id: 77, problem: 'not_found' },
      { id: 99, problem: 'not_found' },
    ]
    const before = await store.engine().counts()
    const outcome = await store.run(bulk(body))
    expect(outcome).toMatchObject({ is: 'refused', refusal: { code: 'records_refused', more: { refused } } })
    expect(await store.engine().counts()).toEqual(before)
    const partial = toBatch(await store.run(bulk({ ...body, partial: true })))
    expect(partial).toMatchObject({ id: 1, changed: 1, unchanged: 3, refused, refused_count: 3 })
    expect(await store.read(other)).toMatchObject({ tags: ['one more'], category: 'A new one' })
  })

  test('by an editor is for records that are drafts and stay drafts', async () => {
    const draft = await store.create({ state: 2 })
    const live = await store.create({ state: 1 })
    const patch = { summary: 'S' }
    const outcome = await store.run(bulk({ select: { ids: [draft, live] }, patch }, eve))
    const refused = [{ id: live, problem: 'publisher_required' }]
    expect(outcome).toMatchObject({ refusal: { code: 'publisher_required', more: { refused } } })
    expect(await store.run(bulk({ select: { ids: [live] }, patch: {} }, eve))).toMatchObject({ is: 'refused' })
    const publish = await store.run(bulk({ select: { ids: [draft] }, patch: { state: 1 } }, eve))
    const problem = 'publisher_required'
    expect(publish).toMatchObject({ refusal: { more: { refused: [{ id: draft, problem }] } } })
    expect(toBatch(await store.run(bulk({ select: { ids: [draft] }, patch }, eve)))).toMatchObject({ changed: 1 })
    const partial = bulk({ select: { ids: [draft, live] }, patch: { summary: 'T' }, partial: true }, eve)
    expect(toBatch(await store.run(partial))).toMatchObject({ changed: 1, refused })
  })

  test('selects by filters, drafts included, and needs the right number', async () => {
    const ids = []
    for (const tags of [['Alpha Beta'], ['alpha'], ['Beta']]) ids.push(await store.create({ tags, state: 2 }))
    const toBody = (query: string, expected: number) => ({
      select: { query },
      patch: { whiteboard: query },
      expect: expected,
    })
    const wrong = await store.run(bulk(toBody('tag=alpha', 3)))
    expect(wrong).toMatchObject({ is: 'refused', refusal: { code: 'unexpected_count', more: { count: 2 } } })
    expect(toBatch(await store.run(bulk(toBody('tag=alpha', 2))))).toMatchObject({ total: 2, changed: 2 })
    expect(toBatch(await store.run(bulk(toBody('tag=alpha&tag=beta', 1))))).toMatchObject({ changed: 1 })
    expect(toBatch(await store.run(bulk(toBody('category=C&state=2&tag=a', 3))))).toMatchObject({ changed: 3 })
    expect(toBatch(await store.run(bulk(toBody('q=alpha -beta', 1))))).toMatchObject({ changed: 1 })
    expect(toBatch(await store.run(bulk(toBody('category=none', 0))))).toMatchObject({ id: null, total: 0 })
    const boards = await Promise.all(ids.map(async (id) => (await store.read(id)).whiteboard))
    expect(boards).toEqual(['category=C&state=2&tag=a', 'q=alpha -beta', 'category=C&state=2&tag=a'])
  })

  test('tells in a dry run what would be, and changes nothing', async () => {
    const ids: number[] = []
    for (let i = 0; i < 60; i++) ids.push(await store.create({ title: `Talk ${i}`, tags: ['a'] }))
    await store.change(ids[0] ?? 0, { language: 'German' })
    const patch = { language: 'de', tags: { add: ['b'] } }
    const dryRun = bulk({ select: { query: 'tag=a' }, patch }, ann, true)
    const before = await store.engine().counts()
    const outcome = await store.run(dryRun)
    expect(toBatch(outcome)).toMatchObject({ id: null, total: 60, changed: 60, unchanged: 0, refused: [] })
    const { differences, as_of } = toPreview(outcome)
    expect([differences.length, as_of]).toEqual([50, 61])
    const tags = { before: ['a'], after: ['a', 'b'] }
    expect(differences.slice(0, 2)).toEqual([
      { id: 1, fields: { tags } },
      { id: 2, fields: { language: { before: '', after: 'German' }, tags } },
    ])
    expect(await store.engine().counts()).toEqual(before)
    const missing = await store.run(bulk({ select: { ids: [1, 99, 98] }, patch }, ann, true))
    expect(toBatch(missing)).toMatchObject({
      changed: 1,
      unchanged: 2,
      refused_count: 2,
      refused: [{ id: 98 }, { id: 99 }],
    })
  })

  test('refuses a record of which a field in the patch was changed after the dry run', async () => {
    const ids = [await store.create({}), await store.create({}), await store.create({})]
    const body = { select: { ids }, patch: { language: 'de', tags: { add: ['x'] } } }
    const { as_of } = toPreview(await store.run(bulk(body, ann, true)))
    await store.change(1, { summary: 'Another field' }, bob)
    await store.change(2, { language: 'English' }, bob)
    await store.change(3, { tags: ['x', 'y'], language: 'German' }, bob)
    const refused = [2, 3].map((id) => ({ id, problem: 'changed_since' }))
    const outcome = await store.run(bulk({ ...body, as_of }))
    expect(outcome).toMatchObject({ refusal: { code: 'records_refused', more: { refused } } })
    expect(toBatch(await store.run(bulk({ ...body, as_of, partial: true })))).toMatchObject({ changed: 1, refused })
    expect(await store.read(2)).toMatchObject({ language: 'English', tags: [] })
    const future = await store.run(bulk({ ...body, as_of: 1_000 }))
    expect(future).toMatchObject({ is: 'refused', refusal: { code: 'bad_fields' } })
  })

  test('answers the same request with the same key by the same batch', async () => {
    const ids = [await store.create({})]
    const command = { ...bulk({ select: { ids }, patch: { summary: 'S' }, expect: 1 }), idempotencyKey: 'k' }
    const batch = toBatch(await store.run(command))
    await store.change(1, { summary: 'Later' })
    expect(toBatch(await store.run(command))).toEqual(batch)
    expect(await store.read(1)).toMatchObject({ summary: 'Later' })
    const other = { ...bulk({ select: { ids }, patch: { summary: 'T' }, expect: 1 }), idempotencyKey: 'k' }
    expect(await store.run(other)).toMatchObject({ is: 'refused', refusal: { code: 'key_reused' } })
    const undo = { kind: 'undo', batch: 1, author: ann, idempotencyKey: 'k' } as const
    expect(await store.run(undo)).toMatchObject({ is: 'refused', refusal: { code: 'key_reused' } })
  })

  test('is undone by its author, field by field', async () => {
    const ids = [await store.create({ tags: ['a'] }), await store.create({ tags: ['a'] })]
    const before = await Promise.all(ids.map(store.read))
    const patch = { tags: { add: ['b'] }, state: 1, source_url: 'https://www.youtube.com/watch?v=aaaaaaaaaaa' }
    const { id = null } = toBatch(await store.run(bulk({ select: { ids }, patch })))
    await store.change(1, { tags: ['mine'] }, bob)
    const undone = await store.run({ kind: 'undo', batch: id ?? fail(id), author: ann })
    const left = [{ id: 1, fields: ['tags'], why: 'changed_since' }]
    expect(toBatch(undone)).toMatchObject({ kind: 'undo', changed: 2, left })
    const [one, two] = await Promise.all(ids.map(store.read))
    expect<unknown>({ ...one, updated: '' }).toEqual({ ...before[0], tags: ['mine'], updated: '' })
    expect<unknown>({ ...two, updated: '' }).toEqual({ ...before[1], updated: '' })
    const redone = await store.run({ kind: 'undo', batch: 2, author: ann })
    expect(toBatch(redone)).toMatchObject({ changed: 2 })
    expect((await store.read(2)).tags).toEqual(['a', 'b'])
  })
})
