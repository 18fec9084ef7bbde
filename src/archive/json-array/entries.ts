import { type BoundedText, createChunkBuffer } from './chunk-buffer.ts'
import { createValueEnd, isSpace } from './value-end.ts'

/** One value of a JSON array. */
export interface Entry {
  /** Good until the next entry is asked for. */
  readonly bytes: BoundedText
  /** How many bytes of the file come before it. */
  readonly offset: number
}

/** The file is not one JSON array: where an entry begins and ends cannot be told. */
export class ArrayError extends Error {
  readonly offset: number
  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/** The values of a JSON array, one by one, none of them judged; throws an `ArrayError` where it is no array. */
export async function* splitArray(stream: AsyncIterable<Uint8Array>): AsyncIterable<Entry> {
  const splitter = createSplitter()
  for await (const chunk of stream) {
    for (const entry of splitter.take(chunk)) yield entry
  }
  splitter.end()
}

type PlaceName = 'before' | 'first' | 'next' | 'between' | 'behind'

/** Where one can be in a file outside of all entries. */
interface Place {
  /** What may be here, and where it leads to. */
  readonly marks: { readonly [mark: string]: PlaceName }
  readonly mayBeginEntry: boolean
  /** What should be here, when so many entries have been. */
  toWanted(count: number): string
}

const places: Readonly<Record<PlaceName, Place>> = {
  before: { marks: { '[': 'first' }, mayBeginEntry: false, toWanted: () => '"["' },
  first: { marks: { ']': 'behind' }, mayBeginEntry: true, toWanted: () => 'Entry 1 or "]"' },
  next: { marks: {}, mayBeginEntry: true, toWanted: (count) => `Entry ${count + 1}` },
  between: {
    marks: { ',': 'next', ']': 'behind' },
    mayBeginEntry: false,
    toWanted: (count) => `After entry ${count} "," or "]"`,
  },
  behind: { marks: {}, mayBeginEntry: false, toWanted: () => 'The end of the file' },
}

function createSplitter() {
  const gathering = createChunkBuffer()
  const valueEnd = createValueEnd((wanted, found, index) =>
    refuse(`Within entry ${count} ${toShown(wanted)}`, toShown(found), index),
  )
  let place: PlaceName | 'inside' = 'before'
  let count = 0
  let chunkOffset = 0
  let entryOffset = 0

  function refuse(wanted: string, found: string, index: number): never {
    throw new ArrayError(`${wanted} should be here, not ${found}`, chunkOffset + index)
  }

  /** Takes what is outside of entries, up to the next mark or the next entry; the index behind it. */
  function skip(chunk: Uint8Array, from: number, { marks, mayBeginEntry, toWanted }: Place): number {
    let at = from
    while (isSpace(chunk[at])) at++
    const byte = chunk[at]
    if (byte === undefined) return at
    const mark = String.fromCharCode(byte)
    const then = marks[mark]
    if (then !== undefined) {
      place = then
      return at + 1
    }
    if (!mayBeginEntry || [',', ']', '}'].includes(mark)) refuse(toWanted(count), toShown(byte), at)
    count++
    entryOffset = chunkOffset + at
    valueEnd.begin(byte)
    place = 'inside'
    return at
  }

  return {
    *take(chunk: Uint8Array): Iterable<Entry> {
      let at = 0
      while (at < chunk.length) {
        if (place !== 'inside') {
          at = skip(chunk, at, places[place])
          continue
        }
        const end = valueEnd.find(chunk, at)
        if (end < 0) {
          gathering.add(chunk.subarray(at))
          break
        }
        yield { bytes: gathering.end(chunk.subarray(at, end)), offset: entryOffset }
        place = 'between'
        at = end
      }
      chunkOffset += chunk.length
    },
    end(): void {
      if (place === 'inside')
        throw new ArrayError(`The file ends within entry ${count}, which begins here`, entryOffset)
      if (place !== 'behind') refuse(places[place].toWanted(count), 'the end of the file', 0)
    },
  }
}

/** A letter or sign as it is; what has none, and the quote, by its number. */
function toShown(byte: number): string {
  const isVisible = byte > 0x20 && byte < 0x7f && byte !== 0x22
  return isVisible ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16).padStart(2, '0')}`
}
