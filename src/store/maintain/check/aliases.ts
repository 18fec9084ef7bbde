import type { Database } from '../../database.ts'
import { listWrongAliases } from '../../derive/aliases.ts'
import type { Finding } from './finding.ts'

/** Checks that old addresses lead to the records whose extras have them. */
export async function* checkAliases(db: Database): AsyncGenerator<Finding> {
  for await (const { id } of listWrongAliases(db)) yield { id, what: 'its alias is not that of its extras' }
}
