import { CommandFailure, exitCodes } from '../command-failure.ts'
import { isPostgresAddress, withoutPassword } from '../store/postgres/address.ts'

/** For commands that work on a file: what a PostgreSQL database has instead. */
export function refusePostgres(command: 'backup' | 'restore', db: string): void {
  if (!isPostgresAddress(db)) return
  const instead = { backup: 'pg_dump or pg_basebackup', restore: 'pg_restore' }[command]
  throw new CommandFailure(
    exitCodes.usage,
    `"${command}" is for files; ${withoutPassword(db)} is a PostgreSQL database. Use its own ${instead}; for a copy in a ` +
      'file of ours: rostrum migrate-store FROM TO, or rostrum export --format dump. See docs/operations.md',
  )
}
