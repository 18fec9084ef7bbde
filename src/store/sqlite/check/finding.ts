/** What is wrong: with which record or, where that is null, with the store as a whole. */
export interface Finding {
  readonly id: number | null
  readonly what: string
}

/** Told how far a check is, by its own count. */
export type OnStep = (done: number, total: number) => void

/** Every record has at least one line to read; telling each of them would take longer than reading it. */
const stepSize = 1000

/** Counts on, and tells now and then. */
export function createSteps(total: number, onStep: OnStep): () => void {
  let done = 0
  return () => {
    done++
    if (done % stepSize === 0 || done === total) onStep(done, total)
  }
}
