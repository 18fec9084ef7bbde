type Patience = { readonly timeoutMs?: number; readonly everyMs?: number }

/**
 * Waits until a condition holds; fails with its name when that takes too long. The limit is far above what a busy machine
 * needs, and below the time that the runner gives a test.
 */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  { timeoutMs = 50_000, everyMs = 10 }: Patience = {},
): Promise<void> {
  const started = performance.now()
  while (!(await isSo())) {
    const waitedMs = performance.now() - started
    if (waitedMs > timeoutMs) throw new Error(`Not within ${timeoutMs} ms: ${what}`)
    // Checking takes time that other files need, so the interval grows with the time waited.
    await Bun.sleep(Math.max(everyMs, Math.min(waitedMs / 10, 100)))
  }
}
