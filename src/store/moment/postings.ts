/**
 * The postings of a token in a block of transcripts, as bytes: for each transcript its number, the length of what
 * follows, and the numbers of the token in it, each as the distance from the one before. Entries are appended, and
 * skipped without being read. All are varints, seven bits a byte.
 */

/** Transcripts per block: a transcript number is a block and one byte. */
export const blockSize = 256

export function toEntry(transcript: number, numbers: readonly number[]): Uint8Array {
  const body = toVarints(numbers, -1)
  const head = toVarints([transcript % blockSize, body.length], null)
  const entry = new Uint8Array(head.length + body.length)
  entry.set(head)
  entry.set(body, head.length)
  return entry
}

/** Grows to the longest encoding so far. */
let scratch = new Uint8Array(4_096)

/** `last`: the number before the first, if distances are to be written. */
function toVarints(values: readonly number[], last: number | null): Uint8Array {
  if (scratch.length < values.length * 5) scratch = new Uint8Array(values.length * 5)
  let offset = 0
  let before = last
  for (const value of values) {
    let rest = before === null ? value : value - before - 1
    if (before !== null) before = value
    for (; rest > 127; rest >>>= 7) scratch[offset++] = (rest & 127) | 128
    scratch[offset++] = rest
  }
  return scratch.slice(0, offset)
}

/** Counts of tokens as bytes. */
export const toCounts = (counts: readonly number[]) => toVarints(counts, null)

/** Where the numbers of a transcript are in a body. */
export interface Entry {
  readonly body: Uint8Array
  readonly from: number
  readonly to: number
}

/** The entries of a body, each with the place of its transcript in the block. */
export function listEntries(body: Uint8Array, onEntry: (place: number, from: number, to: number) => void): void {
  let offset = 0
  while (offset < body.length) {
    let value = 0
    let place = 0
    for (let part = 0; part < 2; part++) {
      value = 0
      for (let shift = 0; ; shift += 7) {
        const byte = body[offset++] ?? 0
        value |= (byte & 127) << shift
        if (byte < 128) break
      }
      if (part === 0) place = value
    }
    onEntry(place, offset, offset + value)
    offset += value
  }
}

/** The varints of a part of a body, not summed up. */
export function readVarints(body: Uint8Array, from: number, to: number): Int32Array {
  let length = 0
  for (let offset = from; offset < to; offset++) if ((body[offset] ?? 0) < 128) length++
  const values = new Int32Array(length)
  let count = 0
  for (let offset = from; offset < to; ) {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = body[offset++] ?? 0
      value |= (byte & 127) << shift
      if (byte < 128) break
    }
    values[count++] = value
  }
  return values
}

/** The numbers of a token in one transcript. */
export function readNumbers({ body, from, to }: Entry): Int32Array {
  const numbers = readVarints(body, from, to)
  let last = -1
  for (let i = 0; i < numbers.length; i++) {
    last += (numbers[i] ?? 0) + 1
    numbers[i] = last
  }
  return numbers
}

/** The body without the entries of a transcript. */
export function dropEntry(body: Uint8Array, transcript: number): Uint8Array {
  const place = transcript % blockSize
  const kept: Uint8Array[] = []
  let start = 0
  listEntries(body, (found, _from, to) => {
    if (found !== place) kept.push(body.subarray(start, to))
    start = to
  })
  return Buffer.concat(kept)
}
