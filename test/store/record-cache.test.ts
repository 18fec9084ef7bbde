import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createCounters, createCountersBuffer } from '../../src/store/counters.ts'
import { createRecordCache } from '../../src/store/record-cache.ts'

function createFixture(entries: number) {
  const counters = createCounters(createCountersBuffer())
  const values = new Map<number, number>()
  const loads: number[] = []
  const cache = createRecordCache<{ readonly id: number; readonly value: number }>({
    counters,
    budgetBytes: entries * 2100,
    load(id) {
      loads.push(id)
      const value = values.get(id)
      return value === undefined ? null : { id, value }
    },
    sizeOf: () => 500,
  })
  const write = (id: number, value: number) => {
    values.set(id, value)
    counters.bump(id)
  }
  const read = (id: number) => {
    const entry = cache.get(id)
    if (entry instanceof Promise) throw new Error('a store that is a file answers at once')
    return entry?.value
  }
  return { cache, counters, loads, write, read }
}

test('a record is loaded once, and again only after its counter moved', () => {
  const { read, loads, write } = createFixture(10)
  write(1, 10)
  expect([read(1), read(1), loads.length]).toEqual([10, 10, 1])
  write(1, 11)
  expect([read(1), read(1), loads.length]).toEqual([11, 11, 2])
})

test('while other nodes cannot be heard, what is not there is looked for each time', () => {
  const { read, loads, counters } = createFixture(10)
  counters.setBehind(true)
  expect([read(1), read(1), loads.length]).toEqual([undefined, undefined, 2])
})

test('a change of unknown records reloads every one', () => {
  const { cache, counters, loads, write } = createFixture(10)
  for (const id of [1, 2, 3]) write(id, id)
  for (const id of [1, 2, 3, 1, 2, 3]) cache.get(id)
  counters.bumpAll()
  for (const id of [1, 2, 3]) cache.get(id)
  expect(loads).toEqual([1, 2, 3, 1, 2, 3])
})

test('for any reads and writes it never answers an old value and never exceeds its budget', () => {
  const action = fc.constantFrom('read', 'read', 'write', 'store')
  const step = fc.record({ id: fc.integer({ min: 1, max: 30 }), action })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const { cache, read, write, counters } = createFixture(8)
      const truth = new Map<number, number>()
      for (const [i, { id, action }] of steps.entries()) {
        if (action !== 'read') {
          truth.set(id, i)
          write(id, i)
          if (action === 'store') cache.put(id, { id, value: i }, counters.load(id))
        } else expect(read(id)).toBe(truth.get(id))
        expect(cache.stats.bytes).toBeLessThanOrEqual(8 * 2100)
      }
    }),
  )
})

test('one walk through everything does not push out what is read again and again', () => {
  const { cache, loads, write } = createFixture(10)
  for (let id = 1; id <= 1000; id++) write(id, id)
  for (let round = 0; round < 3; round++) for (let id = 1; id <= 10; id++) cache.get(id)
  for (let id = 100; id <= 1000; id++) cache.get(id)
  loads.length = 0
  for (let id = 1; id <= 10; id++) cache.get(id)
  expect(loads).toEqual([])
})

test('once full, a record gets in at its second miss', () => {
  const { cache, loads, write } = createFixture(2)
  for (const id of [1, 2, 3]) write(id, id)
  for (const id of [1, 2, 3, 3, 3]) cache.get(id)
  expect(loads).toEqual([1, 2, 3, 3])
})

test('who got in last is not the next to go', () => {
  const { cache, loads, write } = createFixture(10)
  const ids = Array.from({ length: 18 }, (_, i) => i + 1)
  for (const id of ids) write(id, id)
  for (const id of ids.slice(0, 10)) cache.get(id)
  const newcomers = ids.slice(10)
  for (const id of newcomers) for (let miss = 0; miss < 2; miss++) cache.get(id)
  loads.length = 0
  for (const id of newcomers) cache.get(id)
  expect(loads).toEqual([])
})

test('what was just stored is not read again, unless something else happened to it since', () => {
  const { cache, counters, loads, write, read } = createFixture(10)
  write(1, 10)
  const counter = counters.bump(1)
  cache.put(1, { id: 1, value: 11 }, counter)
  expect([read(1), read(1), loads.length]).toEqual([11, 11, 0])
  write(1, 12)
  cache.put(1, { id: 1, value: 11 }, counter)
  expect([read(1), loads.length]).toEqual([12, 1])
})

test('what is stored while other nodes cannot be heard is not kept', () => {
  const { cache, counters, read, write, loads } = createFixture(10)
  write(1, 10)
  counters.setBehind(true)
  cache.put(1, { id: 1, value: 11 }, counters.load(1))
  expect([read(1), loads.length]).toEqual([10, 1])
})
