import type { Database } from 'bun:sqlite'
import { type Finding, type OnStep, toFindings } from './finding.ts'
import { checkLeftovers, checkLog } from './leftovers.ts'
import { checkNames } from './names.ts'
import { checkForeignKeys, checkMigrations, checkPages, checkSchema } from './pages.ts'
import { checkRecords } from './records.ts'
import { checkVersions } from './versions.ts'

export interface CheckListener {
  onStage(text: string): void
  readonly onStep: OnStep
}

/** Everything that can be wrong with a store, as it is at one moment; it may be served meanwhile. */
export function* checkWhole(db: Database, { onStage, onStep }: CheckListener): Generator<Finding> {
  db.run('BEGIN')
  try {
    onStage('Checking the file')
    yield* toFindings(() => checkPages(db))
    const [old] = checkMigrations(db)
    if (old !== undefined) return yield old
    yield* toFindings(() => checkSchema(db))
    onStage('Checking every version')
    yield* toFindings(() => checkVersions(db, onStep))
    onStage('Checking every record, and what lists and searches know of it')
    yield* toFindings(() => checkRecords(db, onStep))
    onStage('Checking the rest')
    for (const check of [checkForeignKeys, checkLeftovers, checkLog]) yield* toFindings(() => check(db))
    for (const table of ['speaker', 'tag'] as const) yield* toFindings(() => checkNames(db, table))
  } finally {
    db.run('ROLLBACK')
  }
}
