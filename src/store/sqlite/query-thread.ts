import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { Failure } from '../store.ts'
import { createVersions } from '../versions.ts'
import { openForReading } from './connection.ts'
import { createList } from './list.ts'
import type { QueryAnswer, QueryAsk } from './messages.ts'
import { serveAsks } from './thread.ts'
import { createTurns } from './turns.ts'
import { createVocabulary } from './vocabulary.ts'

/** Lists and searches may take all the time that single records leave over, and no more. */
const niceness = 10

serveAsks<QueryAsk, QueryAnswer>(({ path, versions: buffer }, _report, sendReplies) => {
  yieldToOthers()
  const versions = createVersions(buffer)
  const db = openForReading(path)
  const list = createList({ db, changesCounter: versions.loadChanges })
  const vocabulary = createVocabulary(db, versions.loadChanges)
  const turns = createTurns()
  return {
    answer(ask, reply, report) {
      turns.add(() => {
        try {
          reply(ask.is === 'list' ? list(ask.query) : vocabulary(ask.query))
        } catch (error) {
          report(error)
          reply('bug' satisfies Failure)
        }
        // Pages are large: several at once would keep an HTTP thread from its readers.
        sendReplies()
      })
    },
    async stop() {
      turns.finish()
      db.close()
    },
  }
})

/** On Linux a thread has a priority of its own, under its own number. */
function yieldToOthers(): void {
  if (process.platform !== 'linux') return
  const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  setPriority(thread, niceness)
}
