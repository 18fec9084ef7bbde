/** Long work in slices, between which a thread answers requests. */
export type Slices<Result> = Generator<void, Result>

/** Whether a slice has taken long enough. */
export type IsDue = () => boolean

const sliceMs = 3

export function createIsDue(): IsDue {
  let sinceMs = performance.now()
  return () => {
    const nowMs = performance.now()
    if (nowMs - sinceMs < sliceMs) return false
    sinceMs = nowMs
    return true
  }
}

/** Runs slices, and lets the thread do other things in between. Throws if `check` does. */
export async function runSlices<Result>(slices: Slices<Result>, check: () => void): Promise<Result> {
  for (;;) {
    check()
    const { done, value } = slices.next()
    if (done) return value
    await new Promise((resolve) => setImmediate(resolve))
  }
}
