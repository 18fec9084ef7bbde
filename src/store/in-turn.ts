/** Runs tasks one after another, for callers that share a connection (decision 39). */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

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
