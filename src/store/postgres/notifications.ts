import type { Counters } from '../counters.ts'

/** What is heard of changes, and whether it can be relied on that all are. */
export interface Notifications {
  take(text: string): void
  /** From now on something may be missed. */
  lose(): void
  isLost(): boolean
  /** Nothing is missed any more, and this is the last change so far. */
  regain(lastSeq: number): void
}

export function createNotifications(versions: Counters): Notifications {
  let lastHeard = 0
  return {
    take(text) {
      const [, id, seq] = /^(\d+) (\d+)$/.exec(text) ?? []
      if (text === 'tokens') versions.bumpTokens()
      if (id !== undefined) versions.bump(Number(id))
      if (seq !== undefined) lastHeard = Number(seq)
      // Commits are told in their order, so whatever comes before this one has been heard.
      if (seq !== undefined && !versions.isDeaf()) versions.publish(lastHeard)
      versions.bumpChanges()
      if (text !== 'tokens') versions.bumpContent()
    },
    lose() {
      if (versions.isDeaf()) return
      versions.setDeaf(true)
      versions.bumpAll()
    },
    isLost: versions.isDeaf,
    regain(lastSeq) {
      versions.bumpAll()
      // It may have been heard of more between the look at the last change and now.
      versions.publish(Math.max(lastSeq, lastHeard))
      versions.setDeaf(false)
    },
  }
}
