import { expect, test } from 'bun:test'
import { isAscii } from 'node:buffer'
import fc from 'fast-check'
import type { Command } from '../../src/record/command.ts'
import { parseListQuery } from '../../src/record/query/query.ts'
import type { PortReply, QueryReply } from '../../src/serve/port/messages.ts'
import {
  outcomes,
  packReplies,
  packRequests,
  pages,
  unpackReplies,
  unpackRequests,
} from '../../src/serve/port/packets.ts'
import type { Outcome, StoredRecord } from '../../src/store/store.ts'
import { hostileTarget, hostileText } from '../contract/hostile-query.ts'

const bytes = fc.uint8Array({ maxLength: 300 })

const stored: fc.Arbitrary<StoredRecord> = fc.record({
  id: fc.nat(),
  version: fc.nat(),
  versionTag: hostileText,
  state: fc.constantFrom(1, 2),
  updated: hostileText,
  body: bytes,
})

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.record({ is: fc.constant('stored'), stored, changed: fc.constant(['title']), counter: fc.integer() } as const),
  fc.record({ is: fc.constant('stored'), stored, changed: fc.constant([]) } as const),
)

/** Bytes as such: some come back as a Buffer. */
const toPlain = (replies: readonly PortReply<unknown>[]) => structuredClone(replies)

test('what a record became comes back as it was, whatever its texts and bytes', () => {
  fc.assert(
    fc.property(fc.array(outcome, { maxLength: 5 }), (all) => {
      const replies = all.map((answer, i) => ({ number: i * 7, answer }))
      const packet = packReplies(replies, outcomes)
      expect(packet).toBeString()
      expect(toPlain(unpackReplies(packet, outcomes))).toEqual(replies)
    }),
  )
})

test('so does a page of a list', () => {
  const text = fc.string({ unit: 'binary-ascii', maxLength: 300 })
  const page: fc.Arbitrary<QueryReply> = fc.oneof(
    fc.record({ text, sum: hostileText, ignored: fc.array(hostileText) }),
    fc.record({ count: fc.nat(), page: fc.nat(), text, size: fc.nat() }),
    fc.record({
      text,
      marks: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom(0, 1))),
      last: fc.nat(),
      store: hostileText,
    }),
    fc.constant(null),
  )
  fc.assert(
    fc.property(page, (answer) => {
      const packet = packReplies([{ number: 1, answer }], pages)
      // One other character would make all of it twice as large.
      expect(isAscii(Buffer.from(String(packet)))).toBe(true)
      expect(toPlain(unpackReplies(packet, pages))).toEqual([{ number: 1, answer }])
    }),
  )
})

test('what JSON cannot say goes as it is, with all that goes with it', () => {
  const body = new Uint8Array([1, 2, 3])
  const record = { id: 1, version: 2, versionTag: '2-a', state: 1, updated: '2012-03-09T00:00:00', body }
  const refusal = { code: 'bad_fields', errors: new Map([['title', ['Too long.']]]) } as const
  const replies: PortReply<Outcome>[] = [
    { number: 1, answer: { is: 'stored', stored: record, changed: ['title'] } },
    { number: 2, answer: { is: 'refused', refusal } },
  ]
  expect(packReplies(replies, outcomes)).toBe(replies)
  expect(unpackReplies(replies, outcomes)).toBe(replies)
  const failed: PortReply<QueryReply>[] = [{ number: 3, answer: 'busy' }]
  expect(unpackReplies(packReplies(failed, pages), pages)).toEqual(failed)
  const errors = new Map([['page_size', ['Too much.']]])
  const wrong: PortReply<QueryReply>[] = [{ number: 4, answer: { ok: false, problem: 'bad_parameter', errors } }]
  expect(packReplies(wrong, pages)).toBe(wrong)
})

test('whatever a list is asked arrives as it was asked', () => {
  fc.assert(
    fc.property(hostileTarget, (target) => {
      const request = { parameters: target.slice(target.indexOf('?') + 1), drafts: true, at: target }
      const requests = [{ number: 1, ask: { is: 'list', request } }]
      expect(unpackRequests(packRequests(requests))).toStrictEqual(requests)
    }),
    { numRuns: 2_000 },
  )
})

test('a cursor with a number that JSON cannot say is none', () => {
  const text = Buffer.from('["id",[1e999]]').toString('base64url')
  expect(parseListQuery(new URLSearchParams({ ordering: 'id', cursor: text }), false).ok).toBe(false)
})

test('every kind of write arrives as it was asked', () => {
  const author = { name: 'ann', role: 'admin' } as const
  const precondition = {
    ifMatch: ['2-a'],
    ifNoneMatch: '*',
    ifUnmodifiedSinceMs: 1331251200000,
    mergeBase: '1-b',
  } as const
  const commands: Command[] = [
    { kind: 'create', author, reason: 'because', changes: { title: 'A', tags: ['é', '日本'] }, idempotencyKey: 'k' },
    { kind: 'merge', id: 2 ** 53 - 1, author, precondition, changes: { duration: null }, isDryRun: true },
    { kind: 'replace', id: 1, author, precondition: { ifMatch: '*' }, changes: {} },
    { kind: 'patch', id: 1, author, precondition: {}, operations: [{ op: 'remove', path: ['tags', '0'] }] },
    { kind: 'restore', id: 1, author, number: 3, precondition: {} },
    { kind: 'category', author, slug: 'a', changes: { start_date: null } },
    { kind: 'undo', author, batch: 1, idempotencyKey: 'k' },
  ]
  const requests = commands.map((command, number) => ({ number, ask: { is: 'command', command } }))
  expect(unpackRequests(packRequests(requests))).toStrictEqual(requests)
})

test('whatever JSON a write has arrives as it was sent', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const operations = [{ op: 'add', path: ['title'], value: JSON.parse(JSON.stringify(value)) }]
      const requests = [{ number: null, ask: { is: 'command', command: { kind: 'patch', operations } } }]
      expect(unpackRequests(packRequests(requests))).toEqual(requests)
    }),
  )
})
