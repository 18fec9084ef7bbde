import { expect, test } from 'bun:test'
import { createCounters, createCountersBuffer } from '../../src/store/counters.ts'
import { createNotifications } from '../../src/store/postgres/notifications.ts'

function createBoth() {
  const versions = createCounters(createCountersBuffer())
  return { versions, hearing: createNotifications(versions) }
}

test('a change is told of as soon as it is heard of', () => {
  const { versions, hearing } = createBoth()
  hearing.regain(3)
  const [record, changes] = [versions.load(7), versions.loadChanges()]
  hearing.take('7 4')
  expect(versions.loadPublished()).toBe(4)
  expect(versions.load(7)).not.toBe(record)
  expect(versions.loadChanges()).not.toBe(changes)
})

test('while something may be missed nothing is told of, and nothing that was kept is good any more', () => {
  const { versions, hearing } = createBoth()
  hearing.regain(3)
  const [record, other] = [versions.load(7), versions.load(8)]
  hearing.lose()
  hearing.take('7 5')
  expect(versions.loadPublished()).toBe(3)
  expect(versions.load(7)).not.toBe(record)
  expect(versions.load(8)).not.toBe(other)
  expect(versions.loadToKeep(7)).toBeNaN()
})

test('a change that is heard of between the look at the last one and the end of deafness is not forgotten', () => {
  const { versions, hearing } = createBoth()
  hearing.lose()
  hearing.take('7 5')
  hearing.regain(4)
  expect(versions.loadPublished()).toBe(5)
})

test('a change of tokens leaves records at hand', () => {
  const { versions, hearing } = createBoth()
  hearing.regain(3)
  const [tokens, record] = [versions.loadTokens(), versions.load(7)]
  hearing.take('tokens')
  expect(versions.loadTokens()).not.toBe(tokens)
  expect(versions.load(7)).toBe(record)
})
