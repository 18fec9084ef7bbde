import type { Command } from '../../record/command.ts'
import type { LinkRunReply } from '../../record/link/link-run.ts'
import type { Counters } from '../../store/counters.ts'
import type { Outcome } from '../../store/store.ts'
import type { BegunBatch } from '../../store/write/batch/batches.ts'
import type { Writer } from '../../store/write/command-writer.ts'
import { BatchRunner, type BatchSettings, sqliteBatchSettings } from './batch-runner.ts'
import { invalidatePages, invalidateRecords, invalidateSessions } from './invalidate.ts'

/** The writer also limits the duration of a group. */
const maxGroup = 256
const maxWaiting = 10_000
/** How long a command waits for another process to release the lock. */
const maxBusyMs = 5_000
const retryMs = 5

interface Waiting {
  readonly command: Command
  readonly since: number
  readonly answer: (outcome: Outcome) => void
}

const isIndeterminate = (outcome: Outcome | BegunBatch) => outcome.is === 'failed' && outcome.failure === 'unknown'
/** Those that may have changed nothing that is read. Others change pages and lists. */
const otherOutcomes = ['unchanged', 'dry run', 'repeated', 'sessions', 'refused', 'failed']
const isContent = (outcome: Outcome | BegunBatch) =>
  outcome.is === 'links' ? hasChangedLinks(outcome.reply) : !otherOutcomes.includes(outcome.is)
/** Pages show the state of an address, not when it was checked. */
const hasChangedLinks = (reply: LinkRunReply) => reply.is === 'written' && reply.changes.length > 0
const noCaller = { since: 0, answer: () => undefined }

/** Group commit: commands that arrive during a commit go into the next one. */
export class GroupCommit {
  /** Called after each group, once all its answers have been given. */
  onGroup: () => void = () => undefined
  /** Called after each group that had commands, whether or not they were stored. */
  onCommit: (writes: number, ms: number) => void = () => undefined
  readonly #writer: Writer
  readonly #counters: Counters
  readonly #now: () => number
  readonly #batches: BatchRunner
  #waiting: Waiting[] = []
  #usedTokens = new Set<number>()
  #usedSessions = new Set<string>()
  #isScheduled = false
  #drained: (() => void)[] = []

  constructor(
    writer: Writer,
    counters: Counters,
    now: () => number,
    batchSettings: BatchSettings = sqliteBatchSettings,
  ) {
    this.#writer = writer
    this.#counters = counters
    this.#now = now
    this.#batches = new BatchRunner({ writer, counters, now, onAnswer: () => this.onGroup(), ...batchSettings })
  }

  /** Resolves when batches that an earlier process left behind are stopped: no client may see them running. */
  get started(): Promise<void> {
    return this.#batches.started
  }

  push(command: Command, answer: (outcome: Outcome) => void): void {
    if (this.#waiting.length >= maxWaiting) return answer({ is: 'failed', failure: 'busy' })
    this.#waiting.push({ command, answer, since: this.#now() })
    this.#schedule(0)
  }

  useToken(id: number): void {
    this.#usedTokens.add(id)
    this.#schedule(0)
  }

  /** By its hash in hex. */
  useSession(hash: string): void {
    this.#usedSessions.add(hash)
    this.#schedule(0)
  }

  /** Resolves when everything pushed so far is answered and no batch runs. */
  async drain(): Promise<void> {
    if (this.#isScheduled) await new Promise<void>((resolve) => this.#drained.push(resolve))
    await this.#batches.stop()
  }

  #schedule(delayMs: number): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    const flush = () => void this.#flush()
    if (delayMs === 0) setImmediate(flush)
    else setTimeout(flush, delayMs)
  }

  /** Runs one group at a time: commands that arrive meanwhile go into the next one. */
  async #flush(): Promise<void> {
    const counters = this.#counters
    const group = this.#waiting.slice(0, maxGroup)
    const commands = group.map(({ command }) => command)
    const before = commands.map((command) => ('id' in command ? counters.loadToKeep(command.id) : Number.NaN))
    const [tokens, sessions] = [this.#usedTokens, this.#usedSessions]
    this.#usedTokens = new Set()
    this.#usedSessions = new Set()
    const beganMs = this.#now()
    const outcomes = await this.#writer.run(commands, tokens, sessions)
    this.#isScheduled = false
    if (outcomes === 'busy') {
      this.#usedTokens = tokens.union(this.#usedTokens)
      this.#usedSessions = sessions.union(this.#usedSessions)
      return this.#failExpired()
    }
    if (outcomes.length > 0) this.onCommit(outcomes.length, this.#now() - beganMs)
    if (outcomes.some(isIndeterminate)) this.#batches.recheck()
    this.#waiting = this.#waiting.slice(outcomes.length)
    // Counters before answers: a client that has an answer must not read an older record (decision 25).
    const answers = outcomes.map((outcome, i) => invalidateRecords(counters, outcome, before[i] ?? Number.NaN))
    invalidateSessions(counters, outcomes)
    invalidatePages(this.#writer, counters, outcomes.some(isContent))
    for (const [i, outcome] of answers.entries()) {
      const { answer, since } = group[i] ?? noCaller
      if (outcome.is === 'begun') this.#batches.add(outcome.job, since, answer)
      else answer(outcome)
    }
    this.#finishGroup()
  }

  #failExpired(): void {
    const limit = this.#now() - maxBusyMs
    const expired = this.#waiting.filter(({ since }) => since < limit)
    this.#waiting = this.#waiting.filter(({ since }) => since >= limit)
    for (const { answer } of expired) answer({ is: 'failed', failure: 'busy' })
    this.#finishGroup(retryMs)
  }

  #finishGroup(delayMs = 0): void {
    this.onGroup()
    const isIdle = this.#waiting.length === 0 && this.#usedTokens.size === 0 && this.#usedSessions.size === 0
    if (!isIdle) return this.#schedule(delayMs)
    for (const resolve of this.#drained) resolve()
    this.#drained = []
  }
}
