import { expect, test } from 'bun:test'
import { createCounters, createCountersBuffer } from '../../src/store/counters.ts'
import { createNotifications } from '../../src/store/postgres/notifications.ts'

function createBoth() {
  const counters = createCounters(createCountersBuffer())
  return { counters, hearing: createNotifications(counters) }
}

test('a change invalidates caches as soon as its notification arrives', () => {
  const { counters, hearing } = createBoth()
  hearing.regain(3)
  const [record, changes] = [counters.load(7), counters.loadChanges()]
  hearing.take('7 4')
  expect(counters.loadPublished()).toBe(4)
  expect(counters.load(7)).not.toBe(record)
  expect(counters.loadChanges()).not.toBe(changes)
})

test('while notifications may be missed, nothing is published, and no cached record is valid', () => {
  const { counters, hearing } = createBoth()
  hearing.regain(3)
  const [record, other] = [counters.load(7), counters.load(8)]
  hearing.lose()
  hearing.take('7 5')
  expect(counters.loadPublished()).toBe(3)
  expect(counters.load(7)).not.toBe(record)
  expect(counters.load(8)).not.toBe(other)
  expect(counters.loadToKeep(7)).toBeNaN()
})

test('a notification that arrives just before listening is restored is not lost', () => {
  const { counters, hearing } = createBoth()
  hearing.lose()
  hearing.take('7 5')
  hearing.regain(4)
  expect(counters.loadPublished()).toBe(5)
})

test('a session that begins or ends invalidates only sessions', () => {
  const { counters, hearing } = createBoth()
  hearing.regain(3)
  const load = () => [counters.loadTokens(), counters.loadChanges(), counters.loadContent(), counters.load(7)]
  const [sessions, others] = [counters.loadSessions(), load()]
  hearing.take('sessions')
  expect(counters.loadSessions()).not.toBe(sessions)
  expect(load()).toEqual(others)
})

test('a change of tokens invalidates cached sessions', () => {
  const { counters, hearing } = createBoth()
  hearing.regain(3)
  const before = counters.loadSessions()
  hearing.take('tokens')
  const after = counters.loadSessions()
  expect(after).not.toBe(before)
  counters.bumpAll()
  expect(counters.loadSessions()).not.toBe(after)
  hearing.lose()
  expect(counters.loadSessions()).toBeNaN()
})

test('a change of tokens keeps records in the cache', () => {
  const { counters, hearing } = createBoth()
  hearing.regain(3)
  const [tokens, record] = [counters.loadTokens(), counters.load(7)]
  hearing.take('tokens')
  expect(counters.loadTokens()).not.toBe(tokens)
  expect(counters.load(7)).toBe(record)
})

test('a stop that another node requests is applied here; one requested here is passed on until it is answered', () => {
  const { counters, hearing } = createBoth()
  hearing.take('stop 12')
  expect([counters.isToStop(12), counters.isToStop(13), counters.listStops()]).toEqual([true, false, []])
  for (const batch of [13, 14]) counters.askToStop(batch)
  hearing.take('stop 15')
  expect(counters.listStops()).toEqual([13, 14])
  expect([12, 13, 14, 15].map(counters.isToStop)).toEqual([true, true, true, true])
  for (const batch of [12, 13]) counters.clearStop(batch)
  expect(counters.listStops()).toEqual([14])
  expect([12, 13, 14, 15].map(counters.isToStop)).toEqual([false, false, true, true])
})
