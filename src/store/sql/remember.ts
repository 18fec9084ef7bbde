/** Looks up each key once. Only for as long as one transaction: others may change what was found after it. */
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
