import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eraseRecord } from '../../../src/store/maintain/erase.ts'
import { author } from '../random-talks.ts'
import { describeEngines, type SiteStore, timeoutMs } from '../site/site-store.ts'
import { createAudit } from './audit-store.ts'

describeEngines((open) => {
  let store: SiteStore
  let audit: ReturnType<typeof createAudit>

  beforeAll(async () => {
    store = await open()
    audit = createAudit(store)
  }, timeoutMs)
  afterAll(() => store.remove(), timeoutMs)

  /** As `created 1.2`: the kind of a change, its record and its version. */
  const list = async (category = 'alpha', limit = 50) =>
    (await audit.listEventChanges({ category, limit })).map(({ kind, id, version }) => `${kind} ${id}.${version}`)

  test('only changes that everybody saw, of records that are live', async () => {
    const [draft, live] = [await store.create({ title: 'Draft', state: 2 }), await store.create({ title: 'Live' })]
    await store.change(draft, { summary: 'not to be known' })
    expect(await list()).toEqual([`created ${live}.1`])
    await store.change(live, { summary: 'for all' })
    await store.change(live, { whiteboard: 'for curators' })
    await store.change(draft, { state: 1 })
    expect(await list()).toEqual([`created ${draft}.3`, `updated ${live}.2`, `created ${live}.1`])
    await store.change(live, { state: 2 })
    expect(await list()).toEqual([`created ${draft}.3`])
    await store.change(live, { state: 1, whiteboard: '' })
    expect(await list()).toEqual([`created ${live}.5`, `created ${draft}.3`, `updated ${live}.2`, `created ${live}.1`])
    await eraseRecord(store.writing, live, '2030-01-01T00:00:00.000')
    expect(await list()).toEqual([`created ${draft}.3`])
    await store.change(draft, { category: 'Beta' })
    expect([await list(), await list('beta'), await list('gamma')]).toEqual([
      [],
      [`updated ${draft}.4`, `created ${draft}.3`],
      [],
    ])
  })

  test('the newest of many', async () => {
    const ids: number[] = []
    for (let i = 0; i < 12; i++) ids.push(await store.create({ category: 'Many', title: `Talk ${i}` }))
    const [first = 0] = ids
    for (let i = 0; i < 3; i++) await store.change(first, { summary: `version ${i}` })
    expect(await list('many', 5)).toEqual([
      ...[4, 3, 2].map((version) => `updated ${first}.${version}`),
      ...[11, 10].map((i) => `created ${ids[i]}.1`),
    ])
  })

  test('of companions, however many changes a draft had', async () => {
    const say = async (id: number, ...labels: readonly string[]) => {
      for (const label of labels) {
        const body = { links: [{ url: 'https://example.org/', label }] }
        await store.execute({ kind: 'set companion', id, name: 'related', body, author, precondition: {} })
      }
    }
    const given = { category: 'Said', title: 'A talk' }
    const [quiet, draft] = [await store.create(given), await store.create({ ...given, state: 2 })]
    const others = [await store.create(given), await store.create(given)]
    await say(quiet, 'Slides')
    await say(draft, 'a', 'b', 'c')
    await store.change(draft, { state: 1 })
    expect(await list('said', 2)).toEqual([`created ${draft}.5`, `updated ${quiet}.2`])
    await say(others[0] ?? 0, 'Code')
    expect(await list('said', 2)).toEqual([`updated ${others[0]}.2`, `created ${draft}.5`])
  })
})
