const maxEntries = 500

/** Answers that stay right until the store changes. */
export function createMemo<T>(changesCounter: () => number): (key: string, make: () => T) => T {
  const known = new Map<string, T>()
  let counter = changesCounter()
  return (key, make) => {
    // Loaded before the answer is made: a change meanwhile empties the memory at the next call.
    const current = changesCounter()
    if (current !== counter || known.size >= maxEntries) known.clear()
    counter = current
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make()
    known.set(key, made)
    return made
  }
}
