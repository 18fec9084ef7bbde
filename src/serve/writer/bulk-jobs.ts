import type { Counters } from '../../store/counters.ts'
import type { Outcome } from '../../store/store.ts'
import { toReport } from '../../store/write/batch/batch-report.ts'
import type { BulkJob } from '../../store/write/bulk/bulk.ts'
import { toBulkKind } from '../../store/write/bulk/bulk-report.ts'
import type { Writer } from '../../store/write/writer.ts'
import type { BatchMeter } from './batch-meter.ts'
import { invalidatePages } from './invalidate-caches.ts'

/** How long to wait while another process has locked the store. */
const retryMs = 20
/** How often to try to stop a batch that has failed; later, `watchBatches` does. */
const maxStops = 3

export interface BulkJobs {
  /** Runs a bulk change to its end; `answer` is called once. */
  add(job: BulkJob, since: number, answer: Answer): void
  isWorkedOn(batch: number): boolean
  /** Waits for the transaction that is open, and stops the others. */
  stop(): Promise<void>
}

interface Needs {
  readonly answerAfterMs: number
  /** Pause between two bulk changes: writes that have waited for the first do not wait for the second. */
  readonly pauseMs: number
  readonly meter: BatchMeter
  now(): number
  /** Called after answers were given. */
  onAnswer(): void
  /** A batch may be in state `running` although nobody runs it. */
  doubt(): void
}

type Answer = (outcome: Outcome) => void

interface Running {
  readonly job: BulkJob
  readonly since: number
  /** Null once it is called. */
  answer: Answer | null
}

/** Runs large bulk changes one after another, each in one transaction (ADR 51). */
export function createBulkJobs(writer: Writer, counters: Counters, needs: Needs): BulkJobs {
  /** The first one is worked on; it stays here meanwhile. */
  let running: readonly Running[] = []
  let working: Promise<void> | null = null
  let isStopping = false
  // Drops what an earlier writer thread has left.
  counters.setBulk(0, 0)

  async function work(): Promise<void> {
    // Answers of the group that began it go first.
    await Bun.sleep(0)
    for (let [each] = running; each !== undefined && !isStopping; [each] = running) {
      await runOne(each)
      if (running.length > 0) await Bun.sleep(needs.pauseMs)
    }
    working = null
  }

  async function runOne(each: Running): Promise<void> {
    const { job } = each
    const progress = { onProgress: (done: number) => share(each, done), isAnswered: () => each.answer === null }
    const outcome = await writer.runBulk(job, progress)
    counters.setBulk(0, 0)
    if (outcome !== 'busy') return finish(each, outcome)
    answerLate(each, 0)
    await Bun.sleep(retryMs)
  }

  /** On a file the transaction keeps this thread busy, so late answers are sent from within, of those that wait too. */
  function share(each: Running, done: number): void {
    counters.setBulk(each.job.batch, done)
    needs.meter.set(each, done, each.job.total)
    for (const other of running) answerLate(other, other === each ? done : 0)
  }

  function answerLate(each: Running, done: number): void {
    if (each.answer === null || needs.now() - each.since <= needs.answerAfterMs) return
    answer(each, { is: 'batch', batch: toRunningReport(each.job, done), ids: [] })
  }

  function answer(each: Running, outcome: Outcome): void {
    each.answer?.(outcome)
    each.answer = null
    needs.onAnswer()
  }

  async function finish(each: Running, outcome: Outcome): Promise<void> {
    if (outcome.is === 'failed') await stopFailed(each.job)
    running = running.filter((other) => other !== each)
    needs.meter.remove(each)
    const ids = outcome.is === 'batch' ? outcome.ids : []
    for (const id of ids) counters.bump(id)
    invalidatePages(writer, counters, ids.length > 0)
    // Its row may still say that it runs.
    if (outcome.is === 'failed') needs.doubt()
    // HTTP threads do not need the ids.
    answer(each, outcome.is === 'batch' ? { ...outcome, ids: [] } : outcome)
  }

  /** Before the answer: who repeats the request must not be told that it runs. A lost connection is opened again. */
  async function stopFailed({ batch }: BulkJob): Promise<void> {
    for (let tries = 0; tries < maxStops; tries++) {
      if ((await writer.stopBatches([{ id: batch }])) === 'done') return
      await Bun.sleep(retryMs)
    }
  }

  return {
    add(job, since, answer) {
      const each = { job, since, answer }
      running = [...running, each]
      needs.meter.set(each, 0, job.total)
      working ??= work()
    },
    isWorkedOn: (batch) => running.some(({ job }) => job.batch === batch),
    async stop() {
      isStopping = true
      await working
      if (running.length === 0) return
      await writer.stopBatches(running.map(({ job }) => ({ id: job.batch })))
      for (const each of running) answer(each, { is: 'failed', failure: 'down' })
      running = []
    },
  }
}

/** Nothing is committed yet, so nothing counts as changed. */
function toRunningReport({ command, batch: id, at, total }: BulkJob, done: number) {
  const progress = { done, changed: 0, unchanged: 0 }
  return toReport({
    id,
    at,
    command,
    kind: toBulkKind(command),
    state: 'running',
    undoes: null,
    total,
    progress,
    notes: [],
  })
}
