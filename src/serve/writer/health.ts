import type { Counters } from '../../store/counters.ts'
import type { Outcome } from '../../store/store.ts'

/** So often it is tried whether writes succeed again, while they do not. */
const probeMs = 1_000

/** Whether writes succeed, as all threads are told. */
export interface Health {
  /** After each write. */
  note(outcome: Outcome): void
  /** No write can succeed. */
  fail(): void
  end(): void
}

/** `canWrite` tries what a write would need, and changes nothing; asked only while writes fail. */
export function createHealth(
  versions: Pick<Counters, 'setTroubled' | 'isTroubled'>,
  canWrite: () => Promise<boolean>,
): Health {
  /** A record that was stored, or could not be, says as much as a probe. */
  let hasTried = false

  function set(isTroubled: boolean): void {
    hasTried = true
    if (versions.isTroubled() !== isTroubled) versions.setTroubled(isTroubled)
  }
  // What a writer before this one found is tried anew.
  set(false)

  let isProbing = false
  async function probe(): Promise<void> {
    if (isProbing) return
    isProbing = true
    const isDue = versions.isTroubled() && !hasTried
    const isGood = isDue && (await canWrite())
    // A write that was answered meanwhile knows better.
    if (isDue && !hasTried) set(!isGood)
    hasTried = false
    isProbing = false
  }
  const timer = setInterval(probe, probeMs)
  timer.unref()

  return {
    note(outcome) {
      if (outcome.is === 'failed' && troubles.includes(outcome.failure)) set(true)
      // What wrote nothing (a refusal, a dry run, a change to what is there already) succeeds on a full disk too.
      else if (outcome.is === 'stored') set(false)
    },
    fail: () => set(true),
    end: () => clearInterval(timer),
  }
}

const troubles: readonly string[] = ['full', 'down', 'unknown']
