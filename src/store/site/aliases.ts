import type { Database } from '../database.ts'
import { toAliasPath } from '../derive/aliases.ts'
import type { PageAddress } from '../site-reads.ts'
import type { SlowReads } from '../store.ts'

/** Finds live records by addresses that they had elsewhere. */
export function createAliasFinder(db: Database): SlowReads['findAlias'] {
  const find = db.query<PageAddress, [string]>(
    `SELECT id, slug FROM extras JOIN record ON id = record_id WHERE alias = ? AND state = 1 ORDER BY record_id LIMIT 1`,
  )
  return async (path) => {
    const alias = toAliasPath(path)
    return alias === null ? null : find.get(alias)
  }
}
