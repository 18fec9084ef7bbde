import { openSync, readSync, statSync } from 'node:fs'

/** What happened to an open file (decision 30). */
export interface Loss {
  readonly text: string
  /** Whether the open file still has the records. */
  readonly isReadable: boolean
}

/** Null while the file is intact. */
export type FileWatch = () => Loss | null

/**
 * The header of a SQLite file: magic string and page size at first, the number of pages at 28, the application id at
 * 68.
 */
const headerBytes = 72
const fixedParts = [
  [0, 18],
  [68, 72],
] as const

/**
 * Compares the open file with the one at its path. SQLite does not: it keeps writing to a file that was unlinked, and
 * to the log of one that was truncated. Costs a few microseconds.
 */
export function createFileWatch(path: string): FileWatch {
  // Never closed: with POSIX locks, close() would release the locks of every connection of this process.
  const handle = openSync(path, 'r')
  const { ino: inode, size } = statSync(path)
  const first = { inode, header: readHeader(handle) }
  let log: number | null = null
  let lastSize = size

  return () => {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats?.ino !== first.inode) return { text: `${path} was removed or replaced`, isReadable: true }
    const header = readHeader(handle)
    if (fixedParts.some(([from, to]) => !header.subarray(from, to).equals(first.header.subarray(from, to)))) {
      return { text: `${path} was overwritten`, isReadable: false }
    }
    // VACUUM may shrink the file, and updates the header with it; while the file grows, the header may be ahead of its
    // size.
    if (stats.size < lastSize && stats.size < toSize(header))
      return { text: `${path} was cut short`, isReadable: false }
    lastSize = stats.size
    const found = statSync(`${path}-wal`, { throwIfNoEntry: false })?.ino ?? null
    log ??= found
    return found === log ? null : { text: `the log ${path}-wal was removed or replaced`, isReadable: true }
  }
}

function readHeader(handle: number): Buffer {
  const bytes = Buffer.alloc(headerBytes)
  readSync(handle, bytes, 0, headerBytes, 0)
  return bytes
}

function toSize(header: Buffer): number {
  const pageSize = header.readUInt16BE(16)
  return (pageSize === 1 ? 65536 : pageSize) * header.readUInt32BE(28)
}
