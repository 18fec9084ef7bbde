import type { RunningBatch } from '../../store/write/batch/batch-rows.ts'
import type { Writer } from '../../store/write/writer.ts'

export interface WatchSettings {
  /** How long a batch of another writer may stand still before nobody is taken to work on it. */
  readonly abandonedAfterMs: number
  /** How often that is looked for; null: at the start and after a doubt, since a file has one writer. */
  readonly lookEveryMs: number | null
}

interface Needs extends WatchSettings {
  now(): number
}

const retryMs = 1_000
/** Commands wait while a store that is away is asked in vain, so that is not done often. */
const awayMs = 60_000

/**
 * Stops batches that nobody works on. Those of another writer stand still when it has died; one of our own that is not
 * worked on was begun by a commit of which we never heard that it succeeded.
 */
export function watchBatches(writer: Writer, needs: Needs, isWorkedOn: (id: number) => boolean) {
  const { now, abandonedAfterMs, lookEveryMs } = needs
  let seen = new Map<number, { readonly done: number; readonly since: number }>()
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | null = null

  function isLeft({ id, isOurs }: RunningBatch): boolean {
    return isOurs ? !isWorkedOn(id) : now() - (seen.get(id)?.since ?? now()) >= abandonedAfterMs
  }

  async function look(): Promise<boolean> {
    const batches = await writer.listRunningBatches()
    if (batches === null) {
      // The store was away for the others too.
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
    timer = setTimeout(lookAgain, ms)
    timer.unref()
  }

  async function lookAgain(): Promise<void> {
    const isDone = await look()
    if (!isDone) lookIn(lookEveryMs === null ? retryMs : awayMs)
    else if (lookEveryMs !== null) lookIn(lookEveryMs)
  }

  if (lookEveryMs === null) void lookAgain()
  else lookIn(lookEveryMs)
  return {
    /** A store that is away is looked at when it is time. */
    doubt: () => lookEveryMs === null && lookIn(0),
    stop() {
      isOver = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}
