import { basename, resolve } from 'node:path'
import { isJsonObject, type JsonValue } from '../record/json-value.ts'
import { parseJson } from '../record/strict-json.ts'
import type { Source } from './incoming.ts'
import { readRecord } from './records.ts'

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
