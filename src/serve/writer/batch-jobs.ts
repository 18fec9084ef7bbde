import type { Counters } from '../../store/counters.ts'
import type { Outcome } from '../../store/store.ts'
import type { BatchJob, Slice, SliceLimits } from '../../store/write/batch/batch-job.ts'
import type { Failed, Writer } from '../../store/write/writer.ts'
import { createBatchMeter } from './batch-meter.ts'
import { type WatchSettings, watchBatches } from './batch-watch.ts'
import { type BulkJobs, createBulkJobs } from './bulk-jobs.ts'
import { invalidatePages } from './invalidate-caches.ts'
import { findRivalry } from './rival-jobs.ts'

export interface BatchSettings extends WatchSettings {
  readonly limits: SliceLimits
  /** Pause between slices for other writes: commands of this process, and other processes that poll for the lock. */
  readonly pauseMs: number
  /** A batch that takes longer is answered with its progress, and continues. */
  readonly answerAfterMs: number
  /** How long shutdown waits for running batches. */
  readonly stopMs: number
}

const settings = { limits: { maxMs: 120, maxRecords: 10_000 }, pauseMs: 15, answerAfterMs: 5_000, stopMs: 1_000 }
/** A file is served by one process only. */
export const sqliteBatchSettings: BatchSettings = { ...settings, abandonedAfterMs: 0, lookEveryMs: null }
/** Far longer than a slice takes, even one that waits for other nodes. */
export const postgresBatchSettings: BatchSettings = { ...settings, abandonedAfterMs: 30_000, lookEveryMs: 5_000 }

/** A dry run has no id to ask for its progress by, so it cannot continue after its answer. */
const maxDryRunMs = 15_000
const retryMs = 1_000
/** After this many failures in a row a batch is stopped; repeating the request continues it. */
const maxFailures = 10

export interface BatchJobs {
  /** Runs a batch until it is done, even if its client has disconnected; `answer` is called once. */
  add(job: BatchJob, since: number, answer: Answer): void
  /** As `add`, for a bulk change, which runs in one transaction. */
  readonly addBulk: BulkJobs['add']
  /** A commit may or may not have happened: invalidate every cache and look for a batch it may have started. */
  doubt(): void
  /** Resolves when batches that an earlier process left behind are stopped. */
  readonly started: Promise<void>
  /** Waits briefly for running batches, then stops the rest. */
  stop(): Promise<void>
}

interface Needs extends BatchSettings {
  now(): number
  /** Called after answers were given. */
  onAnswer(): void
}

type Answer = (outcome: Outcome) => void

interface Running {
  job: BatchJob
  readonly since: number
  /** One for each client that sent this request; emptied once they are called. */
  answers: readonly Answer[]
  failures: number
}

/** Runs large batches in slices between ordinary groups; several batches take turns (ADR 32). */
export function createBatchJobs(writer: Writer, counters: Counters, needs: Needs): BatchJobs {
  const { now, limits, pauseMs, answerAfterMs } = needs
  /** The first one is worked on; it stays here meanwhile. */
  let running: Running[] = []
  let timer: ReturnType<typeof setTimeout> | null = null
  let turn: Promise<void> | null = null
  const meter = createBatchMeter(counters)
  const bulk = createBulkJobs(writer, counters, { ...needs, meter, doubt: () => doubt() })
  const isWorkedOn = (id: number) => bulk.isWorkedOn(id) || running.some(({ job }) => job.batch === id)
  const watch = watchBatches(writer, needs, isWorkedOn)

  function schedule(delayMs: number): void {
    if (timer !== null || turn !== null || running.length === 0) return
    timer = setTimeout(() => {
      timer = null
      const [each] = running
      if (each !== undefined) turn = takeTurn(each)
    }, delayMs)
  }

  async function takeTurn(each: Running): Promise<void> {
    const isLate = now() - each.since > answerAfterMs
    const slice = await writer.runSlice(each.job, limits, isLate)
    const isFailed = slice === 'busy' || 'failure' in slice
    const goesOn = isFailed
      ? await tryAgain(each, slice === 'busy' ? 'busy' : slice.failure)
      : continueJob(each, slice, isLate)
    running = [...running.filter((other) => other !== each), ...(goesOn ? [each] : [])]
    if (!goesOn) meter.remove(each)
    turn = null
    needs.onAnswer()
    schedule(each.failures === 0 ? pauseMs : retryMs)
  }

  /** Whether there is more to do. */
  function continueJob(each: Running, slice: Slice, isLate: boolean): boolean {
    for (const id of slice.ids) counters.bump(id)
    invalidatePages(writer, counters, true)
    each.job = slice.job
    each.failures = 0
    meter.set(each, slice.report.done, slice.report.total)
    const isDryRun = each.job.command.isDryRun === true
    if (slice.isOver || (isLate && !isDryRun)) answerAll(each, { is: 'batch', batch: slice.report, ids: [] })
    else if (isDryRun && now() - each.since > maxDryRunMs) return giveUp(each, 'busy')
    return !slice.isOver
  }

  function giveUp(each: Running, failure: Failed['failure']): false {
    answerAll(each, { is: 'failed', failure })
    return false
  }

  /**
   * Does not retry a bug. A batch without a row fails now; if its row turns out to exist, a repeated request resumes it.
   */
  async function tryAgain(each: Running, failure: Failed['failure']): Promise<boolean> {
    if (failure !== 'busy') each.failures++
    if (failure === 'unknown') doubt()
    // The newer program stops the batch when it starts.
    if (failure === 'newer_schema') return giveUp(each, failure)
    const { batch } = each.job
    const isHopeless = failure === 'bug' || each.failures > maxFailures
    const isLate = now() - each.since > answerAfterMs
    if (batch === null && (isHopeless || isLate || failure === 'unknown')) return giveUp(each, failure)
    if (isHopeless && batch !== null && (await writer.stopBatches([{ id: batch }])) === 'done') {
      return giveUp(each, failure)
    }
    if (batch !== null && isLate && failure === 'busy') await answerHowFar(each, batch)
    return true
  }

  function doubt(): void {
    counters.bumpAll()
    watch.doubt()
  }

  /** Reading works while another process holds the write lock. */
  async function answerHowFar(each: Running, id: number): Promise<void> {
    const batch = each.answers.length === 0 ? null : await writer.readBatch(id)
    if (batch !== null) answerAll(each, { is: 'batch', batch, ids: [] })
  }

  function answerAll(each: Running, outcome: Outcome): void {
    for (const answer of each.answers) answer(outcome)
    each.answers = []
  }

  /** Answers with the report of a last, empty slice. */
  async function stopEach(each: Running): Promise<void> {
    const { batch } = each.job
    const slice =
      batch === null
        ? 'busy'
        : (await writer.stopBatches([{ id: batch }])) === 'done' && (await writer.runSlice(each.job, limits, false))
    const isTold = typeof slice === 'object' && 'report' in slice
    answerAll(each, isTold ? { is: 'batch', batch: slice.report, ids: [] } : { is: 'failed', failure: 'down' })
  }

  return {
    add(job, since, answer) {
      const rivalry = findRivalry(job, running)
      if (rivalry?.is === 'same') rivalry.other.answers = [...rivalry.other.answers, answer]
      else if (rivalry !== null) answer(rivalry)
      else running.push({ job, since, answers: [answer], failures: 0 })
      schedule(0)
    },
    addBulk: bulk.add,
    doubt,
    started: watch.started,
    async stop() {
      await bulk.stop()
      const watched = watch.stop()
      if (running.length === 0) return watched
      const until = now() + needs.stopMs
      while (running.length > 0 && now() < until) await Bun.sleep(pauseMs)
      await turn
      if (timer !== null) clearTimeout(timer)
      for (const each of running) await stopEach(each)
      await watched
      running = []
      needs.onAnswer()
    },
  }
}
