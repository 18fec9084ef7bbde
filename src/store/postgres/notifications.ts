import type { Counters } from '../counters.ts'

/** Where nodes hear of changes: `<record> <seq>`, `tokens`, or `changes` for all that has no number of its own. */
export const changesChannel = 'rostrum'

/** What is heard of changes, and whether it can be relied on that all are. */
export interface Notifications {
  take(text: string): void
  /** From now on something may be missed. */
  lose(): void
  isLost(): boolean
  /** Nothing is missed any more, and this is the last change so far. */
  regain(lastSeq: number): void
}

export function createNotifications(counters: Counters): Notifications {
  let lastHeard = 0
  return {
    take(text) {
      const [, id, seq] = /^(\d+) (\d+)$/.exec(text) ?? []
      if (text === 'tokens') counters.bumpTokens()
      if (id !== undefined) counters.bump(Number(id))
      if (seq !== undefined) lastHeard = Number(seq)
      // Commits are told in their order, so whatever comes before this one has been heard.
      if (seq !== undefined && !counters.isBehind()) counters.publish(lastHeard)
      counters.bumpChanges()
      if (text !== 'tokens') counters.bumpContent()
    },
    lose() {
      if (counters.isBehind()) return
      counters.setBehind(true)
      counters.bumpAll()
    },
    isLost: counters.isBehind,
    regain(lastSeq) {
      counters.bumpAll()
      // It may have been heard of more between the look at the last change and now.
      counters.publish(Math.max(lastSeq, lastHeard))
      counters.setBehind(false)
    },
  }
}
