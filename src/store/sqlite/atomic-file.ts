import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { toErrorCode } from '../../error-code.ts'

/** What SQLite keeps beside a file. */
const besides = ['-wal', '-shm', '-journal'] as const

/**
 * Makes a file whole, and on disk, before it gets its name, so that whatever cuts us off, nothing half-made bears it.
 * False where somebody else has got that name meanwhile; theirs stays, and so it does where `fill` throws.
 */
export function createFileAtomically(path: string, fill: (draft: string) => void, giveName = giveFreeName): boolean {
  const draft = `${path}.${process.pid}.${crypto.getRandomValues(Buffer.alloc(4)).toString('hex')}.new`
  try {
    fill(draft)
    sync(draft)
    const isNamed = giveName(draft, path)
    sync(dirname(path))
    return isNamed
  } finally {
    removeWithSidecars(draft)
  }
}

/** Removes what a process that has ended had begun under a file's name. */
export function removeTemporaryFiles(path: string, pid: number): void {
  const start = `${basename(path)}.${pid}.`
  const drafts = readdirSync(dirname(path)).filter((name) => name.startsWith(start) && name.includes('.new'))
  for (const name of drafts) rmSync(join(dirname(path), name), { force: true })
}

function giveFreeName(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    const code = toErrorCode(error)
    if (code === 'EEXIST') return false
    if (!hasNoLinks(code)) throw error
    renameSync(draft, path)
    return true
  }
}

/** Some file systems, such as those of memory sticks, know one name for a file and no second. */
export function hasNoLinks(code: string): boolean {
  return code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP' || code === 'ENOSYS'
}

export function removeWithSidecars(path: string): void {
  for (const beside of ['', ...besides]) rmSync(`${path}${beside}`, { force: true })
}

/** Makes a folder, with those around it that are missing, which outlast a power cut from then on. */
export function createFolderDurably(path: string): void {
  if (existsSync(path)) return
  createFolderDurably(dirname(path))
  mkdirSync(path)
  sync(dirname(path))
}

/** Brings a file to disk, and its name. A pipe or a device has no bytes to bring there, and opening it may never end. */
export function syncWithName(path: string): void {
  if (!statSync(path).isFile()) return
  sync(path)
  sync(dirname(path))
}

/** Brings a file or a folder to disk; a name is there only when its folder is. */
export function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
