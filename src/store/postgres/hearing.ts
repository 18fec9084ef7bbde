import type { Versions } from '../versions.ts'

/** What is heard of changes, and whether it can be relied on that all are. */
export interface Hearing {
  take(text: string): void
  /** From now on something may be missed. */
  lose(): void
  isLost(): boolean
  /** Nothing is missed any more, and this is the last change so far. */
  regain(lastSeq: number): void
}

export function createHearing(versions: Versions): Hearing {
  return {
    take(text) {
      const [, id, seq] = /^(\d+) (\d+)$/.exec(text) ?? []
      if (text === 'tokens') versions.bumpAll()
      if (id !== undefined) versions.bump(Number(id))
      // Commits are told in their order, so whatever comes before this one has been heard.
      if (seq !== undefined && !versions.isDeaf()) versions.publish(Number(seq))
      versions.bumpChanges()
    },
    lose() {
      if (versions.isDeaf()) return
      versions.setDeaf(true)
      versions.bumpAll()
    },
    isLost: versions.isDeaf,
    regain(lastSeq) {
      versions.bumpAll()
      versions.publish(lastSeq)
      versions.setDeaf(false)
    },
  }
}
