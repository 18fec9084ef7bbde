import { CommandFailure, exitCodes } from '../command-failure.ts'
import { createPrimaryBuffer } from './counters.ts'
import { closeWhenDone, type Database } from './database.ts'
import type { Engine, Inspected, Purpose } from './engine.ts'
import { explainFailure } from './explain-failure.ts'
import { isPostgresAddress, withoutPassword } from './postgres/address.ts'
import { createSqliteEngine } from './sqlite/engine.ts'

/**
 * Chooses between a file and PostgreSQL. Does not touch the store yet. `primary` is for a server, whose threads share
 * the primary that its start has found.
 */
export async function openEngine(address: string, primary = createPrimaryBuffer()): Promise<Engine> {
  if (!isPostgresAddress(address)) return createSqliteEngine(address)
  // The client is loaded only where it is used.
  const { createPostgresEngine } = await import('./postgres/engine.ts')
  return createPostgresEngine(address, primary)
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

/** Only `serve` and `upgrade` upgrade a store to the schema of this program (decision 66). */
export function refuseOldSchema({ shown, path, schema: needed }: Engine, { schema }: Inspected): void {
  if (schema >= needed) return
  const upgrade = `rostrum upgrade --db ${withoutPassword(path)}`
  const problem = `${shown} has schema ${schema}, and this program needs ${needed}. Nothing was changed.`
  throw new CommandFailure(exitCodes.oldSchema, `${problem} Stop its servers, then run: ${upgrade}`)
}

/** Opens the store for one command, or creates it; works while the server is running. */
export async function withStore<T>(
  engine: Engine,
  { mayCreate = false, purpose = 'write' }: StoreUse,
  use: (db: Database) => Promise<T>,
): Promise<T> {
  const inspected = await (mayCreate ? engine.inspect() : findStore(engine))
  if (!inspected.isNew) refuseOldSchema(engine, inspected)
  return explainFailure(engine.explain, async () => {
    if (inspected.isNew) await engine.create()
    return await withDatabase(engine, purpose, use)
  })
}

/** Opens the store as it is, and closes it again. */
export async function withDatabase<T>(engine: Engine, purpose: Purpose, use: (db: Database) => Promise<T>): Promise<T> {
  return explainFailure(engine.explain, async () => {
    return await closeWhenDone(engine.open(purpose), use)
  })
}
