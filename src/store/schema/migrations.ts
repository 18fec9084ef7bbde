import type { Database } from '../database.ts'
import { sql as records } from './0001-records.ts'
import { sql as listing } from './0002-listing.ts'
import { sql as history } from './0003-history.ts'
import { sql as archive } from './0004-archive.ts'
import { sql as erasures } from './0005-erasures.ts'
import { sql as imports } from './0006-imports.ts'
import { sql as origins } from './0007-origins.ts'
import { sql as categories } from './0008-categories.ts'
import { sql as storeId } from './0009-store-id.ts'
import { sql as batches } from './0010-batches.ts'
import type * as Origins from './upgrade/origins.ts'

/** In order. The schema number of a store is the number of migrations applied. Append only; never edit a released one. */
export const migrations: readonly string[] = [
  records,
  listing,
  history,
  archive,
  erasures,
  imports,
  origins,
  categories,
  storeId,
  batches,
]

/** Upgrade steps that SQL alone cannot do. Each runs after its migration, in the same transaction. */
export const upgrades: ReadonlyMap<string, (db: Database) => Promise<void>> = new Map([[origins, upgradeOrigins]])

/** Loaded on demand, because few starts need it. */
function upgradeOrigins(db: Database): Promise<void> {
  const upgrade = require('./upgrade/origins.ts') as typeof Origins // its own types, which `require` cannot carry
  return upgrade.upgradeOrigins(db)
}
