import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { decideCreate } from '../../src/record/decide.ts'
import { fieldNames } from '../../src/record/fields.ts'
import { toAsciiJson } from '../../src/record/json.ts'
import { fromBody, toBody, type VideoRecord } from '../../src/record/record.ts'
import { runs } from '../harness/runs.ts'
import { toChanges, wholeBody } from './arbitrary.ts'

const author = { name: 'test', role: 'admin' } as const
const now = '2026-01-02T03:04:05.678'

const record = wholeBody.map((body): VideoRecord => {
  const decision = decideCreate(
    { kind: 'create', author, changes: toChanges(body, 'whole') },
    { id: 7, slug: 'x' },
    now,
  )
  if (decision.is !== 'accepted') throw new Error('a valid body was not accepted')
  return decision.record
})

test('bytes are printable ASCII without <, > and &', () => {
  fc.assert(
    fc.property(record, (each) => {
      const unsafe = toBody(each).findIndex((byte) => byte < 0x20 || byte > 0x7f || [0x3c, 0x3e, 0x26].includes(byte))
      expect(unsafe).toBe(-1)
    }),
    { numRuns: runs(1000) },
  )
})

test('bytes parse back to the same record, by our reader and by any other', () => {
  fc.assert(
    fc.property(record, (each) => {
      const body = toBody(each)
      expect(fromBody(body)).toEqual(each)
      expect(JSON.parse(new TextDecoder().decode(body))).toEqual(each)
    }),
    { numRuns: runs(1000) },
  )
})

test('the fields stand in the order of the table, all 32 of them', () => {
  fc.assert(
    fc.property(record, (each) => {
      expect(Object.keys(JSON.parse(new TextDecoder().decode(toBody(each))))).toEqual(fieldNames)
    }),
  )
  expect(fieldNames).toHaveLength(32)
})

test('escapes are lower-case, astral characters are pairs', () => {
  expect(toAsciiJson('é💡<&>\u2028')).toBe('"\\u00e9\\ud83d\\udca1\\u003c\\u0026\\u003e\\u2028"')
})
