import { sql as store } from './0001-store.ts'
import { sql as categories } from './0003-categories.ts'
import { sql as storeId } from './0004-store-id.ts'

/** In order; a store's schema number is how many of them it has seen. Never edited once released, only added to. */
export const migrations: readonly string[] = [store, categories, storeId]
