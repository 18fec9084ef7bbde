/** Sets a flag that another thread waits for. */
export function raiseFlag(flag: Int32Array): void {
  Atomics.store(flag, 0, 1)
  Atomics.notify(flag, 0)
}

/**
 * Stands still until the flag is set; false when that takes too long. To be woken is not enough: between setting and
 * waking the other thread may be held up, and its call for the answer before then comes in the middle of the next wait.
 */
export function waitForFlag(flag: Int32Array, timeoutMs: number): boolean {
  const until = performance.now() + timeoutMs
  while (Atomics.load(flag, 0) === 0) {
    const leftMs = until - performance.now()
    if (leftMs <= 0) return false
    Atomics.wait(flag, 0, 0, leftMs)
  }
  return true
}
