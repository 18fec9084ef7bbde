import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { toErrorCode } from '../../error-code.ts'

/** Files that SQLite keeps beside a database. */
const sidecars = ['-wal', '-shm', '-journal'] as const

/**
 * Creates a file under a temporary name and renames it once it is complete and on disk, so that a crash leaves no
 * partial file. Returns false if another process has created the file meanwhile; its file stays.
 */
export async function createFileAtomically(
  path: string,
  fill: (temporary: string) => void | Promise<void>,
  publish = publishUnlessTaken,
): Promise<boolean> {
  const temporary = `${path}.${process.pid}.${crypto.getRandomValues(Buffer.alloc(4)).toString('hex')}.new`
  try {
    await fill(temporary)
    sync(temporary)
    const isPublished = publish(temporary, path)
    sync(dirname(path))
    return isPublished
  } finally {
    removeWithSidecars(temporary)
  }
}

/** Removes the temporary files that a killed process has left, for this file or for copies of it before upgrades. */
export function removeTemporaryFiles(path: string, isGone: (pid: number) => boolean): void {
  const [folder, base] = [dirname(path), basename(path)]
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(base) ? temporaryEnd.exec(name.slice(base.length))?.[1] : undefined
    if (pid !== undefined && isGone(Number(pid))) rmSync(join(folder, name), { force: true })
  }
}

const temporaryEnd = /^(?:\.schema-\d{1,9})?\.(\d{1,10})\.[0-9a-f]{8}\.new(?:-wal|-shm|-journal)?$/

/** Whether there is no such process. */
export function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return toErrorCode(error) === 'ESRCH'
  }
}

/** False if there is a file of that name; it stays. */
export function publishUnlessTaken(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path)
    return true
  } catch (error) {
    const code = toErrorCode(error)
    if (code === 'EEXIST') return false
    if (!hasNoLinks(code)) throw error
    renameSync(temporary, path)
    return true
  }
}

/** Some file systems, such as those of memory sticks, have no hard links. */
export function hasNoLinks(code: string): boolean {
  return code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP' || code === 'ENOSYS'
}

function removeWithSidecars(path: string): void {
  for (const sidecar of ['', ...sidecars]) rmSync(`${path}${sidecar}`, { force: true })
}

/** Creates a folder and its missing parents, so that they survive a power cut. */
export function createFolderDurably(path: string): void {
  if (existsSync(path)) return
  createFolderDurably(dirname(path))
  mkdirSync(path)
  sync(dirname(path))
}

/**
 * Gives a file that root creates to the owner of its folder, so that the service whose folder it is can open it. Others
 * create files that are theirs.
 */
export function giveToFolderOwner(path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(path))
  takeOver(path, { uid, gid, mode: lstatSync(path).mode })
}

/** Gives a file the owner, group and mode of another; false if we may not. */
export function takeOver(path: string, { uid, gid, mode }: Pick<Stats, 'uid' | 'gid' | 'mode'>): boolean {
  const own = lstatSync(path)
  try {
    // Not through a link that the owner of the folder may have put here. Opening the file instead would end SQLite's locks.
    if (own.uid !== uid || own.gid !== gid) lchownSync(path, uid, gid)
    if (own.isFile() && (own.mode & 0o777) !== (mode & 0o777)) chmodSync(path, mode & 0o777)
    return true
  } catch (error) {
    // EINVAL: a user that this container does not know.
    if (/^(EPERM|EINVAL|ENOTSUP)$/.test(toErrorCode(error))) return false
    throw error
  }
}

/** Flushes a file and its name to disk. A pipe or a device has nothing to flush, and opening one may block. */
export function syncWithName(path: string): void {
  if (!statSync(path).isFile()) return
  sync(path)
  sync(dirname(path))
}

/** Flushes a file or a folder to disk. A new name is on disk only when its folder is. */
export function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
