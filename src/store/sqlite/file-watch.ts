import { openSync, readSync, statSync } from 'node:fs'

/** What has become of a file that is open. */
export interface Loss {
  readonly text: string
  /** Whether what is open still has the records. */
  readonly isReadable: boolean
}

/** Null while it is what it was. */
export type FileWatch = () => Loss | null

/** Of the first bytes: SQLite's mark and the size of a page; how many pages there are; whose file it is. */
const headerBytes = 72
const fixedParts = [
  [0, 18],
  [68, 72],
] as const

/**
 * Compares what is open with what is there. SQLite does not: it goes on writing to a file that has lost its name, and
 * to the log of one that was cut short. Costs a few microseconds.
 */
export function createFileWatch(path: string): FileWatch {
  // Never closed: that would take all locks on the file from every connection of this process.
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
    // Others may make it smaller, and it then says so; while they make it larger it may say so too soon.
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
