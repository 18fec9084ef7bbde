/** The slots of records whose video another record has too, by the number of the video. */
export interface SharedVideos {
  add(slot: number, video: number): void
  remove(slot: number, video: number): void
  /** The slots of videos that pass the test, in any state; null if there are more than `max`. */
  list(isWanted: (video: number) => boolean, max: number): number[] | null
  clear(): void
}

export function createSharedVideos(): SharedVideos {
  /** The slot of a video that one record has. */
  let alone = new Uint32Array(1024)
  /** The slots of videos that several records have. */
  const groups = new Map<number, Set<number>>()

  return {
    add(slot, video) {
      // Number 0: no video.
      if (video === 0) return
      if (video >= alone.length) {
        const larger = new Uint32Array(2 * video)
        larger.set(alone)
        alone = larger
      }
      const other = alone[video] ?? 0
      const group = groups.get(video)
      if (group !== undefined) group.add(slot)
      else if (other === 0) alone[video] = slot
      else groups.set(video, new Set([other, slot]))
    },
    remove(slot, video) {
      if (video === 0) return
      const group = groups.get(video)
      group?.delete(slot)
      if (group !== undefined && group.size > 1) return
      // At most one record is left.
      const [other = 0] = group ?? []
      alone[video] = other
      groups.delete(video)
    },
    list(isWanted, max) {
      const found: number[] = []
      for (const [video, slots] of groups) {
        if (!isWanted(video)) continue
        if (found.length + slots.size > max) return null
        for (const slot of slots) found.push(slot)
      }
      return found
    },
    clear() {
      alone.fill(0)
      groups.clear()
    },
  }
}
