import { CommandFailure, exitCodes } from '../command-failure.ts'
import { createStoreId } from '../store/maintain/new-store-id.ts'
import { withStore } from '../store/open.ts'
import { isPostgresAddress } from '../store/postgres/address.ts'
import * as postgres from '../store/postgres/store-id.ts'
import * as sqlite from '../store/sqlite/store-id.ts'
import { toStorePath } from './store-path.ts'
import { print, printError } from './terminal/output.ts'

/** `store new-id`: whoever follows the changes is told to begin again; works on a store that is being served. */
export function manageStore(words: readonly string[], flags: ReadonlyMap<string, string>): void {
  const [action, ...rest] = words
  if (action !== 'new-id' || rest.length > 0) {
    throw new CommandFailure(exitCodes.usage, 'Use "store new-id". See: rostrum store --help')
  }
  const path = toStorePath(flags)
  const { writeStoreId } = isPostgresAddress(path) ? postgres : sqlite
  const id = createStoreId()
  withStore(path, false, (db) => writeStoreId(db, id))
  print(`${id}\n`)
  printError('The store has a new id. Clients that follow the change feed will be told to start over.\n')
}
