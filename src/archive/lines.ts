import { basename, resolve } from 'node:path'
import { isJsonObject, type JsonValue } from '../record/json-value.ts'
import { parseJson } from '../record/strict-json.ts'
import type { Incoming, Source } from './incoming.ts'
import { hasOwnId } from './own-id.ts'
import { readRecord } from './records.ts'
import { isSpace } from './space.ts'

/** A record has at most a few hundred kilobytes; one line more is no record, and is not held in memory. */
export const maxLineBytes = 8 * 1024 * 1024
const newline = 0x0a

/** A file of records, one JSON object a line. */
export function openLines(path: string): Source {
  const file = Bun.file(resolve(path))
  return {
    name: basename(path),
    total: null,
    has: () => true,
    async *read() {
      // Those with an id of their own come first, so that no other talk of the same source is given it.
      for (const isFirst of [true, false]) {
        let number = 0
        for await (const line of splitLines(file.stream())) {
          number++
          const hasId = line !== 'too long' && hasOwnId(line)
          if (hasId === isFirst) yield* readLine(line, `line ${number}`)
        }
      }
    },
  }
}

/** A file of one JSON array of records. */
export function openArray(path: string): Source {
  return {
    name: basename(path),
    total: null,
    has: () => true,
    async *read() {
      const parsed = parseJson(await Bun.file(resolve(path)).bytes())
      if (!parsed.ok) return yield { is: 'problem', path: basename(path), field: null, reason: parsed.problem }
      const values = Array.isArray(parsed.value) ? parsed.value : [parsed.value]
      const hasId = (value: JsonValue) => isJsonObject(value) && 'id' in value
      const entries = [...values.entries()].sort(([, a], [, b]) => Number(hasId(b)) - Number(hasId(a)))
      for (const [i, value] of entries) yield* readRecord(value, `entry ${i + 1}`)
    },
  }
}

function* readLine(line: Uint8Array | 'too long', path: string): Iterable<Incoming> {
  if (line === 'too long') {
    const reason = `Longer than ${maxLineBytes / 1024 / 1024} MiB, which no record is.`
    return yield { is: 'problem', path, field: null, reason }
  }
  if (line.every(isSpace)) return
  const parsed = parseJson(line)
  if (parsed.ok) yield* readRecord(parsed.value, path)
  else yield { is: 'problem', path, field: null, reason: `Not JSON: ${parsed.problem}` }
}

/** Lines as bytes; of one that is too long nothing is held but that it is. */
export async function* splitLines(stream: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array | 'too long'> {
  let parts: Uint8Array[] = []
  let length = 0
  const take = () => {
    const line = length > maxLineBytes ? ('too long' as const) : Buffer.concat(parts)
    parts = []
    length = 0
    return line
  }
  const add = (part: Uint8Array) => {
    length += part.length
    if (length > maxLineBytes) parts = []
    else parts.push(part)
  }
  for await (const chunk of stream) {
    let from = 0
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      add(chunk.subarray(from, at))
      from = at + 1
      yield take()
    }
    // A copy: the stream may use its own bytes again.
    if (from < chunk.length) add(chunk.slice(from))
  }
  if (length > 0) yield take()
}
