import { readDb, readEnvironment } from '../config.ts'
import { CommandFailure, exitCodes } from './failure.ts'

/** Which store a command is about: --db, else the environment, else the usual place. */
export function toStorePath(flags: ReadonlyMap<string, string>): string {
  const db = readDb(flags, readEnvironment())
  if (typeof db !== 'string') throw new CommandFailure(exitCodes.config, db.expected)
  return db
}
