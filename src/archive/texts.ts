import { parseJson } from '../record/json/strict-json.ts'
import type { Incoming } from './incoming.ts'
import { type BoundedText, maxTextBytes } from './json-array/chunk-buffer.ts'
import { isSpace } from './json-array/value-end.ts'
import { readRecord } from './records.ts'

/** One record of a file that has many, as JSON. */
export interface RecordText {
  readonly bytes: BoundedText
  readonly path: string
  /** How to find it, where its path alone does not tell; a sentence for reports of texts that are no records. */
  readonly whereabouts?: string
}

/**
 * Goes through all texts twice, unless all have an id of their own. Those come first, so that no other talk of the same
 * source is given one of them; and nothing is held in memory for that.
 */
export async function* readTexts<T>(
  split: () => AsyncIterable<T>,
  toText: (piece: T, number: number) => RecordText,
): AsyncIterable<Incoming> {
  for (const isFirst of [true, false]) {
    let [number, others] = [0, 0]
    for await (const piece of split()) {
      const text = toText(piece, ++number)
      const hasId = text.bytes !== 'too long' && hasOwnId(text.bytes)
      if (hasId === isFirst) yield* readText(text)
      else others++
    }
    if (others === 0) return
  }
}

function* readText({ bytes, path, whereabouts }: RecordText): Iterable<Incoming> {
  const refuse = (reason: string): Incoming => {
    return { is: 'problem', path, field: null, reason: whereabouts === undefined ? reason : `${reason} ${whereabouts}` }
  }
  if (bytes === 'too long') return yield refuse(`Longer than ${maxTextBytes / 1024 / 1024} MiB, which no record is.`)
  if (bytes.every(isSpace)) return
  const parsed = parseJson(bytes)
  if (parsed.ok) yield* readRecord(parsed.value, path)
  else yield refuse(`Not JSON: ${parsed.problem}`)
}

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
