import { expect, test } from 'bun:test'
import { createChangeTail } from '../../src/api/feed/change-tail.ts'
import { toTimestamp } from '../../src/record/timestamp.ts'
import type { ChangeLogEntry } from '../../src/store/change-log.ts'

const toDetails = (seq: number) => ({ by: seq % 2 === 0 ? 'ann' : 'bob', reason: null, fields: [] })

/** Every third change is not for everybody; most of the time such a one stands between two others of a page. */
const toChange = (seq: number): ChangeLogEntry => {
  return {
    seq,
    id: 1,
    version: seq,
    at: toTimestamp(0),
    kind: 'updated',
    isPublic: seq % 3 !== 2,
    details: toDetails(seq),
  }
}

const live = { visibility: 'live', by: null } as const
const all = { visibility: 'all', by: null } as const

async function createTail(count: number) {
  const changes = Array.from({ length: count }, (_, i) => toChange(i + 1))
  const store = {
    changesCounter: () => 1,
    async listChanges({ since, limit }: { since: number; limit: number }) {
      return { changes: changes.filter(({ seq }) => seq > since).slice(0, limit), last: count, store: 'here' }
    },
  }
  const tail = createChangeTail(store as never)
  tail.reset(0, 'here')
  await tail.refresh()
  return tail
}

type Read = ReturnType<Awaited<ReturnType<typeof createTail>>['read']>

const toText = (read: Read) => (read === null || read === 'gone' ? expect.unreachable() : String(read.bytes))
const toSeqs = (read: Read) =>
  [...toText(read).matchAll(/^id: here\.(\d+)\ndata: {"seq":\1,[^\n]*}\n\n/gm)].map(([, seq]) => Number(seq))

test('changes that are not public are left out, wherever they are in a page', async () => {
  const tail = await createTail(6)
  expect(toSeqs(tail.read(0, live, 'here'))).toEqual([1, 3, 4, 6])
  expect(toSeqs(tail.read(2, live, 'here'))).toEqual([3, 4, 6])
  expect(toSeqs(tail.read(0, all, 'here'))).toEqual([1, 2, 3, 4, 5, 6])
  expect(toText(tail.read(0, live, 'here')).match(/data/g)).toHaveLength(4)
  expect(tail.read(6, live, 'here')).toBeNull()
})

test('only readers who see everything get the authors of changes, and can filter by them', async () => {
  const tail = await createTail(6)
  expect(toText(tail.read(0, all, 'here')).match(/"by":"(?:ann|bob)","reason":null,"fields":\[\]}/g)).toHaveLength(6)
  expect(toText(tail.read(0, live, 'here'))).not.toMatch(/"(?:by|reason|fields)"/)
  const read = tail.read(0, { visibility: 'all', by: 'ann' }, 'here')
  expect([toSeqs(read), read]).toEqual([[2, 4, 6], expect.objectContaining({ upTo: 6 })])
  const none = tail.read(0, { visibility: 'all', by: 'eve' }, 'here')
  expect(none).toMatchObject({ upTo: 6, bytes: Buffer.alloc(0) })
})

test('a reader gets everything once, over many pages and pieces', async () => {
  const tail = await createTail(1_700)
  const told: number[] = []
  for (
    let at = 0, read = tail.read(at, live, 'here');
    read !== null && read !== 'gone';
    read = tail.read(at, live, 'here')
  ) {
    told.push(...toSeqs(read))
    at = read.upTo
  }
  expect(told).toEqual(Array.from({ length: 1_700 }, (_, i) => i + 1).filter((seq) => seq % 3 !== 2))
})

test('readers at one position get the same bytes; those for rare positions are not cached', async () => {
  const tail = await createTail(100)
  const first = tail.read(0, live, 'here')
  expect(tail.read(0, live, 'here')).toBe(first)
  for (let after = 1; after <= 50; after++) tail.read(after, live, 'here')
  expect(tail.read(0, live, 'here')).not.toBe(first)
  expect(tail.read(0, live, 'here')).toEqual(first)
})
