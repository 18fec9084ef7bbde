import { statSync } from 'node:fs'
import { createHealth } from '../thread/health.ts'
import type { WriterAnswer, WriterAsk } from '../thread/messages.ts'
import { outcomes } from '../thread/packets.ts'
import { serveAsks } from '../thread/thread.ts'
import { createWriterQueue, publishChanges } from '../thread/writer-queue.ts'
import { yieldToReaders } from '../thread/yielding.ts'
import { createVersions } from '../versions.ts'
import { canWrite } from './can-write.ts'
import { openForWriting } from './connection.ts'
import { createWriter } from './writer.ts'

/** Half of what is promised: changes of other processes are seen within 200 ms. */
const pollMs = 80
/** Short, because the thread stands still meanwhile; the queue tries again. */
const busyTimeoutMs = 20
/** Whoever waits for a group waits for no longer than this, whatever it consists of. */
const maxGroupMs = 50

serveAsks<WriterAsk, WriterAnswer>(outcomes, ({ path, versions: buffer }, report, sendReplies) => {
  yieldToReaders()
  const versions = createVersions(buffer)
  const db = openForWriting(path, busyTimeoutMs)
  const writer = createWriter({ db, now: Date.now, onError: report, maxGroupMs })
  const queue = createWriterQueue(writer, versions, () => performance.now())
  queue.onGroup = sendReplies
  // A writer before this one may have died between its commit and its bump.
  versions.bumpAll()
  versions.publish(writer.lastSeq())
  const isThere = createFileWatch(path)
  let isGone = false
  const health = createHealth(versions, () => !isGone && canWrite(db))
  const poll = setInterval(() => {
    if (!isGone && !isThere()) {
      isGone = true
      health.fail()
      report(new Error(`${path} was removed or replaced; nothing is written any more until it is served anew`))
    }
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
      // What is written to a file without a name is lost with us.
      else if (isGone) reply({ is: 'failed', failure: 'down' })
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

/** Whether the path still leads to the file that was there at the start. */
function createFileWatch(path: string): () => boolean {
  const first = statSync(path).ino
  return () => statSync(path, { throwIfNoEntry: false })?.ino === first
}
