/** Items that are joined pair by pair, and the sets that this makes of them. */
export interface DisjointSets {
  /** The item that stands for the set of this one. */
  find(item: number): number
  join(a: number, b: number): void
  /** The sets of two or more, each in ascending order. */
  list(): number[][]
}

export function createDisjointSets(size: number): DisjointSets {
  const parents = Int32Array.from({ length: size }, (_, item) => item)

  function find(item: number): number {
    let root = item
    for (let above = parents[root] ?? root; above !== root; above = parents[root] ?? root) {
      // Halves the path, which keeps later searches short.
      parents[root] = parents[above] ?? above
      root = above
    }
    return root
  }

  return {
    find,
    join(a, b) {
      const [one, other] = [find(a), find(b)]
      // The smallest item stands for its set, so the result does not depend on the order of the calls.
      parents[Math.max(one, other)] = Math.min(one, other)
    },
    list() {
      const sets = new Map<number, number[]>()
      for (let item = 0; item < size; item++) {
        const root = find(item)
        if (root === item && parents[item] === item) continue
        const known = sets.get(root)
        if (known === undefined) sets.set(root, [root, item])
        else known.push(item)
      }
      return [...sets.values()]
    },
  }
}
