const maxDeathsPerMinute = 5
const firstDelayMs = 50
const maxDelayMs = 5_000

/** Starts again what died, later each time; gives up when it dies too often. */
export function createRestarts(onHopeless: () => void, now: () => number = () => performance.now()) {
  let deaths: number[] = []
  return {
    again(start: () => Promise<void>): void {
      deaths = [...deaths.filter((at) => at > now() - 60_000), now()]
      if (deaths.length >= maxDeathsPerMinute) return onHopeless()
      const delayMs = Math.min(firstDelayMs * 2 ** deaths.length, maxDelayMs)
      // A thread that cannot start closes, and so comes back here by itself.
      setTimeout(() => void start().catch(() => undefined), delayMs)
    },
  }
}
