import { type BoundedText, createChunkBuffer } from './chunk-buffer.ts'
import { createValueEnd, isSpace } from './value-end.ts'

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
