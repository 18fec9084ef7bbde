import { CommandFailure, exitCodes } from '../command-failure.ts'
import { readDb, readEnvironment } from '../config.ts'

/** Which store a command is about: --db, else the environment, else the usual place. */
export function toStorePath(flags: ReadonlyMap<string, string>): string {
  const db = readDb(flags, readEnvironment())
  if (typeof db !== 'string') throw new CommandFailure(exitCodes.config, db.expected)
  return db
}
