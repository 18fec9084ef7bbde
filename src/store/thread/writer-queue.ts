import type { Command } from '../../record/command.ts'
import type { Writer } from '../sql/writer.ts'
import type { Outcome } from '../store.ts'
import { toNext, type Versions } from '../versions.ts'

/** Under load the next group is already waiting; the writer bounds a group's time. */
const maxGroup = 256
const maxWaiting = 10_000
/** How long a command waits for another process to let go of the file. */
const maxBusyMs = 5_000
const retryMs = 5

export interface WriterQueue {
  push(command: Command, answer: (outcome: Outcome) => void): void
  useToken(id: number): void
  /** Called after each group, once all its answers have been given. */
  onGroup: () => void
  /** Resolves when everything pushed so far has been answered. */
  drain(): Promise<void>
}

interface Waiting {
  readonly command: Command
  readonly since: number
  readonly answer: (outcome: Outcome) => void
}

/** Group commit: whatever arrives while a commit is under way goes into the next one. */
export function createWriterQueue(writer: Writer, versions: Versions, now: () => number): WriterQueue {
  let waiting: Waiting[] = []
  let usedTokens = new Set<number>()
  let isScheduled = false
  let drained: (() => void)[] = []

  function schedule(delayMs: number): void {
    if (isScheduled) return
    isScheduled = true
    if (delayMs === 0) setImmediate(flush)
    else setTimeout(flush, delayMs)
  }

  function flush(): void {
    isScheduled = false
    const group = waiting.slice(0, maxGroup)
    const commands = group.map((each) => each.command)
    const counters = commands.map((command) => ('id' in command ? versions.loadToKeep(command.id) : Number.NaN))
    const outcomes = writer.run(commands, usedTokens)
    if (outcomes === 'busy') return giveUpOld()
    waiting = waiting.slice(outcomes.length)
    usedTokens = new Set()
    // Counters before answers: whoever has an answer must not be able to read an older record.
    const answers = outcomes.map((outcome, i) => bump(outcome, counters[i] ?? Number.NaN))
    // Others may have written before us, and their records come before ours in the feed.
    publishChanges(writer, versions)
    versions.bumpChanges()
    for (const [i, answer] of answers.entries()) group[i]?.answer(answer)
    finishGroup()
  }

  /** Only where nobody else touched the record since before our transaction is it known to be as we left it. */
  function bump(outcome: Outcome, before: number): Outcome {
    if (outcome.is !== 'stored') {
      for (const id of toRewrittenIds(outcome)) versions.bump(id)
      return outcome
    }
    const counter = versions.bump(outcome.stored.id)
    return counter === toNext(before) ? { ...outcome, counter } : outcome
  }

  function giveUpOld(): void {
    const limit = now() - maxBusyMs
    const old = waiting.filter((each) => each.since < limit)
    waiting = waiting.filter((each) => each.since >= limit)
    for (const each of old) each.answer({ is: 'failed', failure: 'busy' })
    finishGroup(retryMs)
  }

  function finishGroup(delayMs = 0): void {
    queue.onGroup()
    if (waiting.length > 0 || usedTokens.size > 0) return schedule(delayMs)
    for (const resolve of drained) resolve()
    drained = []
  }

  const queue: WriterQueue = {
    push(command, answer) {
      if (waiting.length >= maxWaiting) return answer({ is: 'failed', failure: 'busy' })
      waiting.push({ command, answer, since: now() })
      schedule(0)
    },
    useToken(id) {
      usedTokens.add(id)
      schedule(0)
    },
    onGroup: () => undefined,
    drain: () =>
      waiting.length === 0 && usedTokens.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => drained.push(resolve)),
  }
  return queue
}

/** Lets the feed tell of what was committed, here or by others, once no cache has anything older. */
export function publishChanges(writer: Writer, versions: Versions): void {
  if (writer.hasForeignChange()) versions.bumpAll()
  if (writer.lastSeq() <= versions.loadPublished()) return
  versions.publish(writer.lastSeq())
  versions.bumpChanges()
}

function toRewrittenIds(outcome: Outcome): readonly number[] {
  return outcome.is === 'batch' || (outcome.is === 'undone' && outcome.batch !== null) ? outcome.ids : []
}
