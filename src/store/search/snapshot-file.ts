import { deserialize, serialize } from 'bun:jsc'
import { closeSync, constants, lstatSync, openSync, readSync, rmSync, statfsSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { toErrorCode } from '../../error-code.ts'

/** Where the index snapshot of a store is (decision 76). */
export interface SnapshotPlace {
  readonly path: string
  /** Whether the name is one of ours, so that any file of that name may be replaced. */
  readonly isOwnName: boolean
}

/** `set` is the setting: a path, or null for the default. Only a store in a file has one. */
export function toSnapshotPlace(set: string | 'off' | null, kind: 'sqlite' | 'postgres', db: string) {
  if (set === 'off' || (set === null && kind === 'postgres')) return null
  return { path: set ?? `${db}.search`, isOwnName: set === null } satisfies SnapshotPlace
}

/** A cache must not take the last of a disk: the store needs it. */
const minShare = 4

/** Whether the disk has enough space for a file of this size. */
export function hasRoom(path: string, bytes: number): boolean {
  const { bavail, bsize } = statfsSync(dirname(path))
  return bavail * bsize > minShare * bytes
}

/**
 * A file is a head and a serialised value. The head has four numbers: `magic`, the kind, the length of the value and its
 * checksum. On a machine with another byte order all of them are others.
 */
const headBytes = 4 * BigUint64Array.BYTES_PER_ELEMENT
const magic = 0x7473_6f52_5845_444en

/**
 * Increase it whenever the value changes, or the words that `createRecordWords` finds in a record: an older file is then
 * ignored. A test compares a digest of these.
 */
export const snapshotFormat = 7
/** Serialised values, folding and classes of letters are those of the runtime. */
const kind = Bun.hash.xxHash3(`${snapshotFormat} ${Bun.version} ${process.versions.unicode ?? ''} ${process.arch}`)

/** About half a million records. Larger indexes are built after each start. */
const maxBytes = 256 << 20
/** More than ten times what a record has on average. */
const maxRecordBytes = 8 << 10

/** The size of the largest file that a store of so many records can have. */
export const toMaxBytes = (records: number) => Math.min(maxBytes, (1 << 20) + maxRecordBytes * records)

/**
 * The value of a snapshot; null if there is none of this version. Throws if the file is damaged or something else, or
 * larger than `max`: then it is not read.
 */
export async function readSnapshot(path: string, max: number): Promise<unknown> {
  // Does not wait for the writer of a named pipe.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(ignoreMissing)
  if (file === null) return null
  try {
    const stats = await file.stat()
    if (stats.isFile() && stats.size === 0) return null
    if (!stats.isFile() || stats.size > max) throw new Error('it is not a file of a plausible size')
    const [found, foundKind, length = 0n, hash] = new BigUint64Array((await readBytes(file, 0, headBytes)).buffer)
    if (found !== magic) throw new Error('it does not begin as an index snapshot')
    if (foundKind !== kind) return null
    if (length > stats.size) throw new Error('it was cut short')
    const content = await readBytes(file, headBytes, Number(length))
    if (Bun.hash.xxHash3(content) !== hash) throw new Error('it is damaged')
    return deserialize(content.buffer)
  } finally {
    await file.close()
  }
}

function ignoreMissing(error: unknown): null {
  if (toErrorCode(error) === 'ENOENT') return null
  throw error
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length)
  const { bytesRead } = await file.read(bytes, 0, length, position)
  if (bytesRead !== length) throw new Error('it was cut short')
  return bytes
}

export const toContent = (value: object): Uint8Array => new Uint8Array(serialize(value))

/**
 * Writes a value over the one before, so that nothing of that is left on the disk. Only our user can read the file. It
 * is not valid before it is complete. Throws if there is something else at a path that an operator has named.
 */
export async function writeSnapshot(place: SnapshotPlace, content: Uint8Array): Promise<void> {
  if (!removeOthers(place)) throw new Error('there is another file of that name')
  if (!hasRoom(place.path, content.length)) throw new Error('the disk is nearly full')
  const file = await openForWriting(place.path, constants.O_CREAT)
  try {
    const { size } = await file.stat()
    await writeBytes(file, toHead(0n, 0n, 0n), 0)
    await writeBytes(file, content, headBytes)
    await writeZeros(file, headBytes + content.length, size)
    await writeBytes(file, toHead(kind, BigInt(content.length), Bun.hash.xxHash3(content)), 0)
  } finally {
    await file.close()
  }
}

/** Overwrites a snapshot and empties it: it has words of an erased record. What is something else stays. */
export async function wipeSnapshot(place: SnapshotPlace): Promise<void> {
  if (!removeOthers(place)) return
  const file = await openForWriting(place.path, 0).catch(ignoreMissing)
  if (file === null) return
  try {
    await writeZeros(file, 0, (await file.stat()).size)
    await file.sync()
    await file.truncate(0)
  } finally {
    await file.close()
  }
}

/** Whether there is nothing but a snapshot. What has our name, and cannot be a snapshot, is removed. */
function removeOthers({ path, isOwnName }: SnapshotPlace): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return true
  const isPlausible = stats.isFile() && stats.size <= maxBytes
  if (isOwnName && !isPlausible) rmSync(path, { force: true })
  return isOwnName || (isPlausible && (stats.size === 0 || beginsAsOurs(path)))
}

function beginsAsOurs(path: string): boolean {
  const begin = new BigUint64Array(1)
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    readSync(file, new Uint8Array(begin.buffer), 0, begin.byteLength, 0)
  } finally {
    closeSync(file)
  }
  return begin[0] === magic
}

/** Never what a link points to. */
const openForWriting = (path: string, flags: number) =>
  open(path, constants.O_RDWR | constants.O_NOFOLLOW | flags, 0o600)

const toHead = (...numbers: bigint[]) => new Uint8Array(new BigUint64Array([magic, ...numbers]).buffer)

const pieceBytes = 4 << 20

async function writeBytes(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let offset = 0; offset < bytes.length; offset += pieceBytes) {
    const { length } = bytes.subarray(offset, offset + pieceBytes)
    const { bytesWritten } = await file.write(bytes, offset, length, position + offset)
    if (bytesWritten !== length) throw new Error('it could not be written completely')
  }
}

async function writeZeros(file: FileHandle, from: number, to: number): Promise<void> {
  const zeros = new Uint8Array(pieceBytes)
  for (let offset = from; offset < to; offset += pieceBytes) {
    await writeBytes(file, zeros.subarray(0, Math.min(pieceBytes, to - offset)), offset)
  }
}
