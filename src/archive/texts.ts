import { parseJson } from '../record/json/strict-json.ts'
import type { Incoming } from './incoming.ts'
import { type BoundedText, maxTextBytes } from './json-array/chunk-buffer.ts'
import { isSpace } from './json-array/space.ts'
import { hasOwnId } from './own-id.ts'
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
