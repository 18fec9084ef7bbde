/** Bun gathers smaller answers by itself. */
const minBytes = 15 * 1024
/** Above, a few sends more are nothing beside the bytes, and the stream would copy them once more. */
const maxBytes = 1 << 20

/**
 * A body for an answer that was waited for. There Bun writes each piece of the head with a system call of its own, some
 * forty in all, unless the body is small or a stream; a stream that ends before its mark goes out in one, with its
 * length.
 */
export function toWholeBody(bytes: Uint8Array): Uint8Array | ReadableStream {
  if (bytes.byteLength < minBytes || bytes.byteLength > maxBytes) return bytes
  const source: Bun.DirectUnderlyingSource = {
    type: 'direct',
    pull(sink) {
      sink.write(bytes)
      sink.close()
    },
  }
  return new ReadableStream(source, { highWaterMark: bytes.byteLength + 1 })
}
