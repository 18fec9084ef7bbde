/** How long the work of a thread may go on. One piece of work at a time, so one deadline is enough. */
export interface Deadline {
  /** For the work that begins now. */
  set(untilMs: number): void
  /** Between the steps of the work; throws `OutOfTime`. */
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
