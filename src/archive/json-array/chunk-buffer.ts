/** A record has at most a few hundred kilobytes. Anything longer is not held in memory. */
export const maxTextBytes = 8 * 1024 * 1024

/** The bytes of a record, unless there are too many. */
export type BoundedText = Uint8Array | 'too long'

/** Joins a text that comes in several chunks. */
export interface ChunkBuffer {
  /** Any part but the last. */
  add(part: Uint8Array): void
  /** The whole text, with its last part; valid until the next chunk is read. */
  end(part: Uint8Array): BoundedText
  hasBegun(): boolean
}

export function createChunkBuffer(maxBytes = maxTextBytes): ChunkBuffer {
  let parts: Uint8Array[] = []
  let length = 0
  return {
    add(part) {
      length += part.length
      if (length > maxBytes) parts = []
      // A copy: the stream may reuse its buffer.
      else parts.push(new Uint8Array(part))
    },
    end(part) {
      const isTooLong = length + part.length > maxBytes
      const whole = isTooLong ? 'too long' : length === 0 ? part : Buffer.concat([...parts, part])
      parts = []
      length = 0
      return whole
    },
    hasBegun: () => length > 0,
  }
}
