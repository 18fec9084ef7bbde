import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import { CommandFailure, exitCodes } from '../command-failure.ts'
import { toErrorCode } from '../error-code.ts'

/** Translates an error into a message for the user of a command; null if only a bug explains it. */
export type Explain = (error: unknown) => CommandFailure | null

/** Runs an action; if it fails, throws the explanation of the error if there is one. */
export function explainFailure<T>(explain: Explain, action: () => T): T {
  const fail = (error: unknown): never => {
    throw error instanceof CommandFailure ? error : (explain(error) ?? error)
  }
  try {
    const result = action()
    // `fail` never returns, so the promise keeps its type.
    return result instanceof Promise ? (result.catch(fail) as T) : result
  } catch (error) {
    return fail(error)
  }
}

/**
 * Explains errors of the file system and of SQLite. `doing` says what failed: "write the report x.json"; `path` is the
 * file that SQLite uses.
 */
export function explainFile(doing: string, path?: string): Explain {
  return (error) => {
    const isReadOnly = path !== undefined && findWriteError(dirname(path)) === 'EROFS'
    const given = toErrorCode(error)
    const code = isReadOnly && /^SQLITE_(CANTOPEN|READONLY|IOERR)/.test(given) ? 'EROFS' : given
    const reason = reasons.find(([pattern]) => pattern.test(code))?.[1]
    return reason === undefined ? null : new CommandFailure(exitCodes.cannotCreate, `Cannot ${doing}: ${reason}`)
  }
}

export const canWriteTo = (folder: string) => findWriteError(folder) === null

/** Why nothing can be created in this folder; null if it can. */
function findWriteError(folder: string): string | null {
  try {
    accessSync(folder, constants.W_OK)
    return null
  } catch (error) {
    return toErrorCode(error)
  }
}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^(ENOSPC|EDQUOT|SQLITE_FULL)$/, 'the disk is full. Free some space, then try again.'],
  [/^SQLITE_BUSY/, 'another process has locked it. Try again when that process has finished.'],
  [/^ENOENT$/, 'its folder does not exist. Create the folder, or choose another path.'],
  [/^ENOTDIR$/, 'part of its path is not a folder. Choose another path.'],
  [/^ENAMETOOLONG$/, 'its name is too long: files beside it have the same name with a suffix. Choose a shorter name.'],
  [/^EISDIR$/, 'it is a folder. Name a file.'],
  [/^(EACCES|EPERM|SQLITE_PERM)/, 'permission denied. Give this user access to it, or choose another path.'],
  [
    /^EROFS$/,
    'its file system is read-only; the system may have made it so after a disk error. Check the disk, or choose another path.',
  ],
  [
    /^(SQLITE_CANTOPEN|SQLITE_READONLY)/,
    'it cannot be written. Check the permissions of the file and of its folder, or choose another path.',
  ],
  [/^(EIO|SQLITE_IOERR)/, 'the disk reports an error, or is full. Check the disk, then try again.'],
]
