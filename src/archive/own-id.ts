import { isSpace } from './space.ts'

const mark = Buffer.from('"id"')
const colon = 0x3a

/** Whether a talk's JSON names an id, found without parsing it. A text that says "id", such as a tag, names none. */
export function hasOwnId(json: Uint8Array): boolean {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.length)
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) {
    let next = at + mark.length
    while (isSpace(bytes[next])) next++
    if (bytes[next] === colon) return true
  }
  return false
}
