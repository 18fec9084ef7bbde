import type { Deadline } from '../../store/read/statements.ts'

/** Data that a query thread keeps in memory, loaded in small steps. */
export interface Loadable {
  isComplete(): boolean
  /** One step, in a transaction of its own; whether anything is left. */
  loadSome(): Promise<boolean>
}

/** A step takes milliseconds; a request waits no longer than this for one that PostgreSQL does not answer. */
const maxStepMs = 1_000
const retryMs = 1_000
/** How often to look for work that is due by now. */
const lookMs = 1_000

export interface BackgroundLoadDeps {
  readonly loaded: readonly Loadable[]
  readonly deadline: Deadline
  isDown(): boolean
}

/** Work for a thread that has no request: loads what is missing, one step at a time (decision 43). */
export interface BackgroundLoad {
  /** Whether a step would do anything now. */
  hasWork(): boolean
  /** Never rejects. After a failure there is no work for a second, because the store may be unreachable. */
  runStep(): Promise<void>
}

/** `onWork` is called when there may be work again. */
export function createBackgroundLoad(deps: BackgroundLoadDeps, onWork: () => void): BackgroundLoad {
  const { loaded, deadline } = deps
  let isPaused = false
  setInterval(onWork, lookMs).unref()

  function pause(): void {
    isPaused = true
    const timer = setTimeout(() => {
      isPaused = false
      onWork()
    }, retryMs)
    timer.unref()
  }

  const findIncomplete = () => (isPaused || deps.isDown() ? undefined : loaded.find((each) => !each.isComplete()))
  return {
    hasWork: () => findIncomplete() !== undefined,
    async runStep() {
      deadline.set(performance.now() + maxStepMs)
      try {
        await findIncomplete()?.loadSome()
      } catch {
        // Requests meet the same failure, and report it.
        pause()
      }
    },
  }
}
