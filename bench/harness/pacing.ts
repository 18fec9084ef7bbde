/** Decides when the next request may be sent. */
interface Pacing {
  /** Since when the next request has been due; null while none is. */
  take(nowMs: number): number | null
  /** To be called about every millisecond. */
  tick(nowMs: number): void
}

/** As fast as responses arrive, until the end. */
export function createEagerPacing(endMs: number): Pacing {
  return { take: (nowMs) => (nowMs < endMs ? nowMs : null), tick() {} }
}

/**
 * At a steady rate. A request waits if every connection is busy, and the wait counts, so a stalled server cannot hide
 * it by receiving fewer requests.
 */
export function createSteadyPacing(startMs: number, endMs: number, perSecond: number): Pacing {
  const due: number[] = []
  let released = 0
  return {
    take: (nowMs) => (nowMs < endMs ? (due.shift() ?? null) : null),
    tick(nowMs) {
      const wanted = ((Math.min(nowMs, endMs) - startMs) * perSecond) / 1000
      for (; released < wanted; released++) due.push(nowMs)
    },
  }
}
