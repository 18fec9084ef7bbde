import { basename, resolve } from 'node:path'
import type { ArchiveSource } from './incoming.ts'
import { type BoundedText, createChunkBuffer } from './json-array/chunk-buffer.ts'
import { readTexts } from './records.ts'

const newline = 0x0a

/** A file of records, one JSON object per line. */
export function openLines(path: string): ArchiveSource {
  const file = Bun.file(resolve(path))
  return {
    name: basename(path),
    total: null,
    has: () => true,
    read: () =>
      readTexts(
        () => splitLines(file.stream()),
        (bytes, number) => ({ bytes, path: `line ${number}` }),
      ),
  }
}

/** Lines as bytes, each valid until the next one is read. */
export async function* splitLines(stream: ReadableStream<Uint8Array>, maxBytes?: number): AsyncIterable<BoundedText> {
  const buffer = createChunkBuffer(maxBytes)
  for await (const chunk of stream) {
    let from = 0
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      yield buffer.end(chunk.subarray(from, at))
      from = at + 1
    }
    if (from < chunk.length) buffer.add(chunk.subarray(from))
  }
  if (buffer.hasBegun()) yield buffer.end(new Uint8Array())
}
