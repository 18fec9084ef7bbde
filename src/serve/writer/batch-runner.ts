import type { Counters } from '../../store/counters.ts'
import type { Outcome } from '../../store/store.ts'
import type { RunningBatch } from '../../store/write/batch/batch-rows.ts'
import { type BatchJob, toRunningReport } from '../../store/write/batch/batches.ts'
import type { Writer } from '../../store/write/command-writer.ts'
import { invalidatePages } from './invalidate.ts'

export interface BatchSettings {
  /** Pause between two transactions of batches, for commands that have waited for the first. */
  readonly pauseMs: number
  /** A batch that takes longer is answered with its progress, and continues. */
  readonly answerAfterMs: number
  /** How long a dry run may delay other writes: it shows no progress and cannot be stopped. */
  readonly maxDryRunMs: number
  /** How long no batch of any writer may make progress before another writer's counts as abandoned. */
  readonly abandonedAfterMs: number
  /** How often to look for abandoned batches; null means at the start and after a failure: a file has one writer. */
  readonly lookEveryMs: number | null
}

const settings = { pauseMs: 15, answerAfterMs: 5_000, maxDryRunMs: 15_000 }
/** A file is served by one process only. */
export const sqliteBatchSettings: BatchSettings = { ...settings, abandonedAfterMs: 0, lookEveryMs: null }
/** Far longer than a slice takes. A longer transaction blocks the watcher, so nothing is stopped until it ends. */
export const postgresBatchSettings: BatchSettings = { ...settings, abandonedAfterMs: 30_000, lookEveryMs: 5_000 }

/** How long to wait while another process has locked the store. */
const busyMs = 20
/** How long to wait before retrying an unreachable store. */
const retryMs = 1_000
const maxStops = 3

interface RunnerDeps extends BatchSettings {
  readonly writer: Writer
  readonly counters: Counters
  now(): number
  /** Called after answers were given. */
  onAnswer(): void
}

type Answer = (outcome: Outcome) => void

interface Running {
  job: BatchJob
  readonly since: number
  done: number
  /** Null once it is called. */
  answer: Answer | null
}

/** Runs begun batches, each in one transaction or in slices between two groups of commands (decision 74). */
export class BatchRunner {
  readonly #deps: RunnerDeps
  /** The first one is in progress. */
  #running: readonly Running[] = []
  #working: Promise<void> | null = null
  #isEnding = false
  readonly #watch: BatchWatch

  constructor(deps: RunnerDeps) {
    this.#deps = deps
    this.#watch = watchBatches(deps, (batch) => this.#running.some(({ job }) => job.batch === batch))
    this.#shareProgress(null)
  }

  /** Resolves when batches that an earlier process left behind are stopped. */
  get started(): Promise<void> {
    return this.#watch.started
  }

  /** Runs a batch to its end, even if its client has disconnected; `answer` is called once. */
  add(job: BatchJob, since: number, answer: Answer): void {
    if (job.batch !== null) this.#deps.counters.clearStop(job.batch)
    this.#running = [...this.#running, { job, since, done: 0, answer }]
    this.#shareProgress(null)
    this.#working ??= this.#work()
  }

  /** After a commit with an unknown outcome: a batch may be in state `running` although nobody runs it. */
  recheck(): void {
    this.#deps.counters.bumpAll()
    this.#watch.look()
  }

  /** Stops all batches. One whose transaction is open has seen the shutdown, and is rolled back. */
  async stop(): Promise<void> {
    this.#isEnding = true
    await this.#working
    for (const batch of this.#running) await this.#endStopped(batch)
    this.#running = []
    await this.#watch.stop()
  }

  /** For `/metrics`, for `GET batches/<id>`, and for HTTP threads, whose writes wait meanwhile. */
  #shareProgress(current: Running | null): void {
    const { counters } = this.#deps
    const running = this.#running
    counters.setBulk(current?.job.batch ?? 0, current?.done ?? 0)
    const done = running.reduce((sum, batch) => sum + batch.done, 0)
    const total = running.reduce((sum, { job }) => sum + job.total, 0)
    counters.setBatches({ running: running.length, done, total })
  }

  async #work(): Promise<void> {
    const { counters, pauseMs } = this.#deps
    // The answers of the group that began it are sent first.
    await Bun.sleep(0)
    while (!this.#isEnding && !counters.isShutdown()) {
      const [next] = this.#running
      if (next === undefined) break
      const isBusy = await this.#runNext(next)
      this.#shareProgress(null)
      await Bun.sleep(isBusy ? busyMs : pauseMs)
    }
    this.#working = null
  }

  /** One transaction of a batch. Batches in slices take turns. Returns whether the store was locked. */
  async #runNext(batch: Running): Promise<boolean> {
    const { writer } = this.#deps
    const ran = await writer.runBatch(batch.job, {
      isStopped: () => this.#isStopped(batch),
      isAnswered: () => batch.answer === null,
      onProgress: (done) => {
        batch.done = done
        this.#shareProgress(batch)
        // On a file the transaction keeps this thread busy, so late answers are sent from within it.
        for (const late of this.#running) this.#answerLate(late)
      },
    })
    if (ran === 'busy') {
      await this.#answerWhileBusy()
      return true
    }
    if (ran.is === 'slice') await this.#continue(batch, ran)
    else await this.#finish(batch, ran)
    return false
  }

  #isStopped({ job, since }: Running): boolean {
    const { counters, now, maxDryRunMs } = this.#deps
    if (counters.isShutdown()) return true
    return job.batch === null ? now() - since > maxDryRunMs : counters.isToStop(job.batch)
  }

  async #answerWhileBusy(): Promise<void> {
    for (const batch of this.#running) {
      this.#answerLate(batch)
      if (batch.job.slices !== null) await this.#answerSlices(batch)
    }
  }

  /** After a slice, the other batches get their turn. */
  async #continue(batch: Running, { job, ids }: RanSlice): Promise<void> {
    batch.job = job
    batch.done = job.slices?.progress.done ?? 0
    this.#running = [...this.#running.filter((other) => other !== batch), batch]
    this.#invalidate(ids)
    await this.#answerSlices(batch)
  }

  #invalidate(ids: readonly number[]): void {
    const { writer, counters } = this.#deps
    for (const id of ids) counters.bump(id)
    invalidatePages(writer, counters, true)
  }

  #isLate({ job, since, answer }: Running): boolean {
    const { now, answerAfterMs } = this.#deps
    return answer !== null && job.batch !== null && now() - since > answerAfterMs
  }

  #answerLate(batch: Running): void {
    if (this.#isLate(batch) && batch.job.slices === null)
      this.#answer(batch, { is: 'batch', batch: toRunningReport(batch.job, batch.done), ids: [] })
  }

  /** The changes of its slices are committed. */
  async #answerSlices(running: Running): Promise<void> {
    const { batch: id } = running.job
    const batch = this.#isLate(running) && id !== null ? await this.#deps.writer.readBatch(id) : null
    if (batch !== null) this.#answer(running, { is: 'batch', batch, ids: [] })
  }

  #answer(batch: Running, outcome: Outcome): void {
    batch.answer?.(outcome)
    batch.answer = null
    this.#deps.onAnswer()
  }

  async #finish(batch: Running, outcome: Outcome): Promise<void> {
    const isFailed = outcome.is === 'failed'
    if (isFailed) await this.#stopFailed(batch.job)
    this.#running = this.#running.filter((other) => other !== batch)
    this.#shareProgress(null)
    if (isFailed && outcome.failure === 'unknown') this.#deps.counters.bumpAll()
    this.#invalidate(outcome.is === 'batch' ? outcome.ids : [])
    // Its row may still be in state `running`.
    if (isFailed) this.#watch.look()
    // HTTP threads do not need the ids.
    this.#answer(batch, outcome.is === 'batch' ? { ...outcome, ids: [] } : outcome)
  }

  /** Before the answer: a client that repeats the request must not see it as running. Reopens a lost connection. */
  async #stopFailed({ batch }: BatchJob): Promise<void> {
    for (let tries = 0; batch !== null && tries < maxStops; tries++) {
      if ((await this.#deps.writer.stopBatches([{ id: batch }])) === 'done') return
      await Bun.sleep(busyMs)
    }
  }

  /** Answers with the final state of the batch, if that can be read. */
  async #endStopped(running: Running): Promise<void> {
    const { writer } = this.#deps
    const { batch } = running.job
    const isStopped = batch !== null && (await writer.stopBatches([{ id: batch }])) === 'done'
    const report = isStopped ? await writer.readBatch(batch) : null
    this.#answer(running, report === null ? { is: 'failed', failure: 'down' } : { is: 'batch', batch: report, ids: [] })
  }
}

type RanSlice = Extract<Awaited<ReturnType<Writer['runBatch']>>, { is: 'slice' }>
type BatchWatch = ReturnType<typeof watchBatches>

/**
 * Stops abandoned batches. A batch whose writer has died makes no progress; a batch that only waits for others sees
 * theirs. One of our own that is not running was begun by a commit whose outcome is unknown.
 */
function watchBatches(
  { writer, now, abandonedAfterMs, lookEveryMs }: RunnerDeps,
  isWorkedOn: (batch: number) => boolean,
) {
  let seen: ReadonlyMap<number, { readonly progress: number; readonly since: number }> = new Map()
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let looking: Promise<void> = Promise.resolve()

  const isLeft = ({ id, isOurs }: RunningBatch) =>
    isOurs ? !isWorkedOn(id) : now() - (seen.get(id)?.since ?? now()) >= abandonedAfterMs

  /** Whether the store could be reached. */
  async function stopLeft(): Promise<boolean> {
    const batches = await writer.listRunningBatches()
    // If not, the store was unreachable for the other writers, too.
    const known = batches === null ? new Map() : seen
    seen = new Map(
      (batches ?? []).map(({ id, progress }) => [
        id,
        known.get(id)?.progress === progress ? known.get(id) : { progress, since: now() },
      ]),
    )
    const left = (batches ?? []).filter(isLeft).map(({ isOurs, ...batch }) => (isOurs ? { id: batch.id } : batch))
    return batches !== null && (left.length === 0 || (await writer.stopBatches(left)) === 'done')
  }

  async function look(): Promise<void> {
    const isDone = await stopLeft()
    if (lookEveryMs !== null) lookIn(lookEveryMs)
    else if (!isDone) lookIn(retryMs)
  }

  function lookIn(ms: number): void {
    clearTimeout(timer)
    if (isOver) return
    timer = setTimeout(() => {
      looking = look()
    }, ms)
    timer.unref()
  }

  if (lookEveryMs === null) looking = look()
  else lookIn(lookEveryMs)
  return {
    /** Resolves after the check at the start. */
    started: looking,
    /** Retries an unreachable store at the next interval. */
    look: () => lookEveryMs === null && lookIn(0),
    async stop() {
      isOver = true
      clearTimeout(timer)
      await looking
    },
  }
}
