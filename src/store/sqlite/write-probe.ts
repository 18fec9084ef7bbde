import type { Database } from 'bun:sqlite'

/** Whether the file takes a write: one page, which stays what it is, in a transaction like any other. */
export function canWrite(db: Database): boolean {
  try {
    const version = db.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
    db.transaction(() => db.run(`PRAGMA user_version = ${version}`)).immediate()
    return true
  } catch {
    // That is the answer. SQLite has given up the transaction, or `transaction` has rolled it back.
    return false
  }
}
