import type { RunningBatch } from '../../store/write/batch/batch-rows.ts'
import type { Writer } from '../../store/write/writer.ts'

export interface WatchSettings {
  /** How long a batch of another writer may make no progress before it counts as abandoned. */
  readonly abandonedAfterMs: number
  /** How often to check; null means at the start and after an unknown commit only, since a file has one writer. */
  readonly lookEveryMs: number | null
}

interface Needs extends WatchSettings {
  now(): number
}

const retryMs = 1_000
/** Commands wait while an unreachable store is queried, so that is done rarely. */
const awayMs = 60_000

/**
 * Stops abandoned batches (ADR 32). A batch of another writer makes no progress once that writer has died; one of our
 * own that does not run was begun by a commit whose outcome we never learned.
 */
export function watchBatches(writer: Writer, needs: Needs, isWorkedOn: (id: number) => boolean) {
  const { now, abandonedAfterMs, lookEveryMs } = needs
  let seen = new Map<number, { readonly done: number; readonly since: number }>()
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | null = null
  let looking: Promise<void> = Promise.resolve()

  function isLeft({ id, isOurs }: RunningBatch): boolean {
    return isOurs ? !isWorkedOn(id) : now() - (seen.get(id)?.since ?? now()) >= abandonedAfterMs
  }

  async function look(): Promise<boolean> {
    const batches = await writer.listRunningBatches()
    if (batches === null) {
      // The store was unreachable for the other writers, too.
      seen = new Map()
      return false
    }
    seen = new Map(
      batches.map(({ id, done }) => {
        const before = seen.get(id)
        return [id, before?.done === done ? before : { done, since: now() }]
      }),
    )
    const left = batches.filter(isLeft)
    return left.length === 0 || (await writer.stopBatches(left)) === 'done'
  }

  function lookIn(ms: number): void {
    if (timer !== null) clearTimeout(timer)
    if (isOver) return
    timer = setTimeout(() => {
      looking = lookAgain()
    }, ms)
    timer.unref()
  }

  async function lookAgain(): Promise<void> {
    const isDone = await look()
    if (!isDone) lookIn(lookEveryMs === null ? retryMs : awayMs)
    else if (lookEveryMs !== null) lookIn(lookEveryMs)
  }

  if (lookEveryMs === null) looking = lookAgain()
  else lookIn(lookEveryMs)
  return {
    /** Resolves after the check at the start. */
    started: looking,
    /** An unreachable store is checked at the next interval. */
    doubt: () => lookEveryMs === null && lookIn(0),
    /** Resolves when no check runs any more. */
    async stop() {
      isOver = true
      if (timer !== null) clearTimeout(timer)
      await looking
    },
  }
}
