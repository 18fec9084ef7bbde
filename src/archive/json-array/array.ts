import { basename, resolve } from 'node:path'
import type { ArchiveSource } from '../incoming.ts'
import { type RecordText, readTexts } from '../texts.ts'
import { ArrayError, type Entry, splitArray } from './entries.ts'
import { findLineColumn } from './line-column.ts'

/** A file of one JSON array of records; never in memory as a whole. */
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
        consequence = 'It has changed meanwhile and was not read to its end; import it again.'
        yield* readTexts(split, toText)
      } catch (error) {
        if (!(error instanceof ArrayError)) throw error
        const place = await findLineColumn(file.stream(), error.offset)
        const reason = `${error.message}, at ${place}. ${consequence}`
        yield { is: 'problem', path: basename(path), field: null, reason }
      }
    },
  }
}

/** Before anything is stored: entries are known by their numbers, which are wrong behind the first that has no end. */
async function checkAll(entries: AsyncIterable<Entry>): Promise<void> {
  for await (const _ of entries);
}

function toText({ bytes, offset }: Entry, number: number): RecordText {
  return { bytes, path: `entry ${number}`, whereabouts: `The entry begins at byte ${offset + 1} of the file.` }
}
