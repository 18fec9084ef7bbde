import type { MaybePromise } from './maybe-promise.ts'

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
