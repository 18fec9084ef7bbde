/** Words are compared as bits of an integer. */
const maxLength = 32

/**
 * Counts the edits from a word to others: letters inserted, removed or replaced, and two neighbours swapped. The
 * bit-parallel algorithm of Hyyrö: one step per letter of the other word. Anything above `max` counts as `max + 1`. `beginning`
 * counts the edits to that beginning of the other word which is nearest.
 */
export function createEditCount(
  word: string,
  part: 'whole' | 'beginning' = 'whole',
): (other: string, max: number) => number {
  const ascii = new Int32Array(128)
  const masks = new Map<number, number>()
  for (let i = 0; i < Math.min(word.length, maxLength); i++) {
    const code = word.charCodeAt(i)
    if (code < 128) ascii[code] = (ascii[code] ?? 0) | (1 << i)
    else masks.set(code, (masks.get(code) ?? 0) | (1 << i))
  }
  const last = 1 << (word.length - 1)
  const isBeginning = part === 'beginning'
  return (other, max) => {
    const isLong = word.length > maxLength
    const isLonger = other.length - word.length > max
    if (word === '' || isLong || (isLonger && !isBeginning) || word.length - other.length > max) {
      return word === other ? 0 : max + 1
    }
    const end = isBeginning ? Math.min(other.length, word.length + max) : other.length
    let least = word.length
    let [up, down, diagonal, before, edits] = [-1, 0, 0, 0, word.length]
    for (let i = 0; i < end; i++) {
      const code = other.charCodeAt(i)
      const same = (code < 128 ? ascii[code] : masks.get(code)) ?? 0
      const swapped = ((~diagonal & same) << 1) & before
      diagonal = ((((same & up) + up) | 0) ^ up) | same | down | swapped
      const rising = down | ~(diagonal | up)
      const falling = diagonal & up
      if ((rising & last) !== 0) edits++
      if ((falling & last) !== 0) edits--
      if (edits < least) least = edits
      up = (falling << 1) | ~(diagonal | (rising << 1) | 1)
      down = ((rising << 1) | 1) & diagonal
      before = same
    }
    return Math.min(isBeginning ? least : edits, max + 1)
  }
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

/** Whether more than two bits are set, or more than four. */
export function hasMoreBits(bits: number, max: number): boolean {
  let rest = bits & (bits - 1)
  rest &= rest - 1
  if (max <= 2) return rest !== 0
  rest &= rest - 1
  return (rest & (rest - 1)) !== 0
}
