const maxEntries = 500

/** Keeps results until the store changes. */
export function createMemo<T>(changesCounter: () => number): (key: string, make: () => T) => T {
  const known = new Map<string, T>()
  let counter = changesCounter()
  return (key, make) => {
    // Loaded before the result is made: a change in between empties the memo at the next call.
    const current = changesCounter()
    if (current !== counter || known.size >= maxEntries) known.clear()
    counter = current
    return findOrMake(known, key, make)
  }
}

/** Finds each key's value once. For values that others may change, use it within one transaction only. */
export function memoize<K, V>(find: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return (key) => findOrMake(known, key, () => find(key))
}

function findOrMake<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = make()
  known.set(key, made)
  return made
}
