import { CommandFailure, exitCodes } from '../command-failure.ts'

/** The file system's and SQLite's errors are told by code, with what to do. `doing`: what cannot be done then. */
export function attempt<T>(doing: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const reason = reasons.find(([pattern]) => pattern.test(code))?.[1]
    if (error instanceof CommandFailure || reason === undefined) throw error
    throw new CommandFailure(exitCodes.cannotCreate, `Cannot ${doing}: ${reason}`)
  }
}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^(ENOSPC|EDQUOT|SQLITE_FULL)$/, 'the disk is full. Make room, then try again.'],
  [/^SQLITE_BUSY/, 'another process holds it. Try again when that has ended.'],
  [/^ENOENT$/, 'its folder does not exist. Create it, or name another place.'],
  [/^ENOTDIR$/, 'a part of the path is not a folder. Name another one.'],
  [/^EISDIR$/, 'it is a folder. Name a file.'],
  [
    /^(EACCES|EPERM|EROFS|SQLITE_CANTOPEN|SQLITE_READONLY|SQLITE_PERM)/,
    'its folder or the file cannot be written to. Give this user the right to, or name another one.',
  ],
  [/^(EIO|SQLITE_IOERR)/, 'the disk reports an error, or is full. Look at the disk, then try again.'],
]
