import { expect, test } from 'bun:test'
import type { TableCommand } from '../../src/record/command.ts'
import { ann, bob, bulk, describeBulk, eve, toBatch } from './bulk-store.ts'
import { table, toPreview } from './table-command.ts'

describeBulk('A table', (store) => {
  const dryRun = async (command: TableCommand) => toPreview(await store.run({ ...command, isDryRun: true }))
  const verdictsOf = async (command: TableCommand) =>
    (await dryRun(command)).rows.map(({ row, is, problem }) =>
      problem === null ? `${row} ${is}` : `${row} ${problem}`,
    )
  const updatedOf = async (id: number) => `${(await store.read(id)).updated}Z`

  test('changes and creates records as one batch, which can be undone', async () => {
    const [first, second] = [await store.create({ title: 'One', state: 1 }), await store.create({ title: 'Two' })]
    const text = `id|updated|title|event|tags
${second}|${await updatedOf(second)}|Two|C|a; b
${first}|${await updatedOf(first)}|Uno|C|
||New|C|x
||New||`
    const command = table(text)
    expect(await verdictsOf(command)).toEqual(['2 changed', '3 changed', '4 created', '5 created'])
    expect((await store.engine().batches()).length).toBe(0)
    const outcome = await store.run({ ...command, reason: 'why' })
    const counts = { total: 4, done: 4, changed: 4, unchanged: 0 }
    expect(toBatch(outcome)).toMatchObject({ id: 1, kind: 'table', state: 'done', by: 'ann', reason: 'why', ...counts })
    expect(outcome).toMatchObject({ ids: [first, second, 3, 4] })
    expect(await Promise.all([1, 2, 3, 4].map(store.read))).toMatchObject([
      { title: 'Uno', tags: [], state: 1 },
      { title: 'Two', tags: ['a', 'b'] },
      { title: 'New', category: 'C', tags: ['x'], state: 2, slug: 'new' },
      { title: 'New', category: 'Chosen', tags: [], state: 2, slug: 'new-2' },
    ])
    expect(toBatch(await store.run({ kind: 'undo', batch: 1, author: ann }))).toMatchObject({
      changed: 4,
      left_count: 0,
    })
    expect(await Promise.all([first, second, 3, 4].map(store.read))).toMatchObject([
      { title: 'One', whiteboard: '' },
      { tags: [] },
      { title: 'New', whiteboard: '[parked]' },
      { whiteboard: '[parked]' },
    ])
  })

  test('counts only cells that differ from the version it was made from', async () => {
    const id = await store.create({ title: 'Old', summary: 'S', tags: ['a'] })
    const updated = await updatedOf(id)
    await store.change(id, { summary: 'By Bob' }, bob)
    const stale = (cells: string) => table(`id|updated|title|summary|tags\n${id}|${updated}|${cells}`)
    expect(await verdictsOf(stale('Old|S|a'))).toEqual(['2 unchanged'])
    expect(toBatch(await store.run(stale('New|S|a')))).toMatchObject({ changed: 1 })
    expect(await store.read(id)).toMatchObject({ title: 'New', summary: 'By Bob', tags: ['a'] })
    expect(await verdictsOf(stale('New|By Bob|a'))).toEqual(['2 unchanged'])
  })

  test('refuses a row whose field others have changed since, and shows all three sides', async () => {
    const id = await store.create({ title: 'Old' })
    const updated = (await updatedOf(id)).slice(0, -1)
    await store.change(id, { title: 'Theirs' }, bob)
    const command = table(`id|updated|title\n${id}|${updated}|Yours\n||New`)
    const { rows, differences } = await dryRun(command)
    expect(rows).toMatchObject([{ is: 'refused', problem: 'changed_since' }, { is: 'created' }])
    expect(differences[0]?.fields).toEqual({ title: { base: 'Old', before: 'Theirs', after: 'Yours' } })
    const refused = [{ id, problem: 'changed_since' }]
    const before = await store.engine().counts()
    expect(await store.run(command)).toMatchObject({ refusal: { code: 'records_refused', more: { refused } } })
    expect(await store.engine().counts()).toEqual(before)
    const partial = table(`id|updated|title\n${id}|${updated}|Yours\n||New`, { isPartial: true })
    expect(toBatch(await store.run(partial))).toMatchObject({ changed: 1, unchanged: 1, refused })
    expect(await store.read(id)).toMatchObject({ title: 'Theirs' })
  })

  test('overwrites without a time, but nothing that changes after the preview', async () => {
    const id = await store.create({ title: 'Old' })
    const command = table(`id|title\n${id}|New`)
    const { rows, as_of } = await dryRun(command)
    expect(rows).toMatchObject([{ is: 'changed', isOverwriting: true }])
    await store.change(id, { title: 'Newer' }, bob)
    const seen = table(`id|title\n${id}|New`, { asOf: as_of })
    expect(await store.run(seen)).toMatchObject({ refusal: { code: 'records_refused' } })
    expect(await store.read(id)).toMatchObject({ title: 'Newer' })
    expect(await store.run(table(`id|title\n${id}|New`, { asOf: as_of + 99 }))).toMatchObject({
      refusal: { code: 'bad_fields' },
    })
  })

  test('refuses what it cannot find or read, row by row', async () => {
    const id = await store.create({ title: 'Here', source_url: 'https://youtu.be/dQw4w9WgXcQ' })
    const text = `id|updated|title|duration|source_url
99||X||
${id}|2020-01-01T00:00:00.000Z|Here||
${id}||Again||
x||X||
|||7|
||Long|soon|
||Same||https://www.youtube.com/watch?v=dQw4w9WgXcQ
||Good||https://example.org/1
||Twice||https://example.org/1`
    const { rows } = await dryRun(table(text))
    expect(rows.map(({ row, problem, errors, same }) => [row, problem, Object.keys(errors), same])).toEqual([
      [2, 'not_found', [], null],
      [3, 'no_such_version', [], null],
      [4, 'bad_fields', ['id'], null],
      [5, 'bad_fields', ['id'], null],
      [6, 'bad_fields', ['title'], null],
      [7, 'bad_fields', ['duration'], null],
      [8, 'same_video', [], { id }],
      [9, null, [], null],
      [10, 'same_video', [], { row: 9 }],
    ])
    expect(toBatch(await store.run(table(text, { isPartial: true })))).toMatchObject({ changed: 1, total: 9 })
    const repeated = table('title|source_url\nSame|https://youtu.be/dQw4w9WgXcQ', { mayRepeatVideos: true })
    expect(toBatch(await store.run(repeated))).toMatchObject({ changed: 1 })
  })

  test('by an editor changes drafts and creates some, and nothing that is live', async () => {
    const [live, draft] = [await store.create({ state: 1 }), await store.create({ state: 2 })]
    const text = `id|title|state\n${live}|X|live\n${draft}|X|draft\n|New|draft`
    const command = table(text, {}, eve)
    expect(await verdictsOf(command)).toEqual(['2 publisher_required', '3 changed', '4 created'])
    expect(await store.run(command)).toMatchObject({ refusal: { code: 'publisher_required' } })
    expect(await verdictsOf(table(`id|state\n${draft}|live`, {}, eve))).toEqual(['2 publisher_required'])
    expect(await verdictsOf(table('title|state\nNew|live'))).toEqual(['2 bad_fields'])
  })

  test('is undone without new drafts that somebody has worked on, and the undo can be undone', async () => {
    await store.run(table('title\nTouched\nUntouched'))
    await store.change(1, { summary: 'Better' }, bob)
    const undone = toBatch(await store.run({ kind: 'undo', batch: 1, author: ann }))
    expect(undone).toMatchObject({ changed: 1, left: [{ id: 1, fields: ['state'], why: 'already_draft' }] })
    expect(await store.read(2)).toMatchObject({ state: 2, whiteboard: '[parked]' })
    await store.run({ kind: 'undo', batch: undone.id ?? 0, author: ann })
    expect(await store.read(2)).toMatchObject({ state: 2, whiteboard: '' })
  })

  test('is undone after its drafts were published and withdrawn again, and may then be sent again', async () => {
    const command = table('title|source_url\nNew|https://example.org/a')
    await store.run(command)
    await store.run(bulk({ select: { ids: [1] }, patch: { state: 1 } }))
    await store.run({ kind: 'undo', batch: 2, author: ann })
    expect(toBatch(await store.run({ kind: 'undo', batch: 1, author: ann }))).toMatchObject({ changed: 1, left: [] })
    expect(await store.read(1)).toMatchObject({ state: 2, whiteboard: '[parked]' })
    expect(await verdictsOf(command)).toEqual(['2 created'])
  })

  test('that changes nothing is no batch', async () => {
    const id = await store.create({ title: 'T' })
    expect(toBatch(await store.run(table(`id|title\n${id}|T`)))).toMatchObject({ id: null, unchanged: 1 })
  })

  test('that is sent twice with one key creates its records once', async () => {
    const command = { ...table('title\nOnly one'), idempotencyKey: 'k' }
    expect(toBatch(await store.run(command))).toMatchObject({ id: 1, changed: 1 })
    expect(toBatch(await store.run(command))).toMatchObject({ id: 1, changed: 1 })
    expect((await store.engine().counts()).records).toBe(1)
    const other = { ...table('title\nAnother'), idempotencyKey: 'k' }
    expect(await store.run(other)).toMatchObject({ refusal: { code: 'key_reused' } })
  })

  test('shows the requested rows, refused ones first', async () => {
    const id = await store.create({ title: 'T' })
    const command = table(`id|title\n|A\n|B\n${id}|C\n99|D`, { shown: { from: 1, count: 2 } })
    expect((await dryRun(command)).differences.map(({ row }) => row)).toEqual([4, 2])
  })
})
