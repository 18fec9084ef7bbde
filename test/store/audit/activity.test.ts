import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Activity } from '../../../src/store/activity-reads.ts'
import { eraseRecord } from '../../../src/store/maintain/erase.ts'
import { describeEngines, type SiteStore, timeoutMs } from '../site/site-store.ts'
import { importTalks } from '../talks.ts'
import { createAudit, everything, readPages, run } from './audit-store.ts'

const ann = { name: 'ann', role: 'admin' } as const
const ben = { name: 'ben', role: 'admin' } as const

/** A line in short: who did what. */
function toShort(line: Activity): string {
  switch (line.is) {
    case 'version':
      return `${line.by}: ${line.kind} ${line.id}.${line.version}`
    case 'batch':
      return `${line.by}: ${line.kind} of ${line.records}`
    case 'category':
      return `${line.by}: category ${line.slug}.${line.version}`
    case 'profile':
      return `${line.by}: speaker ${line.id}.${line.version}`
    case 'dismissal':
      return `${line.by}: dismissed ${line.names.join('/')}`
    case 'erasure':
      return `erased ${line.id}`
  }
}

describeEngines((open) => {
  let store: SiteStore
  let audit: ReturnType<typeof createAudit>

  beforeAll(async () => {
    store = await open()
    audit = createAudit(store)
    await fill()
  }, timeoutMs)
  afterAll(() => store.remove(), timeoutMs)

  /** An import of 300 talks; changes of two people, alone and as batches; names; an erased talk. */
  async function fill(): Promise<void> {
    await importTalks(store.writing, 300, 'Imported')
    const create = { kind: 'create', author: ann } as const
    await run(store, { ...create, changes: { category: 'Fair', title: 'One', speakers: ['Ada L.'] } })
    await run(store, { ...create, changes: { category: 'Fair', title: 'Two', speakers: ['Ada Lovelace'] } })
    const change = { kind: 'merge', id: 301, author: ben, precondition: {} } as const
    await run(store, { ...change, changes: { summary: 'S' }, reason: 'because' })
    await run(store, { kind: 'rename name', of: 'speaker', nameId: 1, name: 'Ada King', author: ben })
    await run(store, { kind: 'dismiss variants', of: 'speaker', ids: [1, 2], isDismissed: true, author: ben })
    await run(store, { kind: 'create category', changes: { title: 'Empty' }, author: ann })
    await run(store, { ...change, changes: { state: 1 }, author: ann })
    await eraseRecord(store.writing, 302, '2030-01-01T00:00:00.000')
  }

  const list = async (query: Partial<typeof everything> = {}) =>
    (await readPages(audit, { ...everything, ...query })).flatMap(({ lines }) => lines)
  const listShort = async (query: Partial<typeof everything> = {}) => (await list(query)).map(toShort)

  const whole = [
    'erased 302',
    'ann: created 301.4',
    'ann: category empty.1',
    // The other name went with the erased talk.
    'ben: dismissed Ada King/',
    'ben: rename speaker of 1',
    'ben: updated 301.2',
    'ann: created 301.1',
    'ann: category fair.1',
    'import: import of 300',
  ]

  test('lists who did what, newest first, a batch as one line', async () => {
    expect(await listShort()).toEqual(whole)
  })

  test('has the same lines in pages of any size', async () => {
    for (const limit of [1, 2, 3, 7]) {
      const pages = await readPages(audit, { ...everything, limit })
      expect(pages.flatMap(({ lines }) => lines.map(toShort))).toEqual(whole)
      expect(pages.slice(0, -1).map(({ lines }) => lines.length)).toEqual(pages.slice(0, -1).map(() => limit))
    }
  })

  test('tells reason and fields, and of an erased talk nothing but that', async () => {
    const lines = await list()
    expect(lines.find((line) => line.is === 'version' && line.version === 2)).toMatchObject({
      ...{ by: 'ben', reason: 'because', changed: ['summary'], kind: 'updated', batch: null },
    })
    expect(lines[0]).toEqual({ is: 'erasure', at: '2030-01-01T00:00:00.000', id: 302 })
  })

  test('is narrowed to an author, an event, a batch, a day', async () => {
    expect(await listShort({ by: 'ben' })).toEqual([whole[3], whole[4], whole[5]].map(String))
    expect(await listShort({ by: 'nobody' })).toEqual([])
    expect(await listShort({ category: 'fair' })).toEqual([
      'ann: created 301.4',
      'ben: updated 301.3',
      'ben: updated 301.2',
      'ann: created 301.1',
      'ann: category fair.1',
    ])
    expect(await listShort({ category: 'fair', by: 'ben' })).toEqual(['ben: updated 301.3', 'ben: updated 301.2'])
    expect(await listShort({ category: 'unknown' })).toEqual([])
    expect(await listShort({ batch: 2 })).toEqual(['ben: updated 301.3'])
    const today = (await list({ by: 'ann' })).at(-1)?.at.slice(0, 10) ?? ''
    expect(await listShort({ day: today })).toEqual(whole.slice(1))
    expect(await listShort({ day: '2020-02-29' })).toEqual([])
    expect(await listShort({ category: 'imported', limit: 100 })).toHaveLength(301)
  })

  test('finds a day among many', async () => {
    const days = ['2001-01-01', '2001-01-02', '2001-01-03']
    for (const [i, day] of days.entries()) {
      const sql = 'UPDATE version SET at = $at WHERE batch = 1 AND record_id > $from AND record_id <= $to'
      await store.writing.query(sql).run({ at: `${day}T12:00:00.000`, from: i * 100, to: i * 100 + 100 })
    }
    const count = async (day: string) =>
      (await list({ day, category: 'imported' })).filter(({ is }) => is === 'version').length
    const counts: number[] = []
    for (const day of ['2000-12-31', ...days, '2001-01-04']) counts.push(await count(day))
    expect(counts).toEqual([0, 100, 100, 100, 0])
  })
})
