/** An entry of a list before or after a change. Entries that changed places are `moved`. */
export interface ListEntry {
  readonly is: 'same' | 'moved' | 'added' | 'removed'
  readonly text: string
}

/** The list after the change, with removed entries where they were. Of repeated entries each one counts. */
export function diffLists(before: readonly string[], after: readonly string[]): ListEntry[] {
  const origins = findOrigins(before, after)
  const kept = findLongestRise(origins)
  const used = new Set(origins)
  const removed = before.flatMap((text, at) => (used.has(at) ? [] : [{ at, text }]))
  const entries: ListEntry[] = []
  const addRemovedUpTo = (end: number) => {
    while (removed[0] !== undefined && removed[0].at < end) {
      entries.push({ is: 'removed', text: removed.shift()?.text ?? '' })
    }
  }
  for (const [i, text] of after.entries()) {
    const origin = origins[i] ?? -1
    if (kept.has(i)) addRemovedUpTo(origin)
    entries.push({ is: origin < 0 ? 'added' : kept.has(i) ? 'same' : 'moved', text })
  }
  addRemovedUpTo(before.length)
  return entries
}

/** For each entry after the change, its position before; -1 for new ones. */
function findOrigins(before: readonly string[], after: readonly string[]): number[] {
  const positions = new Map<string, number[]>()
  for (const [at, text] of before.entries()) positions.set(text, [...(positions.get(text) ?? []), at])
  return after.map((text) => positions.get(text)?.shift() ?? -1)
}

/** The indexes of a longest rising part of the positions: the entries that did not move. */
function findLongestRise(positions: readonly number[]): ReadonlySet<number> {
  const lengths: number[] = []
  const previous: number[] = []
  for (const [i, position] of positions.entries()) {
    let best = -1
    for (let j = 0; j < i && position >= 0; j++) {
      const isBefore = (positions[j] ?? -1) >= 0 && (positions[j] ?? 0) < position
      if (isBefore && (lengths[j] ?? 0) > (lengths[best] ?? 0)) best = j
    }
    previous.push(best)
    lengths.push(position < 0 ? 0 : (lengths[best] ?? 0) + 1)
  }
  const kept = new Set<number>()
  let last = lengths.indexOf(Math.max(0, ...lengths))
  while (last >= 0 && (lengths[last] ?? 0) > 0) {
    kept.add(last)
    last = previous[last] ?? -1
  }
  return kept
}
