import type { Command } from '../../record/command.ts'
import type { Counters } from '../../store/counters.ts'
import type { Outcome } from '../../store/store.ts'
import type { BegunBatch } from '../../store/write/batch/batches.ts'
import type { Writer } from '../../store/write/command-writer.ts'
import { BatchRunner, type BatchSettings, sqliteBatchSettings } from './batch-runner.ts'
import { invalidatePages, invalidateRecords, invalidateSessions } from './invalidate-caches.ts'

/** The writer also limits the duration of a group. */
const maxGroup = 256
const maxWaiting = 10_000
/** How long a command waits for another process to release the lock. */
const maxBusyMs = 5_000
const retryMs = 5

export interface GroupCommit {
  push(command: Command, answer: (outcome: Outcome) => void): void
  useToken(id: number): void
  /** By its hash in hex. */
  useSession(hash: string): void
  /** Called after each group, once all its answers have been given. */
  onGroup: () => void
  /** Resolves when batches that an earlier process left behind are stopped: no client may see them running. */
  readonly started: Promise<void>
  /** Resolves when everything pushed so far is answered and no batch runs. */
  drain(): Promise<void>
}

interface Waiting {
  readonly command: Command
  readonly since: number
  readonly answer: (outcome: Outcome) => void
}

const isIndeterminate = (outcome: Outcome | BegunBatch) => outcome.is === 'failed' && outcome.failure === 'unknown'
const contentOutcomes = ['stored', 'batch', 'begun', 'category', 'dismissal']
const isContent = ({ is }: Outcome | BegunBatch) => contentOutcomes.includes(is)
const noCaller = { since: 0, answer: () => undefined }

/** Group commit: commands that arrive during a commit go into the next one. */
export function createGroupCommit(
  writer: Writer,
  counters: Counters,
  now: () => number,
  batchSettings: BatchSettings = sqliteBatchSettings,
): GroupCommit {
  let waiting: Waiting[] = []
  let usedTokens = new Set<number>()
  let usedSessions = new Set<string>()
  let isScheduled = false
  let drained: (() => void)[] = []
  const batches = new BatchRunner({ writer, counters, now, onAnswer: () => queue.onGroup(), ...batchSettings })

  function schedule(delayMs: number): void {
    if (isScheduled) return
    isScheduled = true
    if (delayMs === 0) setImmediate(flush)
    else setTimeout(flush, delayMs)
  }

  /** Until the group is done, no other one is begun: what arrives meanwhile goes into the next. */
  async function flush(): Promise<void> {
    const group = waiting.slice(0, maxGroup)
    const commands = group.map((each) => each.command)
    const before = commands.map((command) => ('id' in command ? counters.loadToKeep(command.id) : Number.NaN))
    const [tokens, sessions] = [usedTokens, usedSessions]
    usedTokens = new Set()
    usedSessions = new Set()
    const outcomes = await writer.run(commands, tokens, sessions)
    isScheduled = false
    if (outcomes === 'busy') {
      usedTokens = tokens.union(usedTokens)
      usedSessions = sessions.union(usedSessions)
      return failExpired()
    }
    if (outcomes.some(isIndeterminate)) batches.recheck()
    waiting = waiting.slice(outcomes.length)
    // Counters before answers: a client that has an answer must not read an older record (decision 25).
    const answers = outcomes.map((outcome, i) => invalidateRecords(counters, outcome, before[i] ?? Number.NaN))
    invalidateSessions(counters, outcomes)
    invalidatePages(writer, counters, outcomes.some(isContent))
    for (const [i, outcome] of answers.entries()) {
      const { answer, since } = group[i] ?? noCaller
      if (outcome.is === 'begun') batches.add(outcome.job, since, answer)
      else answer(outcome)
    }
    finishGroup()
  }

  function failExpired(): void {
    const limit = now() - maxBusyMs
    const old = waiting.filter((each) => each.since < limit)
    waiting = waiting.filter((each) => each.since >= limit)
    for (const each of old) each.answer({ is: 'failed', failure: 'busy' })
    finishGroup(retryMs)
  }

  function finishGroup(delayMs = 0): void {
    queue.onGroup()
    if (waiting.length > 0 || usedTokens.size > 0 || usedSessions.size > 0) return schedule(delayMs)
    for (const resolve of drained) resolve()
    drained = []
  }

  const queue: GroupCommit = {
    push(command, answer) {
      if (waiting.length >= maxWaiting) return answer({ is: 'failed', failure: 'busy' })
      waiting.push({ command, answer, since: now() })
      schedule(0)
    },
    useToken(id) {
      usedTokens.add(id)
      schedule(0)
    },
    useSession(hash) {
      usedSessions.add(hash)
      schedule(0)
    },
    onGroup: () => undefined,
    started: batches.started,
    async drain() {
      if (isScheduled) await new Promise<void>((resolve) => drained.push(resolve))
      await batches.stop()
    },
  }
  return queue
}
