/** Known at once, or after somebody else was asked. */
export type Soon<T> = T | Promise<T>

/** Goes on with what is known: within the same turn where it is known at once, so that nothing waits needlessly. */
export function whenKnown<T, R>(value: Soon<T>, use: (value: T) => Soon<R>): Soon<R> {
  return value instanceof Promise ? value.then(use) : use(value)
}
