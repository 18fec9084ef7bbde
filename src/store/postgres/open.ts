import { CommandFailure, exitCodes } from '../../command-failure.ts'
import type { CheckedStore } from '../checked-store.ts'
import type { Database } from '../database.ts'
import { closeAfter } from '../sqlite/connection.ts'
import { parseAddress, withoutPassword } from './address.ts'
import { openPostgres } from './connection.ts'
import { PostgresFailure } from './failure.ts'
import { inspectPostgres, migratePostgres } from './migrate.ts'

export { openPostgres }

/** Judges a database first; nothing is made before `preparePostgres`. */
export function checkPostgres(address: string): CheckedStore {
  const shown = withoutPassword(address)
  const parsed = parseAddress(address)
  if (typeof parsed === 'string') throw new CommandFailure(exitCodes.config, `${shown} is no address. ${parsed}`)
  const found = withPostgres(address, inspectPostgres)
  if (found.is === 'refused') {
    throw new CommandFailure(exitCodes.badData, `${shown} cannot be used: ${found.problem}`)
  }
  return { path: address, shown, isNew: found.is === 'new' }
}

/** Brings its schema up to date; nodes that start together wait for one another. */
export function preparePostgres(address: string): void {
  const problem = withPostgres(address, migratePostgres)
  if (problem !== null) {
    throw new CommandFailure(exitCodes.badData, `${withoutPassword(address)} cannot be used: ${problem}`)
  }
}

function withPostgres<T>(address: string, use: (db: Database) => T): T {
  return attemptPostgres(address, () => closeAfter(openPostgres(address), use))
}

/** What the server says is told with what to do. */
export function attemptPostgres<T>(address: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    if (!(error instanceof PostgresFailure)) throw error
    const { code, advice } = toAdvice(error)
    throw new CommandFailure(code, `Cannot use ${withoutPassword(address)}: ${error.message}. ${advice}`)
  }
}

function toAdvice({ code, isLost }: PostgresFailure): { readonly code: number; readonly advice: string } {
  if (/^POSTGRES_28/.test(code)) {
    return { code: exitCodes.config, advice: 'Look at the user, and at the password in PGPASSWORD or ROSTRUM_DB.' }
  }
  if (code === 'POSTGRES_NO_WARNINGS') {
    return {
      code: exitCodes.config,
      advice: 'Whether a replica has a commit is told by warnings; connect without what drops them.',
    }
  }
  if (code === 'POSTGRES_3D000') return { code: exitCodes.noInput, advice: 'Make an empty one, with createdb.' }
  return isLost
    ? { code: exitCodes.unavailable, advice: 'Is PostgreSQL running there, and may this machine connect?' }
    : { code: exitCodes.cannotCreate, advice: 'Look at its log, or ask whoever runs it.' }
}
