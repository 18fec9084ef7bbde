const newline = 0x0a

/** Line and column of the byte behind so many others, as editors and our JSON parser count them. */
export async function findLineColumn(stream: AsyncIterable<Uint8Array>, offset: number): Promise<string> {
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

/** How many UTF-16 units begin with a byte of UTF-8: none in the middle of a letter, two with one beyond U+FFFF. */
function toUnits(byte: number): number {
  if ((byte & 0xc0) === 0x80) return 0
  return byte >= 0xf0 ? 2 : 1
}
