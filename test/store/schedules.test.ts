import { expect, test } from 'bun:test'
import type { Command } from '../../src/record/command.ts'
import { ann, describeBulk } from './bulk-store.ts'

const due: Command = { kind: 'publish due', author: { name: 'schedule', role: 'admin' } }
/** The clock of the store begins with 2024, and goes on by a second with each command. */
const soon = '2024-01-01T00:00:05.000'
const local = { name: 'local', role: 'admin' } as const
const schedule = (id: number, publishAt: string | null, author = local as typeof local | typeof ann): Command => ({
  ...{ kind: 'schedule publish', id, publishAt, author },
})

describeBulk('Publishing later', (store) => {
  test('makes a draft live at its time, once, in the name of who asked', async () => {
    const id = await store.create({ state: 2 })
    expect(await store.run(schedule(id, soon))).toMatchObject({ is: 'schedule', schedule: { at: soon, by: 'local' } })
    expect(await store.run(due)).toMatchObject({ is: 'schedule', wasWritten: false })
    expect((await store.read(id)).state).toBe(2)
    await store.run(due)
    expect(await store.run(due)).toMatchObject({ is: 'batch', batch: null, ids: [id] })
    expect((await store.read(id)).state).toBe(1)
    // Another node that is a moment later finds nothing to do.
    expect(await store.run(due)).toMatchObject({ is: 'schedule', wasWritten: false })
    const [newest] = await store.engine().history(id)
    expect(newest).toMatchObject({ version: 2, by: 'local', reason: 'scheduled', changed: ['state'] })
  })

  test('publishes more at once than one transaction does', async () => {
    const ids = await Promise.all(Array.from({ length: 130 }, () => store.create({ state: 2 })))
    const later = '2024-01-01T01:00:00.000'
    for (const id of ids) await store.run(schedule(id, later))
    const outcomes = await store.engine().run([due, due, due], Date.parse(`${later}Z`))
    expect(outcomes.map((outcome) => (outcome.is === 'batch' ? outcome.ids.length : 0))).toEqual([100, 30, 0])
  })

  test('is taken back by any change of the state, and on request', async () => {
    const [one, two, three] = [
      await store.create({ state: 2 }),
      await store.create({ state: 2 }),
      await store.create({ state: 2 }),
    ]
    for (const id of [one, two, three]) await store.run(schedule(id, '2024-01-01T00:00:12.000'))
    await store.change(one, { state: 1 })
    await store.change(one, { state: 2 })
    await store.run(schedule(two, null))
    await store.change(three, { summary: 'Another field' })
    while (store.at() < '2024-01-01T00:00:13') await store.run(due)
    expect([(await store.read(one)).state, (await store.read(two)).state, (await store.read(three)).state]).toEqual([
      2, 2, 1,
    ])
  })

  test('leaves a draft whose publisher has no token any more', async () => {
    const id = await store.create({ state: 2 })
    await store.run(schedule(id, soon, ann))
    while (store.at() < '2024-01-01T00:00:08') await store.run(due)
    expect((await store.read(id)).state).toBe(2)
    expect(await store.run(due)).toMatchObject({ is: 'schedule', wasWritten: false })
  })

  test('is for drafts, and for times that are ahead and not too far', async () => {
    const id = await store.create({ state: 2 })
    const live = await store.create({ state: 1 })
    expect(await store.run(schedule(live, soon))).toMatchObject({ refusal: { code: 'not_a_draft' } })
    expect(await store.run(schedule(999, soon))).toMatchObject({ refusal: { code: 'not_found' } })
    for (const at of ['2023-12-31T00:00:00.000', '2024-01-01T00:00:00.000', '2026-02-01T00:00:00.000'])
      expect(await store.run(schedule(id, at))).toMatchObject({ refusal: { code: 'bad_fields' } })
    expect(await store.run({ ...schedule(id, '2025-01-01T00:00:00.000'), isDryRun: true })).toMatchObject({
      wasWritten: false,
    })
    expect(await store.run(schedule(id, null))).toMatchObject({ schedule: null, wasWritten: false })
  })
})
