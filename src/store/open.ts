import { CommandFailure, exitCodes } from '../command-failure.ts'
import { closeWhenDone, type Database } from './database.ts'
import type { Engine, Inspected, Purpose } from './engine.ts'
import { explainFailure } from './explain-failure.ts'
import { isPostgresAddress } from './postgres/address.ts'
import { createSqliteEngine } from './sqlite/engine.ts'

/** Chooses between a file and PostgreSQL. Does not touch the store yet. */
export async function openEngine(address: string): Promise<Engine> {
  if (!isPostgresAddress(address)) return createSqliteEngine(address)
  // The client is loaded only where it is used.
  const { createPostgresEngine } = await import('./postgres/engine.ts')
  return createPostgresEngine(address)
}

/** Throws if there is no store yet. */
export async function findStore(engine: Engine): Promise<Inspected> {
  const inspected = await engine.inspect()
  if (!inspected.isNew) return inspected
  const problem = `There is no database at ${engine.shown}. Name the right one with --db.`
  throw new CommandFailure(exitCodes.noInput, problem)
}

export interface StoreUse {
  /** Whether a store that does not exist is created. */
  readonly mayCreate?: boolean
  readonly purpose?: Purpose
}

/** Prepares and opens the store for one command; works while the server is running. */
export async function withStore<T>(
  engine: Engine,
  { mayCreate = false, purpose = 'write' }: StoreUse,
  use: (db: Database) => Promise<T>,
): Promise<T> {
  const { isNew } = await (mayCreate ? engine.inspect() : findStore(engine))
  return explainFailure(engine.explain, async () => {
    await engine.prepare(isNew)
    return await withDatabase(engine, purpose, use)
  })
}

/** Opens the store as it is, and closes it again. */
export async function withDatabase<T>(engine: Engine, purpose: Purpose, use: (db: Database) => Promise<T>): Promise<T> {
  return explainFailure(engine.explain, async () => {
    return await closeWhenDone(engine.open(purpose), use)
  })
}
