import type { Database } from 'bun:sqlite'
import { checkCategories } from '../../maintain/check/categories.ts'
import { checkNames } from '../../maintain/check/derived.ts'
import { type CheckListener, type Finding, toFindings } from '../../maintain/check/finding.ts'
import { checkLeftovers, checkLog, checkStoreId } from '../../maintain/check/leftovers.ts'
import { checkRecords } from '../../maintain/check/records.ts'
import { checkVersions } from '../../maintain/check/versions.ts'
import { createSqliteDatabase } from '../database.ts'
import { checkForeignKeys, checkMigrations, checkPages, checkSchema } from './pages.ts'
import { checkPieces } from './pieces.ts'
import { createWordCheck } from './words.ts'

/** Everything that can be wrong with a store, as it is at one moment; it may be served meanwhile. */
export async function* checkWhole(raw: Database, { onStage, onStep }: CheckListener): AsyncGenerator<Finding> {
  const db = createSqliteDatabase(raw)
  raw.run('BEGIN')
  try {
    onStage('Checking the file')
    yield* toFindings(() => checkPages(raw))
    const [old] = checkMigrations(raw)
    if (old !== undefined) return yield old
    yield* toFindings(() => checkSchema(raw))
    onStage('Checking every version')
    yield* toFindings(() => checkVersions(db, onStep))
    onStage('Checking every record, and what lists and searches know of it')
    yield* toFindings(() => checkRecords(db, createWordCheck(raw), onStep))
    onStage('Checking the rest')
    yield* toFindings(() => checkForeignKeys(raw))
    for (const check of [checkLeftovers, checkLog, checkCategories, checkStoreId]) yield* toFindings(() => check(db))
    for (const table of ['speaker', 'tag'] as const) {
      yield* toFindings(() => checkNames(db, table, `SELECT id FROM ${table}_piece_docsize`))
      yield* toFindings(() => checkPieces(raw, table))
    }
  } finally {
    raw.run('ROLLBACK')
  }
}
