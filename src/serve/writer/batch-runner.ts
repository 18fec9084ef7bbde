import type { Counters } from '../../store/counters.ts'
import type { Outcome } from '../../store/store.ts'
import type { RunningBatch } from '../../store/write/batch/batch-rows.ts'
import { type BatchJob, toRunningReport } from '../../store/write/batch/batches.ts'
import type { Writer } from '../../store/write/command-writer.ts'
import { invalidatePages } from './invalidate-caches.ts'

export interface BatchSettings {
  /** Pause between two transactions of batches, for commands that have waited for the first. */
  readonly pauseMs: number
  /** A batch that takes longer is answered with its progress, and continues. */
  readonly answerAfterMs: number
  /** How long a dry run may keep other writes waiting: nobody can ask for its progress, nor stop it. */
  readonly maxDryRunMs: number
  /** How long no batch of any writer may make progress before another writer's counts as abandoned. */
  readonly abandonedAfterMs: number
  /** How often to look for abandoned batches; null means at the start and after a failure: a file has one writer. */
  readonly lookEveryMs: number | null
}

const settings = { pauseMs: 15, answerAfterMs: 5_000, maxDryRunMs: 15_000 }
/** A file is served by one process only. */
export const sqliteBatchSettings: BatchSettings = { ...settings, abandonedAfterMs: 0, lookEveryMs: null }
/** Far longer than a slice takes. Longer transactions keep whoever looks from stopping anything until they end. */
export const postgresBatchSettings: BatchSettings = { ...settings, abandonedAfterMs: 30_000, lookEveryMs: 5_000 }

/** How long to wait while another process has locked the store. */
const busyMs = 20
/** How long to wait before an unreachable store is asked again. */
const retryMs = 1_000
const maxStops = 3

/** Runs begun batches, each in one transaction or in slices between two groups of commands (decision 74). */
export interface BatchRunner {
  /** Runs a batch to its end, even if its client has disconnected; `answer` is called once. */
  add(job: BatchJob, since: number, answer: Answer): void
  /** A commit may or may not have happened: a batch may be in state `running` although nobody runs it. */
  doubt(): void
  /** Resolves when batches that an earlier process left behind are stopped. */
  readonly started: Promise<void>
  /** Stops all batches. One whose transaction is open has seen the shutdown, and is rolled back. */
  stop(): Promise<void>
}

export interface RunnerDeps extends BatchSettings {
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

export function createBatchRunner(deps: RunnerDeps): BatchRunner {
  const { writer, counters, now } = deps
  /** The first one is worked on; it stays here meanwhile. */
  let running: readonly Running[] = []
  let working: Promise<void> | null = null
  let isEnding = false
  const isStopping = () => isEnding || counters.isShutdown()
  const watch = watchBatches(deps, (batch) => running.some(({ job }) => job.batch === batch))
  shareProgress(null)

  /** For `/metrics`, for `GET batches/<id>`, and for HTTP threads, whose writes wait meanwhile. */
  function shareProgress(current: Running | null): void {
    counters.setBulk(current?.job.batch ?? 0, current?.done ?? 0)
    const [done, total] = [running.map((each) => each.done), running.map(({ job }) => job.total)].map((all) =>
      all.reduce((sum, count) => sum + count, 0),
    )
    counters.setBatches({ running: running.length, done: done ?? 0, total: total ?? 0 })
  }

  async function work(): Promise<void> {
    // Answers of the group that began it go first.
    await Bun.sleep(0)
    for (let [each] = running; each !== undefined && !isStopping(); [each] = running) {
      const isBusy = await runNext(each)
      shareProgress(null)
      await Bun.sleep(isBusy ? busyMs : deps.pauseMs)
    }
    working = null
  }

  /** One transaction of a batch. Those that go in slices take turns. Returns whether the store was locked. */
  async function runNext(each: Running): Promise<boolean> {
    const { batch } = each.job
    const isStopped = () =>
      counters.isShutdown() || (batch === null ? now() - each.since > deps.maxDryRunMs : counters.isToStop(batch))
    const ran = await writer.runBatch(each.job, {
      isStopped,
      isAnswered: () => each.answer === null,
      onProgress(done) {
        each.done = done
        shareProgress(each)
        // On a file the transaction keeps this thread busy, so that late answers are sent from within.
        for (const other of running) answerLate(other)
      },
    })
    if (ran === 'busy') {
      for (const other of running) {
        answerLate(other)
        if (other.job.slices !== null) await answerSlices(other)
      }
      return true
    }
    if (ran.is === 'slice') {
      each.job = ran.job
      each.done = ran.job.slices?.progress.done ?? 0
      running = [...running.filter((other) => other !== each), each]
      invalidate(ran.ids)
      await answerSlices(each)
    } else await finish(each, ran)
    return false
  }

  function invalidate(ids: readonly number[]): void {
    for (const id of ids) counters.bump(id)
    invalidatePages(writer, counters, true)
  }

  const isLate = ({ job, since, answer }: Running) =>
    answer !== null && job.batch !== null && now() - since > deps.answerAfterMs

  function answerLate(each: Running): void {
    if (isLate(each) && each.job.slices === null)
      answer(each, { is: 'batch', batch: toRunningReport(each.job, each.done), ids: [] })
  }

  /** What its slices have changed is committed. */
  async function answerSlices(each: Running): Promise<void> {
    const batch = isLate(each) && each.job.batch !== null ? await writer.readBatch(each.job.batch) : null
    if (batch !== null) answer(each, { is: 'batch', batch, ids: [] })
  }

  function answer(each: Running, outcome: Outcome): void {
    each.answer?.(outcome)
    each.answer = null
    deps.onAnswer()
  }

  async function finish(each: Running, outcome: Outcome): Promise<void> {
    const isFailed = outcome.is === 'failed'
    if (isFailed) await stopFailed(each.job)
    running = running.filter((other) => other !== each)
    shareProgress(null)
    if (isFailed && outcome.failure === 'unknown') counters.bumpAll()
    invalidate(outcome.is === 'batch' ? outcome.ids : [])
    // Its row may still say that it runs.
    if (isFailed) watch.look()
    // HTTP threads do not need the ids.
    answer(each, outcome.is === 'batch' ? { ...outcome, ids: [] } : outcome)
  }

  /** Before the answer: who repeats the request must not be told that it runs. A lost connection is opened again. */
  async function stopFailed({ batch }: BatchJob): Promise<void> {
    for (let tries = 0; batch !== null && tries < maxStops; tries++) {
      if ((await writer.stopBatches([{ id: batch }])) === 'done') return
      await Bun.sleep(busyMs)
    }
  }

  /** Answers with what has become of it, if that can be read. */
  async function endStopped(each: Running): Promise<void> {
    const { batch } = each.job
    const isStopped = batch !== null && (await writer.stopBatches([{ id: batch }])) === 'done'
    const report = isStopped ? await writer.readBatch(batch) : null
    answer(each, report === null ? { is: 'failed', failure: 'down' } : { is: 'batch', batch: report, ids: [] })
  }

  return {
    add(job, since, answer) {
      if (job.batch !== null) counters.clearStop(job.batch)
      running = [...running, { job, since, done: 0, answer }]
      shareProgress(null)
      working ??= work()
    },
    doubt() {
      counters.bumpAll()
      watch.look()
    },
    started: watch.started,
    async stop() {
      isEnding = true
      await working
      for (const each of running) await endStopped(each)
      running = []
      await watch.stop()
    },
  }
}

/**
 * Stops abandoned batches. After its writer has died, a batch waits in vain: no batch at all makes progress, while one
 * that waits for others sees theirs. One of our own that does not run was begun by a commit whose outcome we never
 * learned.
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

  /** Whether the store could be asked. */
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
    /** Resolves after the look at the start. */
    started: looking,
    /** An unreachable store is asked at the next interval. */
    look: () => lookEveryMs === null && lookIn(0),
    async stop() {
      isOver = true
      clearTimeout(timer)
      await looking
    },
  }
}
