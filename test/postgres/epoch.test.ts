import { beforeEach, describe, expect, test } from 'bun:test'
import { createCounters, createCountersBuffer, createPrimaryBuffer } from '../../src/store/counters.ts'
import { createTimeline, type NodeMemory } from '../../src/store/postgres/primary/timeline.ts'

const ours = 7_000_000_000_000_000_001n
const toServer = (timeline: number, system = ours) => ({ isStandby: false, timeline, system })
let memory: NodeMemory
let counters: ReturnType<typeof createCounters>

beforeEach(() => {
  const buffer = createCountersBuffer()
  memory = { primary: createPrimaryBuffer(), counters: buffer }
  counters = createCounters(buffer)
})

/** As two threads of a node have it. */
const createTwo = () => [createTimeline(memory), createTimeline(memory)] as const

describe('Threads of one node', () => {
  test('know what any of them has seen', () => {
    const [one, other] = createTwo()
    expect(other.loadHostIndex()).toBeNull()
    const epoch = one.admit(1, toServer(3))
    expect([other.load(), other.loadHostIndex()]).toEqual([epoch as bigint, 1])
  })

  test.each([
    ['one with an older timeline', toServer(2), 'older'],
    ['one of another cluster, however late', toServer(9, 5n), 'foreign'],
  ] as const)('refuse %s, and stay where they are', (_, server, verdict) => {
    const [one, other] = createTwo()
    const epoch = one.admit(1, toServer(3))
    expect(other.admit(0, server)).toBe(verdict)
    expect(other.isLater(server)).toBe(false)
    expect(one.load()).toBe(epoch as bigint)
  })

  test('follow a later timeline, whichever host it is on', () => {
    const [one, other] = createTwo()
    one.admit(0, toServer(1))
    expect(other.isLater(toServer(2))).toBe(true)
    expect(other.isLater({ ...toServer(2), isStandby: true })).toBe(false)
    const epoch = other.admit(1, toServer(2))
    expect([one.load(), one.loadHostIndex()]).toEqual([epoch as bigint, 1])
    expect(one.admit(0, toServer(1))).toBe('older')
  })

  test('keep nothing that came from another primary', () => {
    const [one, other] = createTwo()
    one.admit(0, toServer(1))
    counters.setBehind(false)
    const kept = counters.load(17)
    other.admit(0, toServer(1))
    expect([counters.load(17), counters.isBehind()]).toEqual([kept, false])
    other.admit(1, toServer(2))
    expect(counters.load(17)).not.toBe(kept)
    expect(counters.isBehind()).toBe(true)
  })
})

describe('Of several hosts, a node writes once it knows enough of them', () => {
  const standby = (timeline: number) => ({ ...toServer(timeline), isStandby: true })
  const cases = [
    ['one of one', 1, [toServer(3)], true],
    ['one of two', 2, [toServer(3)], false],
    ['both of two', 2, [toServer(3), standby(3)], true],
    ['one of three', 3, [toServer(3)], false],
    ['two of three', 3, [toServer(3), standby(2)], true],
    ['two of four', 4, [toServer(3), standby(3)], false],
    ['two of three, one of another cluster', 3, [toServer(3), toServer(3, 5n)], false],
    ['two of three, one of which has seen a later primary', 3, [toServer(3), standby(4)], false],
    ['all of three, the second of which is the later primary', 3, [toServer(3), toServer(4), standby(4)], true],
  ] as const
  test.each(cases)('%s', (_, count, servers, expected) => {
    const [one, other] = createTwo()
    const best = servers.toSorted((a, b) => Number(a.isStandby) - Number(b.isStandby) || b.timeline - a.timeline)
    const primary = best.find(({ system }) => system === ours) ?? toServer(0)
    one.admit(servers.indexOf(primary), primary)
    for (const [hostIndex, server] of servers.entries()) one.hear(hostIndex, server)
    expect(other.isConfirmed(count)).toBe(expected)
  })

  test('and what it knew once is enough', () => {
    const [one, other] = createTwo()
    one.admit(0, toServer(3))
    one.hear(0, toServer(3))
    one.hear(1, standby(3))
    expect(other.isConfirmed(2)).toBe(true)
    one.hear(1, standby(4))
    expect(other.isConfirmed(2)).toBe(true)
    one.admit(1, toServer(4))
    expect(other.isConfirmed(2)).toBe(true)
  })
})
