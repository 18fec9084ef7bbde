import type { Counters } from '../../store/counters.ts'
import type { Outcome } from '../../store/store.ts'

/** How often to probe while writes fail. */
const probeMs = 1_000

/** Shares with all threads whether writes succeed. */
export interface Health {
  /** To be called after each write. */
  note(outcome: Outcome): void
  /** No write can succeed. */
  fail(): void
  end(): void
}

/** `canWrite` tests a write without changing anything; called only while writes fail. */
export function createHealth(
  counters: Pick<Counters, 'setWritesFail' | 'writesFail'>,
  canWrite: () => Promise<boolean>,
): Health {
  /** Whether a write has succeeded or failed since the last tick, which replaces the probe. */
  let hasTried = false

  function set(writesFail: boolean): void {
    hasTried = true
    if (counters.writesFail() !== writesFail) counters.setWritesFail(writesFail)
  }
  // Resets the result of an earlier writer thread.
  set(false)

  let isProbing = false
  async function probe(): Promise<void> {
    if (isProbing) return
    isProbing = true
    try {
      const isDue = counters.writesFail() && !hasTried
      const isGood = isDue && (await canWrite())
      // A write that was answered meanwhile is more recent than the probe.
      if (isDue && !hasTried) set(!isGood)
      hasTried = false
    } finally {
      isProbing = false
    }
  }
  const timer = setInterval(probe, probeMs)
  timer.unref()

  return {
    note(outcome) {
      if (outcome.is === 'failed' && troubles.includes(outcome.failure)) set(true)
      // A refusal, a dry run or a change without effect also succeeds on a full disk, so it proves nothing.
      else if (outcome.is === 'stored') set(false)
    },
    fail: () => set(true),
    end: () => clearInterval(timer),
  }
}

const troubles: readonly string[] = ['full', 'down', 'newer_schema', 'unknown']
