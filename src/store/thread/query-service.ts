import type { ListQuery } from '../../record/query.ts'
import type { CategoryReader } from '../sql/category-reader.ts'
import type { Log } from '../sql/log.ts'
import type { Failure, ListPage, VocabularyQuery, VocabularyRows } from '../store.ts'
import { toEventsPage } from './events-page.ts'
import { toListText } from './list-text.ts'
import type { QueryAnswer, QueryAsk } from './messages.ts'
import type { Service } from './thread.ts'
import { createTurns } from './turns.ts'
import { toCategoryText, toVocabularyPage } from './vocabulary-page.ts'

export interface QueryNeeds {
  list(query: ListQuery): ListPage
  vocabulary(query: VocabularyQuery): VocabularyRows
  readonly categories: CategoryReader
  readonly log: Log
  /** What an error means to whoever asked. */
  toFailure(error: unknown): Failure
  close(): void
}

/** Lists and searches, one after the other. */
export function createQueryService(needs: QueryNeeds, sendReplies: () => void): Service<QueryAsk, QueryAnswer> {
  const { list, vocabulary, categories, log } = needs
  const turns = createTurns()

  function toAnswer(ask: QueryAsk): QueryAnswer {
    switch (ask.is) {
      case 'list':
        return toListText(ask.request, list)
      case 'vocabulary':
        return toVocabularyPage(vocabulary(ask.query), ask.query.recordsAt)
      case 'category':
        return toCategoryText(categories.find(ask.query), ask.query.recordsAt)
      case 'category history':
        return categories.readHistory(ask.query)
      case 'category version':
        return categories.readVersion(ask.slug, ask.number)
      case 'history':
        return log.readHistory(ask.query)
      case 'batches':
        return log.readBatches(ask.query)
      case 'changes':
        return log.readChanges(ask.query)
      case 'events':
        return toEventsPage(log.readChanges(ask.query))
    }
  }

  return {
    answer(ask, reply, report) {
      turns.add(() => {
        try {
          reply(toAnswer(ask))
        } catch (error) {
          report(error)
          reply(needs.toFailure(error))
        }
        // Pages are large: several at once would keep an HTTP thread from its readers.
        sendReplies()
      })
    },
    async stop() {
      turns.finish()
      needs.close()
    },
  }
}
