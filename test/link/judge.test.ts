import { expect, test } from 'bun:test'
import { countFailure, judgeAnswer, judgeHost } from '../../src/record/link/judge.ts'
import type { LinkAnswer, LinkHealth } from '../../src/record/link/link.ts'

// Runner: one engine

const fresh: LinkHealth = {
  ...{ url: 'https://conf.example/1', host: 'conf.example', state: 'unknown', since: null, failures: 0 },
  ...{ firstFailure: null, status: null, evidence: '', target: null, lastOk: null, checked: null, ignoredUntil: null },
}
const day = (n: number) => `2026-01-${String(n).padStart(2, '0')}T12:00:00.000`

const answer = (verdict: LinkAnswer['verdict'], more: Partial<LinkAnswer> = {}): LinkAnswer => ({
  ...{ verdict, countsUnclear: true, status: 200, evidence: verdict, target: null, ...more },
})

/** What days of answers make of an address, if all failures count. */
function live(days: readonly (readonly [number, LinkAnswer])[], from = fresh): LinkHealth {
  return days.reduce((before, [n, given]) => {
    const { health, pending } = judgeAnswer(before, given, day(n))
    return pending === null ? health : countFailure(health, pending)
  }, from)
}

const ok = live([[1, answer('ok')]])

test('a good answer sets the time and clears earlier failures', () => {
  expect(ok).toMatchObject({ state: 'ok', since: day(1), lastOk: day(1), checked: day(1), failures: 0 })
  expect(live([[2, answer('ok')]], ok)).toMatchObject({ state: 'ok', since: day(1), lastOk: day(2) })
  const moved = live([[2, answer('moved', { target: 'https://new.example/' })]], ok)
  expect(moved).toMatchObject({ state: 'moved', since: day(2), target: 'https://new.example/' })
  expect(live([[3, answer('ok')]], moved)).toMatchObject({ state: 'ok', since: day(3), target: null })
  expect(live([[3, answer('not_embeddable')]], moved)).toMatchObject({ state: 'not_embeddable', since: day(3) })
})

test('an address is gone after three failures over three days, since the first of them', () => {
  const gone = answer('gone')
  const two = live(
    [
      [2, gone],
      [5, gone],
    ],
    ok,
  )
  expect(two).toMatchObject({ state: 'ok', failures: 2, firstFailure: day(2), lastOk: day(1) })
  expect(live([[6, gone]], two)).toMatchObject({ state: 'gone', since: day(2), failures: 3 })
  const quick = live(
    [
      [2, gone],
      [3, gone],
      [4, gone],
    ],
    ok,
  )
  expect(quick).toMatchObject({ state: 'ok', failures: 3 })
  expect(live([[5, gone]], quick)).toMatchObject({ state: 'gone', failures: 4 })
})

test('the last failure decides the state, and inconclusive failures make it gone', () => {
  const [gone, hidden, unclear] = [answer('gone'), answer('private'), answer('unclear')]
  expect(
    live(
      [
        [2, gone],
        [3, unclear],
        [9, hidden],
      ],
      ok,
    ).state,
  ).toBe('private')
  expect(
    live(
      [
        [2, unclear],
        [3, unclear],
        [9, unclear],
      ],
      ok,
    ).state,
  ).toBe('gone')
  const dead = live(
    [
      [2, gone],
      [3, gone],
      [9, gone],
    ],
    ok,
  )
  expect(live([[10, hidden]], dead)).toMatchObject({ state: 'private', since: day(2) })
})

test('one success clears all failures', () => {
  const gone = answer('gone')
  expect(
    live(
      [
        [2, gone],
        [3, gone],
        [4, answer('ok')],
        [9, gone],
      ],
      ok,
    ),
  ).toMatchObject({
    ...{ state: 'ok', failures: 1, firstFailure: day(9) },
  })
  const dead = live(
    [
      [2, gone],
      [3, gone],
      [9, gone],
    ],
    ok,
  )
  expect(live([[10, answer('ok')]], dead)).toMatchObject({ state: 'ok', since: day(10), failures: 0 })
})

test('answers that are no failure leave the state and the count', () => {
  const unclear = answer('unclear', { countsUnclear: false, evidence: 'GET 429' })
  expect(
    live(
      [
        [2, unclear],
        [5, unclear],
        [9, unclear],
      ],
      ok,
    ),
  ).toMatchObject({
    ...{ state: 'ok', since: day(1), failures: 0, evidence: 'GET 429', checked: day(9) },
  })
  expect(live([[2, unclear]])).toMatchObject({ state: 'unknown', since: null })
})

test('an address that the guard refuses is unknown, and never a failure', () => {
  expect(live([[2, answer('refused', { evidence: 'not checked' })]], ok)).toMatchObject({
    ...{ state: 'unknown', since: day(2), evidence: 'not checked', failures: 0, lastOk: day(1) },
  })
})

test('a host is down if more than a fifth of at least ten addresses fail', () => {
  expect(judgeHost(null, { asked: 9, failed: 9 }, day(1))).toEqual({ trouble: null, counts: true })
  expect(judgeHost(null, { asked: 10, failed: 2 }, day(1))).toEqual({ trouble: null, counts: true })
  expect(judgeHost(null, { asked: 10, failed: 3 }, day(1))).toEqual({
    trouble: { since: day(1), runs: 1 },
    counts: false,
  })
})

test('failures of a host that is down count after three runs over seven days', () => {
  const all = { asked: 20, failed: 20 }
  const judge = (days: readonly number[]) =>
    days.reduce((before, n) => judgeHost(before.trouble, all, day(n)), { trouble: null, counts: true } as ReturnType<
      typeof judgeHost
    >)
  expect(judge([1, 9]).counts).toBe(false)
  expect(judge([1, 2, 3, 7]).counts).toBe(false)
  expect(judge([1, 2, 8])).toEqual({ trouble: { since: day(1), runs: 3 }, counts: true })
  expect(judge([1, 2, 8, 9]).counts).toBe(true)
  expect(judgeHost({ since: day(1), runs: 3 }, { asked: 20, failed: 1 }, day(9))).toEqual({
    trouble: null,
    counts: true,
  })
  // Too few to say anything new.
  expect(judgeHost({ since: day(1), runs: 2 }, { asked: 3, failed: 1 }, day(9)).trouble).toEqual({
    since: day(1),
    runs: 2,
  })
})
