/**
 * Edits from one word to the other: letters inserted, removed or replaced, and two neighbours swapped. Anything above
 * `max` counts as `max + 1`.
 */
export function toEdits(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max || b.length >= rowLength) return max + 1
  let [before, last, row] = rows
  for (let j = 0; j <= b.length; j++) last[j] = j
  for (let i = 1; i <= a.length; i++) {
    row[0] = i
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1)
      let edits = Math.min((last[j - 1] ?? 0) + (isSame ? 0 : 1), (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      if (isSwap(a, b, i, j)) edits = Math.min(edits, (before[j - 2] ?? 0) + 1)
      row[j] = edits
      if (edits < least) least = edits
    }
    if (least > max) return max + 1
    ;[before, last, row] = [last, row, before]
  }
  return Math.min(last[b.length] ?? 0, max + 1)
}

/** Reused, because a search compares hundreds of words. */
const rowLength = 128
const rows = [new Uint8Array(rowLength), new Uint8Array(rowLength), new Uint8Array(rowLength)] as const

function isSwap(a: string, b: string, i: number, j: number): boolean {
  return i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
}

/** Shorter words have too many neighbours; longer ones may have two errors. */
export function toMaxEdits(word: string): number {
  if (/\d/.test(word)) return 0
  return word.length < 4 ? 0 : word.length < 8 ? 1 : 2
}

/** The letters of a word as bits. An edit changes two bits at most, so most words are ruled out by a comparison. */
export function toSignature(word: string): number {
  let bits = 0
  for (let i = 0; i < word.length; i++) {
    const letter = word.charCodeAt(i) - 97
    bits |= 1 << (letter >= 0 && letter < 26 ? letter : 26 + ((letter + 97) % 6))
  }
  return bits
}

/** The number of bits that differ. */
export function countDifferentBits(a: number, b: number): number {
  let bits = a ^ b
  bits -= (bits >>> 1) & 0x55555555
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}
