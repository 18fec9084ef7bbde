import type { Database } from '../database.ts'
import { isBusy } from './failure.ts'

/** Whether a primary lets us begin to write. Where another node is writing just now, it would. */
export async function canWrite(db: Database): Promise<boolean> {
  // A commit would wait for the replicas, even with nothing in it.
  const undone = new Error('nothing was to be written')
  try {
    return await db.transaction('write', () => Promise.reject(undone))
  } catch (error) {
    return error === undone || isBusy(error)
  }
}
