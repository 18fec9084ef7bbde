import { constants, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { IsDue } from './slices.ts'

/**
 * A file of sections with checksums: a head, the bytes of each section, and a directory. Arrays are stored as they are
 * in memory. Nothing in it is trusted before its checksum was compared.
 */
const headWords = 8
const headBytes = headWords * BigUint64Array.BYTES_PER_ELEMENT
/** On a machine with another byte order it reads as another number. */
const magic = 0x7473_6f52_5845_444en
/** Sections begin at multiples of this, which is the size of the largest element. */
const alignment = 8
/** Written and read at once, so that a thread that is to stop, or has requests, waits for no more. */
const pieceBytes = 4 << 20
/** A directory has a line per section. */
const maxDirectoryBytes = 64 << 20

interface SectionEntry {
  readonly name: string
  readonly bytes: number
  readonly hash: string
}

interface Directory {
  readonly facts: unknown
  readonly sections: readonly SectionEntry[]
}

export type SectionArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array

export interface SectionWriter {
  add(name: string, array: SectionArray): Promise<void>
  /** Makes the file valid. */
  finish(facts: object): Promise<void>
  close(): Promise<void>
}

/** Creates a file that only our user can read. It is valid only when it is finished. */
export async function createSectionFile(path: string, format: number): Promise<SectionWriter> {
  const file = await open(path, 'wx', 0o600)
  const sections: SectionEntry[] = []
  let end = headBytes

  async function append(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const piece = bytes.subarray(at, at + pieceBytes)
      const { bytesWritten } = await file.write(piece, 0, piece.length, end + at)
      if (bytesWritten !== piece.length) throw new Error(`${path} could not be written completely`)
    }
    end = toAligned(end + bytes.length)
  }

  return {
    async add(name, array) {
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
      sections.push({ name, bytes: bytes.length, hash: toHash(bytes) })
      await append(bytes)
    },
    async finish(facts) {
      const offset = end
      const directory = Buffer.from(JSON.stringify({ facts, sections } satisfies Directory))
      await append(directory)
      const head = new BigUint64Array(headWords)
      head.set([magic, BigInt(format), BigInt(offset), BigInt(directory.length), Bun.hash.xxHash3(directory)])
      head[headWords - 1] = hashHead(head)
      await file.write(new Uint8Array(head.buffer), 0, headBytes, 0)
    },
    close: () => file.close(),
  }
}

const toAligned = (offset: number) => Math.ceil(offset / alignment) * alignment
const toHash = (bytes: Uint8Array) => Bun.hash.xxHash3(bytes).toString(36)
const hashHead = (head: BigUint64Array) => Bun.hash.xxHash3(new Uint8Array(head.buffer, 0, headBytes - alignment))

/** The file is damaged, or has something else than expected. */
export class BadSections extends Error {}

export interface SectionReader {
  readonly facts: unknown
  /** Reads a section into memory of its own, in pieces. Throws `BadSections` if the checksum is another one. */
  read<Numbers>(name: string, numbers: NumbersClass<Numbers>, isDue: IsDue): AsyncGenerator<void, Numbers>
  close(): Promise<void>
}

/** A typed array. */
export interface NumbersClass<Numbers> {
  new (buffer: ArrayBuffer): Numbers
  readonly BYTES_PER_ELEMENT: number
}

/** Null if the file has another format. Throws `BadSections` if it is damaged. */
export async function openSectionFile(path: string, format: number): Promise<SectionReader | null> {
  const file = await openForReading(path)
  try {
    const found = await readDirectory(file, format)
    if (found === null) await file.close()
    return found === null ? null : createReader(file, found)
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Whether a file begins as ours do. */
export async function isSectionFile(path: string): Promise<boolean> {
  const file = await openForReading(path)
  try {
    return (await readHead(file))[0] === magic
  } finally {
    await file.close()
  }
}

/** Does not wait for the writer of a named pipe. */
const openForReading = (path: string) => open(path, constants.O_RDONLY | constants.O_NONBLOCK)

async function readHead(file: FileHandle): Promise<BigUint64Array> {
  const head = new BigUint64Array(headWords)
  await file.read(new Uint8Array(head.buffer), 0, headBytes, 0)
  return head
}

async function readDirectory(file: FileHandle, format: number): Promise<Directory | null> {
  const head = await readHead(file)
  const [found, foundFormat = 0n, offset = 0n, length = 0n, hash = 0n] = head
  if (found !== magic) throw new BadSections('it does not begin as an index snapshot')
  if (hashHead(head) !== head[headWords - 1]) throw new BadSections('its head is damaged')
  if (foundFormat !== BigInt(format)) return null
  const { size } = await file.stat()
  if (length > maxDirectoryBytes || offset + length !== BigInt(size)) throw new BadSections('its length is wrong')
  const bytes = new Uint8Array(Number(length))
  await file.read(bytes, 0, bytes.length, Number(offset))
  if (Bun.hash.xxHash3(bytes) !== hash) throw new BadSections('its directory is damaged')
  // Written by `finish`, as the checksum proves.
  const directory = JSON.parse(Buffer.from(bytes).toString()) as Directory
  const end = directory.sections.reduce((sum, section) => toAligned(sum + section.bytes), headBytes)
  if (end !== Number(offset)) throw new BadSections('its sections have the wrong length')
  return directory
}

function createReader(file: FileHandle, { facts, sections }: Directory): SectionReader {
  const places = new Map<string, SectionEntry & { readonly offset: number }>()
  let end = headBytes
  for (const section of sections) {
    places.set(section.name, { ...section, offset: end })
    end = toAligned(end + section.bytes)
  }

  async function* read<Numbers>(
    name: string,
    numbers: NumbersClass<Numbers>,
    isDue: IsDue,
  ): AsyncGenerator<void, Numbers> {
    const place = places.get(name)
    if (place === undefined) throw new BadSections(`it has no section ${name}`)
    const bytes = new Uint8Array(place.bytes)
    for (let at = 0; at < bytes.length; ) {
      // Other work of the thread waits for this step anyway, and a hop to another thread takes longer on a busy machine.
      const read = readSync(file.fd, bytes, at, Math.min(pieceBytes, bytes.length - at), place.offset + at)
      if (read === 0) throw new BadSections('it was cut short')
      at += read
      if (isDue()) yield
    }
    const isGood = toHash(bytes) === place.hash && bytes.length % numbers.BYTES_PER_ELEMENT === 0
    if (!isGood) throw new BadSections(`its section ${name} is damaged`)
    return new numbers(bytes.buffer)
  }

  return { facts, read, close: () => file.close() }
}
