/** Finds each key's value once. What others may change is to be remembered only for as long as one transaction. */
export function remember<K, V>(find: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const value = find(key)
    known.set(key, value)
    return value
  }
}
