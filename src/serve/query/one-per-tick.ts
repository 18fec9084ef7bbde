type Work = () => Promise<void>

/** Runs work in order, one piece per tick of the event loop. */
export interface OnePerTick {
  add(work: Work): void
  waitingCount(): number
  /** Removes what has not begun. */
  clear(): readonly Work[]
}

/** Between two pieces the thread receives new messages. Otherwise a client that asks again at once starves the others. */
export function createOnePerTick(): OnePerTick {
  const waiting: Work[] = []
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || waiting.length === 0) return
    isScheduled = true
    setImmediate(takeOne)
  }

  async function takeOne(): Promise<void> {
    try {
      await waiting.shift()?.()
    } finally {
      isScheduled = false
      schedule()
    }
  }

  return {
    add(work) {
      waiting.push(work)
      schedule()
    },
    waitingCount: () => waiting.length,
    clear: () => waiting.splice(0),
  }
}
