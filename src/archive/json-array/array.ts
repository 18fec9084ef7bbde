import { basename, resolve } from 'node:path'
import type { ArchiveSource } from '../incoming.ts'
import { type RecordText, readTexts } from '../records.ts'
import { type BoundedText, createChunkBuffer } from './chunk-buffer.ts'
import { createValueEnd, isSpace } from './value-end.ts'

/** A file with one JSON array of records, which is never held in memory as a whole (ADR 21). */
export function openArray(path: string): ArchiveSource {
  const file = Bun.file(resolve(path))
  const split = () => splitArray(file.stream())
  return {
    name: basename(path),
    total: null,
    has: () => true,
    async *read() {
      let consequence = 'Nothing of it was imported.'
      try {
        await checkAll(split())
        consequence = 'The file changed during the import and was not read to its end. Import it again.'
        yield* readTexts(split, toText)
      } catch (error) {
        if (!(error instanceof ArrayError)) throw error
        const position = await findLineColumn(file.stream(), error.offset)
        const reason = `${error.message}, at ${position}. ${consequence}`
        yield { is: 'problem', path: basename(path), field: null, reason }
      }
    },
  }
}

/** One value of a JSON array. */
export interface Entry {
  /** Valid until the next entry is read. */
  readonly bytes: BoundedText
  /** Position in the file, in bytes. */
  readonly offset: number
}

/** The file is not a JSON array, so it cannot be split into entries. */
export class ArrayError extends Error {
  readonly offset: number
  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/** The values of a JSON array, one by one, without parsing them. Throws an `ArrayError` if it is not an array. */
export async function* splitArray(stream: AsyncIterable<Uint8Array>): AsyncIterable<Entry> {
  const splitter = createSplitter()
  for await (const chunk of stream) {
    for (const entry of splitter.take(chunk)) yield entry
  }
  splitter.end()
}

type StateName = 'before' | 'first' | 'next' | 'between' | 'after'

/** A state of the parser outside of entries. */
interface State {
  /** The characters allowed here, and the state each leads to. */
  readonly marks: { readonly [mark: string]: StateName }
  readonly mayBeginEntry: boolean
  /** What is expected here, after `count` entries. */
  toWanted(count: number): string
}

const states: Readonly<Record<StateName, State>> = {
  before: { marks: { '[': 'first' }, mayBeginEntry: false, toWanted: () => '"["' },
  first: { marks: { ']': 'after' }, mayBeginEntry: true, toWanted: () => 'entry 1 or "]"' },
  next: { marks: {}, mayBeginEntry: true, toWanted: (count) => `entry ${count + 1}` },
  between: {
    marks: { ',': 'next', ']': 'after' },
    mayBeginEntry: false,
    toWanted: (count) => `"," or "]" after entry ${count}`,
  },
  after: { marks: {}, mayBeginEntry: false, toWanted: () => 'the end of the file' },
}

function createSplitter() {
  const buffer = createChunkBuffer()
  const valueEnd = createValueEnd((wanted, found, index) =>
    refuse(`${toShown(wanted)} within entry ${count}`, toShown(found), index),
  )
  let state: StateName | 'inside' = 'before'
  let count = 0
  let chunkOffset = 0
  let entryOffset = 0

  function refuse(wanted: string, found: string, index: number): never {
    throw new ArrayError(`Expected ${wanted}, found ${found}`, chunkOffset + index)
  }

  /** Reads up to the next mark or the next entry, and returns the index after it. */
  function skip(chunk: Uint8Array, from: number, { marks, mayBeginEntry, toWanted }: State): number {
    let at = from
    while (isSpace(chunk[at])) at++
    const byte = chunk[at]
    if (byte === undefined) return at
    const mark = String.fromCharCode(byte)
    const then = marks[mark]
    if (then !== undefined) {
      state = then
      return at + 1
    }
    if (!mayBeginEntry || [',', ']', '}'].includes(mark)) refuse(toWanted(count), toShown(byte), at)
    count++
    entryOffset = chunkOffset + at
    valueEnd.begin(byte)
    state = 'inside'
    return at
  }

  return {
    *take(chunk: Uint8Array): Iterable<Entry> {
      let at = 0
      while (at < chunk.length) {
        if (state !== 'inside') {
          at = skip(chunk, at, states[state])
          continue
        }
        const end = valueEnd.find(chunk, at)
        if (end < 0) {
          buffer.add(chunk.subarray(at))
          break
        }
        yield { bytes: buffer.end(chunk.subarray(at, end)), offset: entryOffset }
        state = 'between'
        at = end
      }
      chunkOffset += chunk.length
    },
    end(): void {
      if (state === 'inside')
        throw new ArrayError(`The file ends within entry ${count}, which begins here`, entryOffset)
      if (state !== 'after') refuse(states[state].toWanted(count), 'the end of the file', 0)
    },
  }
}

/** A visible character as it is; any other, and the quote, as a number. */
function toShown(byte: number): string {
  const isVisible = byte > 0x20 && byte < 0x7f && byte !== 0x22
  return isVisible ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16).padStart(2, '0')}`
}

/** Runs before anything is stored: entries are identified by number, and an unterminated entry shifts all after it. */
async function checkAll(entries: AsyncIterable<Entry>): Promise<void> {
  for await (const _ of entries);
}

function toText({ bytes, offset }: Entry, number: number): RecordText {
  return { bytes, path: `entry ${number}`, whereabouts: `The entry begins at byte ${offset + 1} of the file.` }
}

const newline = 0x0a

/** Line and column of a byte, as editors and our JSON parser count them. */
async function findLineColumn(stream: AsyncIterable<Uint8Array>, offset: number): Promise<string> {
  let [line, column, left] = [1, 1, offset]
  for await (const chunk of stream) {
    const part = chunk.subarray(0, left)
    for (const byte of part) {
      column = byte === newline ? 1 : column + toUnits(byte)
      if (byte === newline) line++
    }
    left -= part.length
    if (left === 0) break
  }
  return `line ${line}, column ${column}`
}

/** How many UTF-16 units a byte of UTF-8 begins: none in the middle of a character, two for one beyond U+FFFF. */
function toUnits(byte: number): number {
  if ((byte & 0xc0) === 0x80) return 0
  return byte >= 0xf0 ? 2 : 1
}
