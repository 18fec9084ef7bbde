/** The deadline of a query thread's current query; it runs one at a time (ADR 28). */
export interface Deadline {
  /** For the query that begins now. */
  set(untilMs: number): void
  /** Called between the steps of a query; throws `OutOfTime`. */
  check(): void
  leftMs(): number
}

export class OutOfTime extends Error {
  constructor() {
    super('it took longer than it may')
    this.name = 'OutOfTime'
  }
}

export function createDeadline(now: () => number = () => performance.now()): Deadline {
  let untilMs = Number.POSITIVE_INFINITY
  return {
    set(until) {
      untilMs = until
    },
    check() {
      if (now() > untilMs) throw new OutOfTime()
    },
    leftMs: () => untilMs - now(),
  }
}
