import type { Database } from '../database.ts'
import { rebuildAliases } from '../derive/aliases.ts'
import { store } from './postgres-0001.ts'
import * as postgres from './postgres-0002-to-0005.ts'
import * as postgresSite from './postgres-0006-to-0007.ts'
import { history, listing, records } from './sqlite-0001-to-0003.ts'
import * as sqlite from './sqlite-0004-to-0010.ts'
import * as sqliteSite from './sqlite-0011-to-0012.ts'
import type * as Origins from './upgrade-origins.ts'

/**
 * In order. The schema number of a store is the number of migrations applied. Append only; never edit a released one.
 */
export const sqliteMigrations: readonly string[] = [
  records,
  listing,
  history,
  sqlite.archive,
  sqlite.erasures,
  sqlite.imports,
  sqlite.origins,
  sqlite.categories,
  sqlite.storeId,
  sqlite.batches,
  sqliteSite.live,
  sqliteSite.aliases,
]

/** Likewise. */
export const postgresMigrations: readonly string[] = [
  store,
  postgres.origins,
  postgres.categories,
  postgres.storeId,
  postgres.batches,
  postgresSite.live,
  postgresSite.aliases,
]

/** Upgrade steps that SQL alone cannot do. Each runs after its migration, in the same transaction. */
export const upgrades: ReadonlyMap<string, (db: Database) => Promise<void>> = new Map([
  [sqlite.origins, upgradeOrigins],
  [postgres.origins, upgradeOrigins],
  [sqliteSite.aliases, rebuildAliases],
  [postgresSite.aliases, rebuildAliases],
])

/** Loaded on demand, because few starts need it. */
function upgradeOrigins(db: Database): Promise<void> {
  const upgrade = require('./upgrade-origins.ts') as typeof Origins // its own types, which `require` cannot carry
  return upgrade.upgradeOrigins(db)
}
