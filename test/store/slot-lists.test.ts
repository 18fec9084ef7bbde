import { expect, test } from 'bun:test'
import { createRandom, type Random } from '../../bench/generated/random.ts'
import { createRecordData, type RecordData, type RecordRow } from '../../src/store/columns/record-data.ts'
import { type EventDays, isOutside } from '../../src/store/columns/work/event-days.ts'

const ids = 60

function toRow(random: Random, id: number): RecordRow {
  const day = `2020-0${1 + random.below(3)}-01`
  return {
    ...{ id, state: 1 + random.below(2), category: 1 + random.below(3), language: 'English' },
    ...{ recorded: random.percent(20) ? null : day, duration: 60, media: 0, liveSeq: 0, quality: random.below(8) },
    ...{ host: '', author: '', added: '2020-01-01T00:00:00.000', updated: '2020-01-01T00:00:00.000' },
    // Most of these have no other record with the same.
    video: random.percent(10) ? '' : `https://example.org/${random.below(2 * ids)}`,
  }
}

/** Category 1 has no start. */
function toDays(random: Random): EventDays {
  const start = () => 18_262 + random.below(90)
  const [second, third] = [start(), start()]
  return {
    first: Int32Array.of(-0x80000000, -0x80000000, second, third),
    last: Int32Array.of(0x7fffffff, 0x7fffffff, second + 30, third + 30),
    text: `${second} ${third}`,
  }
}

const sort = (slots: readonly number[] | null) => slots?.toSorted((a, b) => a - b) ?? null

/** All slots whose record passes a test: what the lists must have, found by looking at every record. */
function look(data: RecordData, isWanted: (slot: number) => boolean): number[] {
  const { states } = data.arrays()
  return Array.from({ length: data.slots.end() }, (_, slot) => slot).filter(
    (slot) => states[slot] !== 0 && isWanted(slot),
  )
}

function expectLists(data: RecordData, days: EventDays): void {
  const { states, qualities, videos } = data.arrays()
  const isLive = (slot: number) => states[slot] === 1
  for (const tested of [
    { wanted: 1, unwanted: 0 },
    { wanted: 3, unwanted: 4 },
    { wanted: 0, unwanted: 2 },
  ]) {
    const { wanted, unwanted } = tested
    const found = look(data, (slot) => ((qualities[slot] ?? 0) & (wanted | unwanted)) === wanted)
    expect(sort(data.bitSlots.list(tested, ids))).toEqual(found)
    expect(data.bitSlots.list(tested, found.length - 1)).toBeNull()
    expect(data.bitSlots.count(tested, 'all')).toBe(found.length)
    expect(data.bitSlots.count(tested, 'live')).toBe(found.filter(isLive).length)
  }
  const outside = look(data, (slot) => isOutside(data.arrays(), slot, days))
  expect(sort(data.outside.list(ids))).toEqual(outside)
  const flags = new Uint8Array(data.slots.end()).fill(1)
  data.outside.keep(flags)
  expect(look(data, (slot) => flags[slot] === 1)).toEqual(outside)
  expect([data.outside.count('all'), data.outside.count('live')]).toEqual([
    outside.length,
    outside.filter(isLive).length,
  ])
  for (const visibility of ['all', 'live'] as const) {
    const isShared = (video: number) => data.tallies.video.get(video, visibility) > 1
    const shared = look(data, (slot) => videos[slot] !== 0 && isShared(videos[slot] ?? 0))
    expect(sort(data.sharedVideos.list(isShared, ids))).toEqual(shared)
  }
}

test('lists of slots follow every change, and are the same after a copy', () => {
  const random = createRandom(5)
  const data = createRecordData()
  let days = toDays(random)
  data.outside.follow(days)
  for (let step = 0; step < 2_000; step++) {
    const id = 1 + random.below(ids)
    if (random.percent(25)) data.remove(id)
    else data.set(toRow(random, id), [], [])
    if (random.percent(2)) {
      days = toDays(random)
      data.outside.follow(days)
    }
    if (random.percent(1)) data.clear()
    if (random.percent(1)) data.outside.follow(days)
    if (step % 10 !== 0) continue
    data.outside.follow(days)
    expectLists(data, days)
  }
})

test('a video that all records have costs no more to change than any other', () => {
  const data = createRecordData()
  const random = createRandom(6)
  const count = 50_000
  const set = (id: number) => data.set({ ...toRow(random, id), video: 'https://example.org/same' }, [], [])
  for (let id = 1; id <= count; id++) set(id)
  const startMs = performance.now()
  for (let id = 1; id <= count; id++) set(id)
  // A quadratic way takes minutes.
  expect(performance.now() - startMs).toBeLessThan(10_000)
  expect(data.sharedVideos.list(() => true, count)).toHaveLength(count)
  expect(data.sharedVideos.list(() => true, count - 1)).toBeNull()
})
