/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>

/** Like `then`, but synchronous if the value is already known, so that the fast path never waits a turn. */
export function andThen<T, R>(value: MaybePromise<T>, use: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(use) : use(value)
}

/** Runs tasks one after another, for callers that share a connection (decision 39). */
type InTurn = <Result>(work: () => MaybePromise<Result>) => Promise<Result>

export function createInTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return async (work) => {
    const pending = last.then(work, work)
    last = pending
    // The caller gets the rejection.
    await pending.catch(() => undefined)
    return pending
  }
}

/** Also resolves when the signal aborts. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
    function end() {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
  })
}
