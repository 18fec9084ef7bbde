/** Bun gathers smaller answers by itself. */
const minLength = 15 * 1024
/** Above, a few sends more are nothing beside the bytes, and the stream would copy them once more. */
const maxLength = 1 << 20

/**
 * A body of ASCII, in pieces, for an answer that was waited for. There Bun writes each part of the head with a system
 * call of its own, some forty in all, unless the body is small or a stream; a stream that ends before its mark goes out
 * in one, with its length.
 */
export function toWholeBody(pieces: readonly string[]): string | ReadableStream {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length < minLength || length > maxLength) return pieces.join('')
  const source: Bun.DirectUnderlyingSource = {
    type: 'direct',
    pull(sink) {
      for (const piece of pieces) sink.write(piece)
      sink.close()
    },
  }
  return new ReadableStream(source, { highWaterMark: length + 1 })
}
