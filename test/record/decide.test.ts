import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type ChangeCommand, publisherRequired } from '../../src/record/command.ts'
import { type Current, type Decision, decide, decideCreate } from '../../src/record/decide.ts'
import { toEmbed } from '../../src/record/embed.ts'
import { fieldNames, writableNames } from '../../src/record/fields.ts'
import type { PatchOperation } from '../../src/record/json-patch.ts'
import type { Changes } from '../../src/record/record.ts'
import { type Author, roles } from '../../src/record/role.ts'
import { toTimestamp } from '../../src/record/timestamp.ts'
import { runs } from '../harness/runs.ts'
import { partBody, toChanges, wholeBody } from './arbitrary.ts'

const anyAuthor: fc.Arbitrary<Author> = fc.constantFrom(...roles).map((role) => ({ name: role, role }))
const anyTime = fc.integer({ min: 0, max: 4_000_000_000_000 }).map(toTimestamp)

const current: fc.Arbitrary<Current> = fc.tuple(wholeBody, anyTime).map(([body, at]) => {
  const changes = toChanges(body, 'whole')
  const made = decideCreate({ kind: 'create', author: { name: 'a', role: 'admin' }, changes }, { id: 5, slug: 's' }, at)
  if (made.is !== 'accepted') throw new Error('a valid body was not accepted')
  return { record: made.record, versionTag: '1-aaaaaaaa' }
})

const precondition = fc.constantFrom<ChangeCommand['precondition'][]>(
  {},
  {},
  { ifMatch: '*' },
  { ifMatch: ['1-aaaaaaaa'] },
  { ifMatch: ['0-bbbbbbbb'] },
  { ifMatch: [] },
  { ifNoneMatch: '*' },
  { ifUnmodifiedSinceMs: 2_000_000_000_000 },
)
const operations: fc.Arbitrary<PatchOperation[]> = fc.array(
  fc.oneof(
    fc.record({
      op: fc.constant('replace' as const),
      path: fc.constantFrom(['title'], ['tags', '0']),
      value: fc.string(),
    }),
    fc.record({ op: fc.constant('remove' as const), path: fc.constantFrom(['duration'], ['title'], ['slug'], ['no']) }),
    fc.record({
      op: fc.constant('add' as const),
      path: fc.constantFrom(['tags', '-'], ['new'], ['id']),
      value: fc.json(),
    }),
    fc.record({ op: fc.constant('test' as const), path: fc.constant(['state']), value: fc.constantFrom(1, 2) }),
  ),
  { maxLength: 4 },
)
type Change = { kind: 'replace' | 'merge'; changes: Changes } | { kind: 'patch'; operations: PatchOperation[] }
const change: fc.Arbitrary<Change> = fc.oneof(
  wholeBody.map((body): Change => ({ kind: 'replace', changes: toChanges(body, 'whole') })),
  partBody.map((body): Change => ({ kind: 'merge', changes: toChanges(body, 'part') })),
  operations.map((each): Change => ({ kind: 'patch', operations: each })),
)
const command: fc.Arbitrary<ChangeCommand> = fc
  .tuple(anyAuthor, precondition, change)
  .map(([author, condition, each]) => ({ id: 5, author, precondition: condition, ...each }))

function forAll(check: (current: Current, command: ChangeCommand, decision: Decision, now: string) => void): void {
  const property = fc.property(current, command, anyTime, (before, wish, now) =>
    check(before, wish, decide(before, wish, now), now),
  )
  fc.assert(property, { numRuns: runs(2000) })
}

test('an accepted record has all fields, keeps id, slug and added, and its time moves on', () => {
  forAll(({ record }, _command, decision, now) => {
    if (decision.is !== 'accepted') return
    expect(Object.keys(decision.record).sort()).toEqual([...fieldNames].sort())
    expect(decision.record).toMatchObject({ id: record.id, slug: record.slug, added: record.added })
    expect(decision.record.updated > record.updated).toBe(true)
    if (now > record.updated) expect(decision.record.updated).toBe(now)
  })
})

test('the fields reported as changed are exactly those that changed', () => {
  forAll(({ record }, _command, decision) => {
    if (decision.is !== 'accepted') return
    const differing = writableNames.filter((name) => !Bun.deepEquals(record[name], decision.record[name]))
    expect([...decision.changed]).toEqual(differing)
    expect(differing).not.toBeEmpty()
  })
})

test('nobody below publisher changes a live record or makes one live', () => {
  forAll(({ record }, { author }, decision) => {
    if (author.role === 'publisher' || author.role === 'admin') return
    if (record.state === 1) expect(decision).toEqual({ is: 'refused', refusal: publisherRequired.toChangeLive })
    if (decision.is === 'accepted') expect(decision.record.state).toBe(2)
  })
})

test('a stale precondition is refused whatever the body says', () => {
  forAll(({ record }, wish, decision) => {
    const { ifMatch, ifNoneMatch } = wish.precondition
    const isFresh = ifMatch === undefined || ifMatch === '*' || ifMatch.includes('1-aaaaaaaa')
    if ((isFresh && ifNoneMatch === undefined) || (record.state === 1 && wish.author.role === 'editor')) return
    expect(decision.is).toBe('refused')
  })
})

test('a decision taken twice changes nothing the second time', () => {
  forAll((_current, wish, decision, now) => {
    if (decision.is !== 'accepted' || wish.kind === 'patch') return
    const again = decide({ record: decision.record, versionTag: '1-aaaaaaaa' }, wish, now)
    if (again.is !== 'refused') expect(again.is).toBe('unchanged')
  })
})

test('a PUT that leaves the state out does not unpublish, and everything else goes back to its absent value', () => {
  forAll(({ record }, wish, decision) => {
    if (wish.kind !== 'replace' || decision.is !== 'accepted') return
    if (wish.changes.state === undefined) expect(decision.record.state).toBe(record.state)
    if (wish.changes.tags === undefined) expect(decision.record.tags).toEqual([])
    if (wish.changes.duration === undefined) expect(decision.record.duration).toBeNull()
    if (wish.changes.embed === undefined) expect(decision.record.embed).toBe(toEmbed(decision.record.source_url))
  })
})

test('a new address gets a new player only while the player is the one we built', () => {
  forAll(({ record }, wish, decision) => {
    if (wish.kind !== 'merge' || decision.is !== 'accepted' || wish.changes.embed !== undefined) return
    const wasBuilt = record.embed === toEmbed(record.source_url)
    expect(decision.record.embed).toBe(wasBuilt ? toEmbed(decision.record.source_url) : record.embed)
  })
})

test('a command for a record that does not exist is refused', () => {
  const wish: ChangeCommand = {
    kind: 'merge',
    id: 1,
    author: { name: 'a', role: 'admin' },
    precondition: {},
    changes: {},
  }
  expect(decide(null, wish, toTimestamp(0))).toEqual({ is: 'refused', refusal: { code: 'not_found' } })
})
