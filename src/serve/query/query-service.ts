import type { ListQuery } from '../../record/query/query.ts'
import type { CategoryReader } from '../../store/read/category.ts'
import type { ChangeLog } from '../../store/read/change-log.ts'
import { type Deadline, OutOfTime } from '../../store/read/deadline.ts'
import type { Failure, ListPage, VocabularyQuery, VocabularyRows } from '../../store/store.ts'
import type { QueryReply, QueryRequest } from '../port/messages.ts'
import type { Service } from '../port/serve-requests.ts'
import { createOnePerTick } from './one-per-tick.ts'

/** Nobody would wait for more: so many lists take longer than a list may. */
const maxWaiting = 1_000

export interface QueryNeeds {
  list(query: ListQuery): ListPage
  vocabulary(query: VocabularyQuery): VocabularyRows
  readonly categories: CategoryReader
  readonly log: ChangeLog
  /** Whether the store must not be read any more: a mapped file that was cut short would end the process. */
  isDown?(): boolean
  /** What an error means to whoever asked. */
  toFailure(error: unknown): Failure
  /** How long an answer may take, counted from when it was asked for. */
  readonly limitMs: number
  /** What `list` and the others look at between their steps. */
  readonly deadline: Deadline
  close(): void
}

/** Lists and searches, one after the other. What nobody waits for any more is not begun. */
export function createQueryService(needs: QueryNeeds, sendReplies: () => void): Service<QueryRequest, QueryReply> {
  const { list, vocabulary, categories, log, deadline } = needs
  const turns = createOnePerTick()
  let isStopping = false

  function toAnswer(ask: QueryRequest): QueryReply {
    switch (ask.is) {
      case 'list':
        return list(ask.query)
      case 'listVocabulary':
        return vocabulary(ask.query)
      case 'findCategory':
        return categories.find(ask.query)
      case 'listCategoryHistory':
        return categories.readHistory(ask.query)
      case 'readCategoryVersion':
        return categories.readVersion(ask.query)
      case 'listHistory':
        return log.readHistory(ask.query)
      case 'listBatches':
        return log.readBatches(ask.query)
      case 'listChanges':
        return log.readChanges(ask.query)
    }
  }

  function answerInTime(ask: QueryRequest, untilMs: number, report: (error: unknown) => void): QueryReply {
    deadline.set(untilMs)
    if (needs.isDown?.() === true) return 'down'
    try {
      deadline.check()
      return toAnswer(ask)
    } catch (error) {
      // Whoever asked is told; that a request took long is in the log of requests.
      if (error instanceof OutOfTime) return 'late'
      const failure = needs.toFailure(error)
      if (failure !== 'late') report(error)
      return failure
    }
  }

  return {
    answer(ask, reply, report, isWanted) {
      if (isStopping) return reply('down')
      if (turns.waitingCount() >= maxWaiting) return reply('busy')
      const untilMs = performance.now() + needs.limitMs
      turns.add(() => {
        if (!isWanted()) return
        reply(isStopping ? 'down' : answerInTime(ask, untilMs, report))
        // Pages are large: several at once would keep an HTTP thread from its readers.
        sendReplies()
      })
    },
    async stop() {
      isStopping = true
      // All are told that there is no answer, which takes no time.
      for (const work of turns.clear()) work()
      needs.close()
    },
  }
}
