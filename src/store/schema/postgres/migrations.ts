import type { Database } from '../../database.ts'
import type * as Origins from '../upgrade/origins.ts'
import { sql as store } from './0001-store.ts'
import { sql as origins } from './0002-origins.ts'
import { sql as categories } from './0003-categories.ts'
import { sql as storeId } from './0004-store-id.ts'
import { sql as batches } from './0005-batches.ts'

/** In order. The schema number of a store is the number of migrations applied. Append only; never edit a released one. */
export const migrations: readonly string[] = [store, origins, categories, storeId, batches]

/** Upgrade steps that SQL alone cannot do. Each runs after its migration, in the same transaction. */
export const upgrades: ReadonlyMap<string, (db: Database) => Promise<void>> = new Map([[origins, upgradeOrigins]])

/** Loaded on demand, because few starts need it. */
function upgradeOrigins(db: Database): Promise<void> {
  const upgrade = require('../upgrade/origins.ts') as typeof Origins // its own types, which `require` cannot carry
  return upgrade.upgradeOrigins(db)
}
