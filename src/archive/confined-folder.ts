import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
} from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { toErrorCode } from '../error-code.ts'

/** A talk's file is a few kilobytes. */
const maxFileBytes = 16 * 1024 * 1024

/** A link is opened only after its target is checked, and opening a pipe without a writer does not block. */
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Why something was not read. */
type Unread = { readonly reason: string }

/** The files in a folder. Links that lead out of it are not followed, since archives are untrusted. */
export interface ConfinedFolder {
  /** Names in the folder at a path; none if the folder does not exist. */
  list(path: string): readonly string[] | Unread
  /** The bytes of a file; null if there is none. */
  read(path: string): Buffer | Unread | null
  has(path: string): boolean
}

const leadsOut: Unread = { reason: 'A link that leads out of the folder is not followed.' }

export function openConfinedFolder(folder: string): ConfinedFolder {
  const root = realpathSync(folder)
  const isInside = (real: string) => real === root || real.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)

  /** By folder, so that each is checked once. */
  const known = new Map<string, boolean>()

  function isFolderInside(folder: string): boolean {
    const isGood = known.get(folder) ?? isInside(realpathSync(join(root, folder)))
    known.set(folder, isGood)
    return isGood
  }

  function open(path: string): number | Unread {
    if (!isFolderInside(dirname(path))) return leadsOut
    try {
      return openSync(join(root, path), openFlags)
    } catch (error) {
      if (toErrorCode(error) !== 'ELOOP') throw error
      const real = realpathSync(join(root, path))
      return isInside(real) ? openSync(real, openFlags) : leadsOut
    }
  }

  return {
    list(path) {
      try {
        const real = realpathSync(join(root, path))
        return isInside(real) ? readdirSync(real).sort() : leadsOut
      } catch (error) {
        return toErrorCode(error) === 'ENOENT' ? [] : toUnread(error)
      }
    },
    read(path) {
      let file: number | Unread
      try {
        file = open(path)
      } catch (error) {
        // A link to a missing file exists itself.
        const isMissing = toErrorCode(error) === 'ENOENT' && !isLink(join(root, path))
        return isMissing ? null : toUnread(error)
      }
      return typeof file === 'number' ? readAll(file) : file
    },
    has: (path) => existsSync(join(root, path)),
  }
}

function readAll(file: number): Buffer | Unread {
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) return { reason: 'Not a regular file.' }
    return stats.size > maxFileBytes ? { reason: 'The file is too large for a talk.' } : readFileSync(file)
  } catch (error) {
    return toUnread(error)
  } finally {
    closeSync(file)
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}

const toUnread = (error: unknown): Unread => ({
  reason: `Cannot read the file (${toErrorCode(error) || 'unknown error'}).`,
})
