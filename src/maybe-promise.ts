/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>

/** Like `then`, but synchronous if the value is already known, so that the fast path never waits a turn. */
export function andThen<T, R>(value: MaybePromise<T>, use: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(use) : use(value)
}
