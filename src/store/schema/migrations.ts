import type { Database } from '../database.ts'
import { rebuildAliases } from '../derive/aliases.ts'
import { store } from './postgres-0001.ts'
import * as postgres from './postgres-0002-to-0005.ts'
import * as postgresSite from './postgres-0006-to-0007.ts'
import * as postgresCuration from './postgres-0008.ts'
import * as postgresEdit from './postgres-0009.ts'
import { history, listing, records } from './sqlite-0001-to-0003.ts'
import * as sqlite from './sqlite-0004-to-0010.ts'
import * as sqliteSite from './sqlite-0011-to-0012.ts'
import * as sqliteCuration from './sqlite-0013.ts'
import * as sqliteEdit from './sqlite-0014.ts'
import type * as Origins from './upgrade-origins.ts'
import type * as Quality from './upgrade-quality.ts'

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
  sqliteCuration.curation,
  sqliteEdit.sessions,
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
  postgresCuration.curation,
  postgresEdit.sessions,
]

/** Upgrade steps that SQL alone cannot do. Each runs after its migration, in the same transaction. */
export const upgrades: ReadonlyMap<string, (db: Database) => Promise<void>> = new Map([
  [sqlite.origins, upgradeOrigins],
  [postgres.origins, upgradeOrigins],
  [sqliteSite.aliases, rebuildAliases],
  [postgresSite.aliases, rebuildAliases],
  [sqliteCuration.curation, upgradeQuality],
  [postgresCuration.curation, upgradeQuality],
])

/** Loaded on demand, because few starts need it. */
function upgradeOrigins(db: Database): Promise<void> {
  const upgrade = require('./upgrade-origins.ts') as typeof Origins // its own types, which `require` cannot carry
  return upgrade.upgradeOrigins(db)
}

function upgradeQuality(db: Database): Promise<void> {
  const upgrade = require('./upgrade-quality.ts') as typeof Quality // likewise
  return upgrade.upgradeQuality(db)
}
