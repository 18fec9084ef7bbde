/** A record has at most a few hundred kilobytes; what is longer is no record, and is not held in memory. */
export const maxTextBytes = 8 * 1024 * 1024

/** A text's bytes; of one that is too long nothing is held but that it is. */
export type BoundedText = Uint8Array | 'too long'

/** Puts a text together that comes in several chunks. */
export interface ChunkBuffer {
  /** Any part but the last. */
  add(part: Uint8Array): void
  /** With the last part, the whole: good until the next chunk is asked for. */
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
      // A copy: the stream may use its own bytes again.
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
