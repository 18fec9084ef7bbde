import type { Counters } from '../counters.ts'

/**
 * The channel of notifications: `<record> <seq>`, `tokens`, `sessions`, `stop <batch>`, or `changes` without a sequence
 * number.
 */
export const changesChannel = 'rostrum'

/** Applies notifications to the counters, and records whether some may have been missed (decision 15). */
interface Notifications {
  take(text: string): void
  /** From now on notifications may be missed. */
  lose(): void
  isLost(): boolean
  /** No notification is missed from now on; `lastSeq` is the last change so far. */
  regain(lastSeq: number): void
}

export function createNotifications(counters: Counters): Notifications {
  let lastHeard = 0
  return {
    take(text) {
      if (text === 'sessions') return counters.bumpSessions()
      const [, batch] = /^stop (\d{1,16})$/.exec(text) ?? []
      if (batch !== undefined) return counters.hearStop(Number(batch))
      const [, id, seq] = /^(\d+) (\d+)$/.exec(text) ?? []
      if (text === 'tokens') counters.bumpTokens()
      if (id !== undefined) counters.bump(Number(id))
      if (seq !== undefined) lastHeard = Number(seq)
      // Notifications arrive in the order of commits, so all changes before this one have arrived.
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
      // Later notifications may have arrived since `lastSeq` was read.
      counters.publish(Math.max(lastSeq, lastHeard))
      counters.setBehind(false)
    },
  }
}
