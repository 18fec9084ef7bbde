import { createUsageFailure } from '../command-failure.ts'
import { readDb } from '../settings/config.ts'
import { createStoreId } from '../store/engine.ts'
import { openEngine, withStore } from '../store/open.ts'
import type { Flags } from './terminal/arguments.ts'
import { print, printError } from './terminal/output.ts'

/** `store new-id`: makes clients of the change feed start over. Works while the server is running. */
export async function manageStore(args: readonly string[], flags: Flags): Promise<void> {
  const [action, ...rest] = args
  if (action !== 'new-id' || rest.length > 0) throw createUsageFailure('store', 'Use "store new-id".')
  const engine = await openEngine(readDb(flags))
  const id = createStoreId()
  await withStore(engine, {}, (db) => engine.writeStoreId(db, id))
  print(`${id}\n`)
  printError(
    'The store has a new id. Clients that follow the change feed will start over, and curators sign in again.\n',
  )
}
