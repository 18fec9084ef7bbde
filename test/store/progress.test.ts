import { afterAll, beforeAll, expect, test } from 'bun:test'
import { toTimestamp } from '../../src/record/timestamp.ts'
import { createDoneCounter } from '../../src/store/read/progress.ts'
import { until } from '../harness/until.ts'
import { author } from './random-talks.ts'
import { describeEngines, type SiteStore, timeoutMs } from './site/site-store.ts'

describeEngines((open) => {
  let store: SiteStore
  let changes = 0
  beforeAll(async () => {
    store = await open()
  }, timeoutMs)
  afterAll(() => store.remove())

  const accept = async (id: number, code: 'missing_tags' | 'shouting_title', isAccepted: boolean) => {
    const select = { is: 'ids', ids: [id] } as const
    const command = { kind: 'accept findings', code, select, isAccepted, author, expect: null, asOf: null } as const
    await store.writer.run([command], new Set())
  }

  test('What is done is what records had before, and is repaired or accepted now', async () => {
    const loud = { title: 'LOOK AT THIS TALK', tags: [], language: '' }
    const ids = [await store.create(loud), await store.create(loud), await store.create(loud)]
    const [one = 0, two = 0, three = 0] = ids
    const sinceMs = Date.now() + 1
    await until('the time has come', async () => Date.now() > sinceMs)
    const countDone = createDoneCounter(
      store.db,
      () => changes,
      () => undefined,
    )
    const read = async () => {
      changes++
      return Object.fromEntries(await countDone({ since: toTimestamp(sinceMs) }))
    }
    expect(await read()).toEqual({})
    // New records were never to be repaired.
    const fresh = await store.create(loud)
    await store.change(fresh, { title: 'Quiet' })
    expect(await read()).toEqual({})
    await store.change(one, { title: 'Quiet', language: 'English' })
    await store.change(two, { language: 'English' })
    expect(await read()).toEqual({ missing_language: 2, shouting_title: 1 })
    await accept(three, 'shouting_title', true)
    await accept(three, 'missing_tags', true)
    expect(await read()).toEqual({ missing_language: 2, missing_tags: 1, shouting_title: 2 })
    // What is undone is to be done again.
    await accept(three, 'missing_tags', false)
    await store.change(two, { language: '' })
    expect(await read()).toEqual({ missing_language: 1, shouting_title: 2 })
  })
})
