/** Ten seconds: far longer than anything that a thread does in one go; a list may take two. */
const maxSilentTicks = 10

export interface Heartbeat {
  /** Calls `onSilent` once, when the thread has not answered for too long, with how long that was. */
  watch(worker: Worker, onSilent: (ms: number) => void): void
  forget(worker: Worker): void
  end(): void
}

/**
 * Asks each thread once a second whether it still answers, and so notices those that hang. Silence is counted in our
 * own ticks and not by the clock: after the whole process has stood still (a suspended machine, SIGSTOP), every thread
 * has been silent for as long as we have.
 */
export function createHeartbeat(tickMs = 1_000): Heartbeat {
  const silent = new Map<Worker, { ticks: number; readonly onSilent: (ms: number) => void }>()

  function tick(): void {
    for (const [worker, state] of silent) {
      if (state.ticks++ < maxSilentTicks) {
        worker.postMessage({ is: 'ping' })
        continue
      }
      silent.delete(worker)
      state.onSilent(maxSilentTicks * tickMs)
    }
  }

  const timer = setInterval(tick, tickMs)
  timer.unref()
  return {
    watch(worker, onSilent) {
      silent.set(worker, { ticks: 0, onSilent })
      worker.addEventListener('message', ({ data }: MessageEvent<{ readonly is: string }>) => {
        const state = silent.get(worker)
        if (data.is === 'pong' && state !== undefined) state.ticks = 0
      })
    },
    forget: (worker) => void silent.delete(worker),
    end: () => clearInterval(timer),
  }
}

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
