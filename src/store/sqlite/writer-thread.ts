import { createVersions } from '../versions.ts'
import { openForWriting } from './connection.ts'
import type { WriterAnswer, WriterAsk } from './messages.ts'
import { serveAsks } from './thread.ts'
import { createWriter } from './writer.ts'
import { createWriterQueue } from './writer-queue.ts'

/** Half of what is promised: changes of other processes are seen within 200 ms. */
const pollMs = 80
/** Short, because the thread stands still meanwhile; the queue tries again. */
const busyTimeoutMs = 20

serveAsks<WriterAsk, WriterAnswer>(({ path, versions: buffer }, report, sendReplies) => {
  const versions = createVersions(buffer)
  const writer = createWriter({ db: openForWriting(path, busyTimeoutMs), now: Date.now, onError: report })
  const queue = createWriterQueue(writer, versions, Date.now)
  queue.onGroup = sendReplies
  // A writer before this one may have died between its commit and its bump.
  versions.bumpAll()
  const poll = setInterval(() => {
    if (writer.hasForeignChange()) versions.bumpAll()
  }, pollMs)
  return {
    answer(ask, reply) {
      if (ask.is === 'used') queue.useToken(ask.token)
      else queue.push(ask.command, reply)
    },
    async stop() {
      await queue.drain()
      clearInterval(poll)
      writer.close()
    },
  }
})
