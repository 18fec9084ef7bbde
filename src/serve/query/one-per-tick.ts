/** Work in the order in which it came, one piece a turn of the event loop. */
export interface OnePerTick {
  add(work: () => void): void
  waitingCount(): number
  /** Takes away what is still waiting. */
  clear(): readonly (() => void)[]
}

/**
 * Between two pieces the thread hears of everything that has come meanwhile, from all who ask. Without that, whoever
 * asks again as soon as there is an answer keeps the thread to himself.
 */
export function createOnePerTick(): OnePerTick {
  const waiting: (() => void)[] = []

  function takeOne(): void {
    waiting.shift()?.()
    if (waiting.length > 0) setImmediate(takeOne)
  }

  return {
    add(work) {
      if (waiting.push(work) === 1) setImmediate(takeOne)
    },
    waitingCount: () => waiting.length,
    clear: () => waiting.splice(0),
  }
}
