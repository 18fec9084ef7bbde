import type { Database } from 'bun:sqlite'
import type { Counters } from '../counters.ts'

export interface SharedReadTransaction {
  /** Before each read. */
  begin(): void
  /** Before the connection is closed. */
  end(): void
}

/**
 * Reads of one turn of the event loop share a transaction: beginning and ending one of its own is two fifths of what
 * reading a record costs. It goes on only while nothing has been committed, so whoever has seen a record's counter move
 * sees its change; and it ends with the turn. For times in which nobody writes: where all threads are busy, one of them
 * has a transaction open nearly always, and the log is never written back.
 */
export function createSharedReadTransaction(
  db: Database,
  versions: Pick<Counters, 'loadCommits'>,
): SharedReadTransaction {
  const beginning = db.query('BEGIN')
  const ending = db.query('COMMIT')
  let isOpen = false
  let isEndDue = false
  let commits = 0

  function begin(): void {
    const now = versions.loadCommits()
    if (isOpen && now === commits) return
    end()
    beginning.run()
    isOpen = true
    // Loaded before the first read, from which on a transaction sees nothing new.
    commits = now
    if (isEndDue) return
    isEndDue = true
    setImmediate(endTurn)
  }

  function endTurn(): void {
    isEndDue = false
    end()
  }

  function end(): void {
    if (!isOpen) return
    isOpen = false
    // Not there any more where a read has failed so badly that SQLite gave it up.
    if (db.inTransaction) ending.run()
  }

  return { begin, end }
}
