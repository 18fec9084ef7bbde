import { createCounters } from '../store/counters.ts'
import { openPostgres } from '../store/postgres/connection.ts'
import { canWrite } from '../store/postgres/write-probe.ts'
import { createWriter } from '../store/postgres/writer.ts'
import type { WriterReply, WriterRequest } from './port/messages.ts'
import { serveRequests } from './port/serve-requests.ts'
import { nodesBatches } from './writer/batch-jobs.ts'
import { createHealth } from './writer/health.ts'
import { createWriterQueue } from './writer/writer-queue.ts'

/** Whoever waits for a group waits for no longer than this, whatever it consists of; other nodes wait for it too. */
const maxGroupMs = 50
/**
 * No statement of a group takes long; a connection that says nothing for so long is given up. With the second that the
 * next group waits for the lock, nobody waits for much longer than five.
 */
const answerTimeoutMs = 4_000

serveRequests<WriterRequest, WriterReply>(({ path: address, versions: buffer, primary }, report, sendReplies) => {
  const versions = createCounters(buffer)
  const db = openPostgres(address, answerTimeoutMs, { primary, versions: buffer })
  const writer = createWriter({ db, now: Date.now, onError: report, maxGroupMs, versions })
  const queue = createWriterQueue(writer, versions, () => performance.now(), nodesBatches)
  queue.onGroup = sendReplies
  const health = createHealth(versions, () => canWrite(db))
  // So much is told of from the start, whenever we begin to hear of more; a writer before this one may have died too.
  versions.bumpAll()
  try {
    versions.publish(writer.lastSeq())
  } catch (error) {
    // PostgreSQL is away just now; what there is will be known when it is heard of.
    report(error)
  }
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
      writer.close()
    },
  }
})
