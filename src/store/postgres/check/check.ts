import { checkCategories } from '../../maintain/check/categories.ts'
import { checkNames } from '../../maintain/check/derived.ts'
import type { CheckListener, Finding } from '../../maintain/check/finding.ts'
import { checkLeftovers, checkLog, checkStoreId } from '../../maintain/check/leftovers.ts'
import { checkRecords } from '../../maintain/check/records.ts'
import { checkVersions } from '../../maintain/check/versions.ts'
import { postgresMigrations } from '../../schema/migrations.ts'
import type { PostgresDatabase } from '../connection.ts'
import { checkSchema } from './schema.ts'
import { createWordCheck } from './words.ts'

/** Everything that can be wrong with a store, as it is at one moment; it may be served meanwhile. The server looks after its pages itself. */
export async function* checkWhole(db: PostgresDatabase, { onStage, onStep }: CheckListener): AsyncGenerator<Finding> {
  await db.begin('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY')
  try {
    onStage('Checking the tables')
    const schema = (await db.query<{ schema: number }, []>('SELECT schema FROM store').get())?.schema ?? 0
    if (schema !== postgresMigrations.length) return yield { id: null, what: toOldText(schema) }
    yield* checkSchema(db)
    onStage('Checking every version')
    yield* checkVersions(db, onStep)
    onStage('Checking every record, and what lists and searches know of it')
    yield* checkRecords(db, createWordCheck(db), onStep)
    onStage('Checking the rest')
    for (const check of [checkLeftovers, checkLog, checkCategories, checkStoreId]) yield* check(db)
    for (const table of ['speaker', 'tag'] as const) yield* checkNames(db, table, toIndexedSql(table))
  } finally {
    if (db.isInTransaction) await db.rollback()
  }
}

const toOldText = (schema: number) =>
  `its schema is number ${schema}; serving it once, or --rebuild, brings it to ${postgresMigrations.length}`

/** Names whose pieces are those of their key. */
const toIndexedSql = (table: string) => `
  SELECT rowid AS id FROM ${table}_piece AS piece
  WHERE NOT EXISTS (SELECT 1 FROM ${table} AS named WHERE named.id = piece.rowid AND named.key <> piece.key)`
