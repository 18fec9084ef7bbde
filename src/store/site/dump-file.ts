import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { hasRoom } from '../snapshot/snapshot-file.ts'

/** A gzip file that can be read while it grows. */
export interface DumpFile {
  /** ASCII alone. */
  append(text: string): void
  /** Writes the trailer. */
  end(): void
  /** In bytes, so far. */
  size(): number
  /** Up to `maxBytes` from a position, one character per byte. */
  read(position: number, maxBytes: number): string
  close(): void
}

/** No name, time or comment; the operating system is unknown. */
const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
/** A last block without content. */
const lastBlock = Buffer.from([3, 0])
/** How often to ask for the free space of the disk. */
const roomStepBytes = 16 * 1024 * 1024

/** The disk is too full for a dump. */
export class NoRoom extends Error {}

export type HasRoom = typeof hasRoom

/**
 * Creates a file without a name: it is deleted at once and lives until it is closed, so that nothing is left behind even
 * if the process is killed.
 */
export function createDumpFile(folder: string, checkRoom: HasRoom = hasRoom): DumpFile {
  // Loaded when first used: it takes 10 ms, which every start would wait for.
  const { constants, crc32, deflateRawSync } = process.getBuiltinModule('node:zlib')
  // Ends a block at a full byte, so that the next one, compressed on its own, may follow.
  const options = { finishFlush: constants.Z_FULL_FLUSH, level: 6 }
  const path = join(folder, `rostrum-dump.${process.pid}.${crypto.randomUUID()}`)
  // Before the file is open, so that nothing has to be closed.
  if (!checkRoom(path, roomStepBytes)) throw new NoRoom()
  const file = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  let [size, textLength, checksum, checkedSize] = [0, 0, 0, 0]

  function write(bytes: Uint8Array): void {
    if (size - checkedSize >= roomStepBytes) {
      if (!checkRoom(path, size + roomStepBytes)) throw new NoRoom()
      checkedSize = size
    }
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, size + at)
    size += bytes.length
  }

  write(head)
  return {
    append(text) {
      const bytes = Buffer.from(text, 'latin1')
      checksum = crc32(bytes, checksum)
      textLength += bytes.length
      if (bytes.length > 0) write(deflateRawSync(bytes, options))
    },
    end() {
      const trailer = Buffer.alloc(8)
      trailer.writeUInt32LE(checksum, 0)
      trailer.writeUInt32LE(textLength % 2 ** 32, 4)
      write(Buffer.concat([lastBlock, trailer]))
    },
    size: () => size,
    read(position, maxBytes) {
      const bytes = Buffer.alloc(Math.max(0, Math.min(maxBytes, size - position)))
      const length = bytes.length === 0 ? 0 : readSync(file, bytes, 0, bytes.length, position)
      return bytes.toString('latin1', 0, length)
    },
    close: () => closeSync(file),
  }
}
