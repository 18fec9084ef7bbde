/** Memoises results until the store changes. */
export function createMemo<T>(
  changesCounter: () => number,
  maxEntries = 500,
): (key: string, make: () => Promise<T>) => Promise<T> {
  const known = new Map<string, T>()
  let counter = changesCounter()
  return async (key, make) => {
    // Loaded before `make`: a change meanwhile clears the memo at the next call.
    const current = changesCounter()
    if (current !== counter) known.clear()
    counter = current
    const found = known.get(key)
    if (found !== undefined) return found
    const made = await make()
    if (known.size >= maxEntries) known.clear()
    known.set(key, made)
    return made
  }
}

/** Memoises without invalidation. For values that others may change, use it within one transaction only. */
export function memoize<K, V>(find: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return (key) => {
    const found = known.get(key) ?? find(key)
    known.set(key, found)
    return found
  }
}

/** The value of a key; made if the map does not have one. */
export function getOrMake<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const found = known.get(key) ?? make()
  known.set(key, found)
  return found
}
