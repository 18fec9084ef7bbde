import { createInTurn } from '../../maybe-promise.ts'
import type { createReads } from '../../store/read/create-reads.ts'
import { OutOfTime } from '../../store/read/statements.ts'
import { createStoreReads, type Failure, type ReadStore } from '../../store/store.ts'

/** The reads of an engine, on a connection of this thread. */
export interface QueryReads extends ReturnType<typeof createReads> {
  /** Whether the store must not be read any more: its file was truncated or overwritten (decision 30). */
  isDown(): boolean
  /** What an error means to the caller. */
  toFailure(error: unknown): Failure
}

/** The store of a query thread: reads on its own connection, each with a deadline. */
export function createQueryStore(queries: QueryReads, report: (error: unknown) => void): ReadStore {
  const { reads, records } = queries
  const inTurn = createInTurn()
  return {
    ...createStoreReads((name) => async (query) => {
      try {
        if (queries.isDown()) return 'down'
        queries.deadline.check()
        return await inTurn<unknown>(() => reads[name](query))
      } catch (error) {
        return reportReadFailure(queries, error, report)
      }
    }),
    read: (id) => inTurn(() => records.read(id)),
    isErased: (id) => inTurn(() => records.isErased(id)),
    findVersionTag: (id, number) => inTurn(() => records.findVersionTag(id, number)),
    readVersion: (id, number) => inTurn(() => records.readVersion(id, number)),
    readExtras: (id) => inTurn(() => records.readExtras(id)),
  }
}

/** Unexpected failures are reported; a read that took too long is logged with its request. */
export function reportReadFailure(queries: QueryReads, error: unknown, report: (error: unknown) => void): Failure {
  const failure = error instanceof OutOfTime ? 'late' : queries.toFailure(error)
  if (failure !== 'late') report(error)
  return failure
}
