import { isSpace } from './json-array/space.ts'

const mark = Buffer.from('"id"')
const colon = 0x3a
const quote = 0x22
const [one, nine] = [0x31, 0x39]

/**
 * Whether a talk's JSON names an id, found without parsing it. A text that says "id", such as a tag, names none; nor
 * does `null`.
 */
export function hasOwnId(json: Uint8Array): boolean {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.length)
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) {
    const next = skipSpaces(bytes, at + mark.length)
    if (bytes[next] !== colon) continue
    const value = skipSpaces(bytes, next + 1)
    // Older programs write it as text.
    const first = bytes[bytes[value] === quote ? value + 1 : value] ?? 0
    if (first >= one && first <= nine) return true
  }
  return false
}

function skipSpaces(bytes: Uint8Array, from: number): number {
  let at = from
  while (isSpace(bytes[at])) at++
  return at
}
