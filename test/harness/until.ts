export type Patience = { readonly timeoutMs?: number; readonly everyMs?: number }

/**
 * Waits until a condition holds; fails with its name when that takes too long. The limit is far above what a busy machine
 * needs, and below the time that the runner gives a test.
 */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  { timeoutMs = 50_000, everyMs = 10 }: Patience = {},
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`Not within ${timeoutMs} ms: ${what}`)
    await Bun.sleep(everyMs)
  }
}
