/** Longer texts are sentences. */
export const maxLength = 64
/**
 * A key that more texts have is one of a series (`hall a`, `hall b`), not of misspellings. Also bounds the pairs: time
 * stays proportional to the texts whatever they are.
 */
export const maxSeries = 8
/** Keys that are sorted at once: about 50 ms, 8 MB. */
const maxSorted = 2 ** 19
/** Numbers of texts share 53 bits with a hash of 32. */
const maxTexts = 2 ** 21
const base = 0x9e3779b1

/**
 * Finds the pairs by keys: the text without one letter, for each of its letters, and the text itself (ADR 54). Keys are
 * hashes, so a pair may be none; callers compare the texts.
 */
export function* findNearPairs(texts: readonly string[], onPair: (a: number, b: number) => void): Generator<void> {
  const byLength = groupByLength(texts)
  const powers = toPowers()
  const hashes = new Int32Array(maxLength + 1)
  for (const [length, numbers] of byLength) {
    const shorter = byLength.get(length - 1) ?? []
    const total = numbers.length * length + shorter.length
    const parts = Math.ceil(total / maxSorted)
    const keys = new Float64Array(Math.ceil(total / parts) * 2)
    for (let part = 0; part < parts; part++) {
      let count = 0
      /** A part that got far more than its share is cut: no text is worth unbounded memory. */
      const add = (hash: number, number: number) => {
        if ((hash >>> 0) % parts === part && count < keys.length) keys[count++] = (hash >>> 0) * maxTexts + number
      }
      for (const [i, number] of numbers.entries()) {
        addDeletions(texts[number] ?? '', number, { powers, hashes, add })
        if (i % 1024 === 1023) yield
      }
      for (const number of shorter) add(mix(toHash(texts[number] ?? '', hashes)), number)
      yield
      listRuns(keys.subarray(0, count).sort(), onPair)
      yield
    }
  }
}

function groupByLength(texts: readonly string[]): Map<number, number[]> {
  const byLength = new Map<number, number[]>()
  for (const [number, { length }] of texts.entries()) {
    if (length > maxLength || number >= maxTexts) continue
    const known = byLength.get(length)
    if (known === undefined) byLength.set(length, [number])
    else known.push(number)
  }
  return byLength
}

function toPowers(): Int32Array {
  const powers = new Int32Array(maxLength + 1)
  for (let i = 0, power = 1; i <= maxLength; i++, power = Math.imul(power, base)) powers[i] = power
  return powers
}

/** The hash of a text, and in `hashes` those of its beginnings. */
function toHash(text: string, hashes: Int32Array): number {
  let hash = 0
  for (let i = 0; i < text.length; i++) {
    hash = (Math.imul(hash, base) + text.charCodeAt(i)) | 0
    hashes[i + 1] = hash
  }
  return hash
}

interface Adding {
  readonly powers: Int32Array
  readonly hashes: Int32Array
  add(hash: number, number: number): void
}

/** Not for the first letter of a word. The key without a letter follows from the hashes of the text and of its beginnings. */
function addDeletions(text: string, number: number, { powers, hashes, add }: Adding): void {
  const whole = toHash(text, hashes)
  for (let i = 1; i < text.length; i++) {
    // A run of equal letters gives the same key for each.
    if (text[i] === text[i + 1] || text[i] === ' ' || text[i - 1] === ' ') continue
    const change = ((hashes[i] ?? 0) - (hashes[i + 1] ?? 0)) | 0
    add(mix((whole + Math.imul(change, powers[text.length - 1 - i] ?? 0)) | 0), number)
  }
}

/** Spreads the bits, so that the parts are of about the same size. */
function mix(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return twice ^ (twice >>> 16)
}

/** All pairs of texts with the same key. */
function listRuns(keys: Float64Array, onPair: (a: number, b: number) => void): void {
  for (let from = 0, to = 0; from < keys.length; from = to) {
    const hash = Math.floor((keys[from] ?? 0) / maxTexts)
    while (to < keys.length && Math.floor((keys[to] ?? 0) / maxTexts) === hash) to++
    if (to - from < 2 || to - from > maxSeries) continue
    for (let i = from; i < to; i++)
      for (let j = i + 1; j < to; j++) onPair((keys[i] ?? 0) % maxTexts, (keys[j] ?? 0) % maxTexts)
  }
}
