import { createMetrics } from '../http/metrics.ts'
import { createCounters } from '../store/counters.ts'
import { loadBackend } from './backend/load-backend.ts'
import type { WriterReply, WriterRequest } from './port/messages.ts'
import { serveRequests } from './port/thread-port.ts'
import { lowerPriority } from './thread-priority.ts'
import { GroupCommit } from './writer/group-commit.ts'
import { createHealth } from './writer/health.ts'
import { invalidatePages, publishChanges } from './writer/invalidate.ts'

/** Less than half of the 200 ms within which changes of other processes must be visible. */
const pollMs = 80
/** A third of the 30 s within which a draft is published after its time. */
const publishMs = 10_000
/** How often to look for transcripts to index, and the pause between two parts, in which other writes run. */
const [indexMs, indexPauseMs] = [1_000, 15]
/** Drafts are published in the name of who asked for it. */
const scheduler = { name: 'schedule', role: 'admin' } as const

serveRequests<WriterRequest, WriterReply>(async (plan, report, sendReplies) => {
  const { engine, address, memory, metrics, hasLowPriority } = plan
  if (hasLowPriority) lowerPriority()
  const counters = createCounters(memory.counters)
  const { openWriter } = await loadBackend(engine)
  const { writer, batches, canWrite, isLost, isPolled } = await openWriter({ address, counters, memory, report })
  const queue = new GroupCommit(writer, counters, () => performance.now(), batches)
  queue.onGroup = sendReplies
  if (metrics !== null) queue.onCommit = createMetrics(metrics, 0).countCommit
  await queue.started
  const health = createHealth(counters, canWrite)

  function poll(): void {
    try {
      if (isLost()) health.fail()
      publishChanges(writer, counters)
    } catch (error) {
      // The next poll may succeed; until then no cached record is valid.
      counters.bumpAll()
      report(error)
    }
  }
  let isStopped = false
  const publishing = setInterval(() => void publishDue(), publishMs)
  async function publishDue(): Promise<void> {
    if (!(await writer.hasDue())) return
    queue.push({ kind: 'publish due', author: scheduler }, (outcome) => {
      health.note(outcome)
      // One command publishes a part of many; the others are due as well.
      if (outcome.is === 'batch') void publishDue()
    })
  }
  let indexing = setTimeout(() => void indexMoments(), indexMs)
  let isIndexing = false
  async function indexMoments(): Promise<void> {
    const indexed = await writer.indexMoments()
    if (indexed === 'all' || indexed === 'some') isIndexing = true
    // Not after each part, which would clear the page caches each time.
    if (isIndexing && indexed !== 'some') {
      invalidatePages(writer, counters, true)
      isIndexing = false
    }
    if (!isStopped) indexing = setTimeout(() => void indexMoments(), indexed === 'some' ? indexPauseMs : indexMs)
  }
  const polling = isPolled ? setInterval(poll, pollMs) : undefined

  return {
    answer(ask, reply) {
      if (ask.is === 'used') return queue.useToken(ask.token)
      if (ask.is === 'used session') return queue.useSession(ask.session)
      queue.push(ask.command, (outcome) => {
        health.note(outcome)
        reply(outcome)
      })
    },
    async stop() {
      clearInterval(publishing)
      isStopped = true
      clearTimeout(indexing)
      await queue.drain()
      health.end()
      clearInterval(polling)
      await writer.close()
    },
  }
})
