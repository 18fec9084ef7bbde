import type { ListQuery } from '../../record/query/query.ts'
import type { CategoryReader } from '../../store/read/category.ts'
import type { ChangeLog } from '../../store/read/change-log.ts'
import { type Deadline, OutOfTime } from '../../store/read/deadline.ts'
import type { Reader } from '../../store/read/item.ts'
import type { Failure, ListPage, VocabularyQuery, VocabularyRows } from '../../store/store.ts'
import type { QueryReply, QueryRequest } from '../port/messages.ts'
import type { Service } from '../port/serve-requests.ts'
import { createOnePerTick } from './one-per-tick.ts'

/** More would take longer than `--list-ms`. */
const maxWaiting = 1_000

/** The reads of an engine, synchronous. */
export interface QueryReads {
  list(query: ListQuery): ListPage
  vocabulary(query: VocabularyQuery): VocabularyRows
  readonly categories: CategoryReader
  readonly log: ChangeLog
  readonly records: Reader
  /** Whether the store must not be read any more: reading a mapped file that was cut short ends the process. */
  isDown(): boolean
  /** What an error means to the caller. */
  toFailure(error: unknown): Failure
  /** What `list` and the others look at between their steps. */
  readonly deadline: Deadline
  close(): void
}

/** Slow reads, one after the other; each may take `limitMs` from when it arrived. Withdrawn requests are not begun. */
export function createQueryService(
  reads: QueryReads,
  limitMs: number,
  sendReplies: () => void,
): Service<QueryRequest, QueryReply> {
  const { list, vocabulary, categories, log, deadline } = reads
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
    if (reads.isDown()) return 'down'
    try {
      deadline.check()
      return toAnswer(ask)
    } catch (error) {
      // The log of requests says that it was slow.
      if (error instanceof OutOfTime) return 'late'
      const failure = reads.toFailure(error)
      if (failure !== 'late') report(error)
      return failure
    }
  }

  return {
    answer(ask, reply, report, isWanted) {
      if (isStopping) return reply('down')
      if (turns.waitingCount() >= maxWaiting) return reply('busy')
      const untilMs = performance.now() + limitMs
      turns.add(() => {
        if (!isWanted()) return
        reply(isStopping ? 'down' : answerInTime(ask, untilMs, report))
        // One at a time: several large pages at once would block an HTTP thread.
        sendReplies()
      })
    },
    async stop() {
      isStopping = true
      // Answers each with 'down'.
      for (const work of turns.clear()) work()
      reads.close()
    },
  }
}
