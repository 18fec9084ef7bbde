import type { Database } from '../../sql/database.ts'
import { upgradeOrigins } from '../upgrade/origins.ts'
import { sql as store } from './0001-store.ts'
import { sql as origins } from './0002-origins.ts'
import { sql as categories } from './0003-categories.ts'
import { sql as storeId } from './0004-store-id.ts'

/** In order; a store's schema number is how many of them it has seen. Never edited once released, only added to. */
export const migrations: readonly string[] = [store, origins, categories, storeId]

/** What SQL alone cannot do, after a migration and in the same transaction. */
export const upgrades: ReadonlyMap<string, (db: Database) => void> = new Map([[origins, upgradeOrigins]])
