import { postgresSchema } from './postgres.ts'
import { sqliteSchema } from './sqlite.ts'

/**
 * In order: the first creates the tables of a new store, each other changes those of the one before. The schema number
 * of a store is the number of migrations applied. Append only; never edit a released one.
 */
export const sqliteMigrations: readonly string[] = [sqliteSchema]

/** Likewise. */
export const postgresMigrations: readonly string[] = [postgresSchema]
