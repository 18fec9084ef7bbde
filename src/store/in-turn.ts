/** Runs each piece of work when the one before it has ended, for those that share a connection (ADR 39). */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

export function createInTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return async (work) => {
    const pending = last.then(work, work)
    last = pending
    // Reported to whoever waits for it.
    await pending.catch(() => undefined)
    return pending
  }
}
