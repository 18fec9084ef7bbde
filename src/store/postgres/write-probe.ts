import type { Database } from '../database.ts'
import { begin } from './writer.ts'

/** Whether a primary lets us begin to write. Where another node is writing just now, it would. */
export function canWrite(db: Database): boolean {
  try {
    if (begin(db)) db.run('ROLLBACK')
    return true
  } catch {
    // That is the answer; a connection that was lost took its transaction along.
    return false
  }
}
