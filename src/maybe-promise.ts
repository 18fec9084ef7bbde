/** Known at once, or after somebody else was asked. */
export type MaybePromise<T> = T | Promise<T>

/** Goes on with what is known: within the same turn where it is known at once, so that nothing waits needlessly. */
export function andThen<T, R>(value: MaybePromise<T>, use: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(use) : use(value)
}
