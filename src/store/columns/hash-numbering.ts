/**
 * Numbers from 1 for texts, in order of arrival; 0 for the empty text. Keeps a hash of 53 bits of each text instead of
 * the text: two of a million texts get the same number with a probability of 1 in 18,000.
 */
export interface HashNumbering {
  ensureNumber(text: string): number
  /** The hash of the text with this number. */
  toHash(number: number): number
  /** The number of the text with this hash. */
  ensureHash(hash: number): number
  end(): number
  clear(): void
}

const firstSize = 1024

export function createHashNumbering(): HashNumbering {
  let hashes = new Float64Array(firstSize)
  /** Numbers at the positions of their hashes, or at the next free ones. At most half of them are used. */
  let table = new Uint32Array(2 * firstSize)
  let end = 1

  /** The position of a hash, or the free one where it belongs. */
  function findPosition(hash: number): number {
    const mask = table.length - 1
    let position = (hash >>> 0) & mask
    for (let found = table[position] ?? 0; found !== 0; found = table[position] ?? 0) {
      if (hashes[found] === hash) return position
      position = (position + 1) & mask
    }
    return position
  }

  function grow(): void {
    const larger = new Float64Array(2 * hashes.length)
    larger.set(hashes)
    hashes = larger
    table = new Uint32Array(2 * hashes.length)
    for (let number = 1; number < end; number++) table[findPosition(hashes[number] ?? 0)] = number
  }

  function ensureHash(hash: number): number {
    const position = findPosition(hash)
    const known = table[position] ?? 0
    if (known !== 0) return known
    if (end === hashes.length) {
      grow()
      return ensureHash(hash)
    }
    hashes[end] = hash
    table[position] = end
    return end++
  }

  return {
    ensureNumber: (text) => (text === '' ? 0 : ensureHash(toHash(text))),
    toHash: (number) => hashes[number] ?? 0,
    ensureHash,
    end: () => end,
    clear() {
      table.fill(0)
      end = 1
    },
  }
}

const highBits = 2 ** 32

/** Never 0. */
function toHash(text: string): number {
  const high = Bun.hash.xxHash32(text, 1) & 0x1fffff
  return high * highBits + Bun.hash.xxHash32(text) || 1
}
