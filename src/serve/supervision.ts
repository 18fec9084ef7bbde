/** Ten seconds by default, far longer than a thread is busy at a time; a list may take two. */
const maxSilentTicks = 10

export interface Heartbeat {
  /** Calls `onSilent` once if the thread does not respond in time, with the duration. */
  watch(worker: Worker, onSilent: (ms: number) => void): void
  forget(worker: Worker): void
  end(): void
}

/**
 * Pings each thread once a second to detect those that hang (decision 28). Silence is counted in ticks of this thread and
 * not by the clock, since a suspended machine or SIGSTOP silences all threads at once.
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

/** Restarts threads that died, with increasing delays; gives up after too many deaths in a minute (decision 28). */
export function createRestarts(onRestartLimit: () => void, now: () => number = () => performance.now()) {
  let deaths: number[] = []
  return {
    again(start: () => Promise<void>): void {
      deaths = [...deaths.filter((at) => at > now() - 60_000), now()]
      if (deaths.length >= maxDeathsPerMinute) return onRestartLimit()
      const delayMs = Math.min(firstDelayMs * 2 ** deaths.length, maxDelayMs)
      // A thread that cannot start closes, which leads here again.
      setTimeout(() => void start().catch(() => undefined), delayMs)
    },
  }
}
