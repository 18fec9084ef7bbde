import { describe, expect, test } from 'bun:test'
import type { ListChange } from '../../src/record/bulk.ts'
import { decideCreate } from '../../src/record/decide.ts'
import { toPatchedFields, toRecordChanges } from '../../src/record/parse-bulk.ts'
import type { Changes, VideoRecord } from '../../src/record/record.ts'

function toRecord(changes: Changes): VideoRecord {
  const author = { name: 'ann', role: 'admin' } as const
  const command = { kind: 'create', author, changes: { title: 'T', category: 'C', ...changes } } as const
  const decision = decideCreate(command, { id: 1, slug: 't' }, '2024-01-01T00:00:00.000')
  if (decision.is !== 'accepted') throw new Error(decision.is)
  return decision.record
}

/** The tags now, what changes, and the tags afterwards. */
const cases: readonly [string, readonly string[], Partial<ListChange>, readonly string[]][] = [
  ['appends what is not there', ['a', 'b'], { add: ['c', 'd'] }, ['a', 'b', 'c', 'd']],
  ['keeps the position of what is there', ['a', 'b'], { add: ['a', 'c'] }, ['a', 'b', 'c']],
  ['removes what is there', ['a', 'b', 'c'], { remove: ['b', 'x'] }, ['a', 'c']],
  ['does both', ['a', 'b'], { add: ['c'], remove: ['a'] }, ['b', 'c']],
  ['tells cases apart', ['Python'], { add: ['python'], remove: ['PYTHON'] }, ['Python', 'python']],
  ['can empty a list', ['a'], { remove: ['a'] }, []],
]

describe('A change of a list', () => {
  for (const [name, before, change, after] of cases) {
    test(name, () => {
      const lists = { tags: { add: [], remove: [], ...change } }
      const parsed = toRecordChanges(toRecord({ tags: before }), { changes: {}, lists })
      expect(parsed).toEqual({ ok: true, changes: { tags: after } })
    })
  }

  test('is refused where a record would get more entries than a list may have', () => {
    const tags = Array.from({ length: 200 }, (_, i) => `t${i}`)
    const add = { tags: { add: ['new'], remove: [] }, speakers: { add: ['Ann'], remove: [] } }
    const parsed = toRecordChanges(toRecord({ tags }), { changes: {}, lists: add })
    expect(parsed).toEqual({ ok: false, errors: new Map([['tags', ['Must have at most 200 entries.']]]) })
    const swap = { tags: { add: ['new'], remove: ['t0'] } }
    expect(toRecordChanges(toRecord({ tags }), { changes: {}, lists: swap })).toMatchObject({ ok: true })
  })

  test('is about its fields, whatever they are', () => {
    const lists = { tags: { add: [], remove: [] } }
    expect(toPatchedFields({ changes: { language: 'German' }, lists })).toEqual(['language', 'tags'])
  })
})
