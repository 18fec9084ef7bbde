import { csvByteOrderMark } from './csv.ts'

export interface CsvChunk<Position> {
  readonly text: string
  /** Where the next chunk begins; null after the last. */
  readonly next: Position | null
}

/**
 * A file in chunks, each read when the client has taken the one before, so that memory stays flat. If one cannot be read,
 * the connection ends without the end of the body, so that nobody takes the file for complete.
 */
export function toCsvStream<Position extends {}>(
  heading: string,
  first: CsvChunk<Position>,
  read: (position: Position) => Promise<CsvChunk<Position>>,
): ReadableStream<Uint8Array> {
  let position: Position | null = null
  const toChunk = async () =>
    position === null ? { ...first, text: csvByteOrderMark + heading + first.text } : read(position)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { text, next } = await toChunk()
        controller.enqueue(Buffer.from(text))
        position = next
        if (next === null) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}
