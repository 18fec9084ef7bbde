import { createLog } from '../sql/log.ts'
import { createVocabulary } from '../sql/vocabulary.ts'
import type { Failure } from '../store.ts'
import type { QueryAnswer, QueryAsk } from '../thread/messages.ts'
import { serveAsks } from '../thread/thread.ts'
import { createTurns } from '../thread/turns.ts'
import { yieldToReaders } from '../thread/yielding.ts'
import { createVersions } from '../versions.ts'
import { openForReading } from './connection.ts'
import { createList } from './list.ts'

/** Lists and searches may take all the time that single records leave over, and no more. */
const niceness = 10

serveAsks<QueryAsk, QueryAnswer>(({ path, versions: buffer }, _report, sendReplies) => {
  yieldToReaders(niceness)
  const versions = createVersions(buffer)
  const db = openForReading(path)
  const list = createList({ db, changesCounter: versions.loadChanges })
  const vocabulary = createVocabulary(db, versions.loadChanges)
  const log = createLog(db, versions.loadPublished)
  const turns = createTurns()

  function toAnswer(ask: QueryAsk): QueryAnswer {
    switch (ask.is) {
      case 'list':
        return list(ask.query)
      case 'vocabulary':
        return vocabulary(ask.query)
      case 'history':
        return log.readHistory(ask.query)
      case 'batches':
        return log.readBatches(ask.query)
      case 'changes':
        return log.readChanges(ask.query)
    }
  }

  return {
    answer(ask, reply, report) {
      turns.add(() => {
        try {
          reply(toAnswer(ask))
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
