import { type Counters, createCounters } from '../store/counters.ts'
import { openForWriting } from '../store/sqlite/connection.ts'
import { createFileWatch, type FileWatch } from '../store/sqlite/file-watch.ts'
import { refuseWhenLost } from '../store/sqlite/refuse-when-lost.ts'
import { canWrite } from '../store/sqlite/write-probe.ts'
import { createWriter } from '../store/sqlite/writer.ts'
import { lowerPriority } from './fast/thread-priority.ts'
import type { WriterReply, WriterRequest } from './port/messages.ts'
import { serveRequests } from './port/serve-requests.ts'
import { createHealth } from './writer/health.ts'
import { publishChanges } from './writer/publish-changes.ts'
import { createWriterQueue } from './writer/writer-queue.ts'

/** Half of what is promised: changes of other processes are seen within 200 ms. */
const pollMs = 80
/** Short, because the thread stands still meanwhile; the queue tries again. */
const busyTimeoutMs = 20
/** Whoever waits for a group waits for no longer than this, whatever it consists of. */
const maxGroupMs = 50

serveRequests<WriterRequest, WriterReply>(({ path, versions: buffer }, report, sendReplies) => {
  lowerPriority()
  const versions = createCounters(buffer)
  const db = openForWriting(path, busyTimeoutMs)
  const findLoss = createLossCheck(createFileWatch(path), versions, report)
  const writer = refuseWhenLost(createWriter({ db, now: Date.now, onError: report, maxGroupMs }), findLoss)
  const queue = createWriterQueue(writer, versions, () => performance.now())
  queue.onGroup = sendReplies
  // A writer before this one may have died between its commit and its bump.
  versions.bumpAll()
  versions.publish(writer.lastSeq())
  const health = createHealth(versions, () => !findLoss() && canWrite(db))
  const poll = setInterval(() => {
    if (findLoss()) health.fail()
    try {
      publishChanges(writer, versions)
    } catch (error) {
      // The next poll may succeed; until then nothing cached is trusted.
      versions.bumpAll()
      report(error)
    }
  }, pollMs)
  return {
    answer(ask, reply) {
      if (ask.is === 'used') queue.useToken(ask.token)
      else
        queue.push(ask.command, (outcome) => {
          health.note(outcome)
          reply(outcome)
        })
    },
    async stop() {
      await queue.drain()
      health.end()
      clearInterval(poll)
      writer.close()
    },
  }
})

/** Whether the file is lost, which is told once, and stays so: what went missing meanwhile does not come back. */
function createLossCheck(watch: FileWatch, versions: Counters, report: (error: unknown) => void): () => boolean {
  let isLost = false
  return () => {
    const loss = isLost ? null : watch()
    if (loss === null) return isLost
    isLost = true
    if (!loss.isReadable) versions.setUnreadable()
    report(new Error(`${loss.text}; nothing is written any more until it is served anew`))
    return true
  }
}
