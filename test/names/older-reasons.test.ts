import { expect, test } from 'bun:test'
import { parseParts, toOthers } from '../../src/store/write/names/name-change.ts'

test('reasons that earlier builds stored with a batch are read under their present names', () => {
  const reasons = [
    'changed since',
    'in use',
    'name taken',
    'for publishers',
    'for_publishers',
    'publisher_required',
    null,
  ]
  const parts = reasons.map((left, id) => ({ kind: 'left', of: 'tag', id, fields: ['name'], left, by: null }))
  const others = toOthers(parseParts(JSON.stringify(parts)))
  expect(others.toSorted((one, other) => Number(one.id) - Number(other.id)).map(({ left }) => left)).toEqual([
    'changed_since',
    'in_use',
    'name_taken',
    'publisher_required',
    'publisher_required',
    'publisher_required',
    null,
  ])
})
