import { basename, resolve } from 'node:path'
import type { ArchiveSource } from '../incoming.ts'
import { type RecordText, readTexts } from '../records.ts'
import { ArrayError, type Entry, splitArray } from './entries.ts'

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
