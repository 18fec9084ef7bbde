import { parseFile, toFile, toSourceFile } from '../../src/archive/pyvideo.ts'
import { type Residue, toResidue } from '../../src/archive/round-trip.ts'
import { decideCreate } from '../../src/record/decide.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../src/record/json.ts'
import type { VideoRecord } from '../../src/record/record.ts'

const author = { name: 'test', role: 'admin' } as const
const at = '2020-01-01T00:00:00.000'

/** The record that a file becomes, or which of its fields are refused. */
export function mapFile(file: JsonObject, category = 'The folder'): VideoRecord | { readonly refused: string[] } {
  const parsed = parseFile(file, category)
  if (!parsed.ok) return { refused: [...parsed.errors.keys()] }
  const { changes } = parsed
  const slug = typeof file.slug === 'string' ? file.slug : 'a-slug'
  const decision = decideCreate({ kind: 'create', author, changes: { state: 1, ...changes } }, { id: 1, slug }, at)
  if (decision.is !== 'accepted') throw new Error(`not made: ${decision.is}`)
  return decision.record
}

export function toRecord(file: JsonObject, category?: string): VideoRecord {
  const record = mapFile(file, category)
  if ('refused' in record) throw new Error(`refused: ${record.refused.join(', ')}`)
  return record
}

/** As the source's parser gives it: without a prototype. */
export function asParsed(value: JsonValue): JsonObject {
  const parsed = parseJson(Buffer.from(JSON.stringify(value)))
  if (!parsed.ok || !isJsonObject(parsed.value)) throw new Error('not an object')
  return parsed.value
}

/** What is kept of a file, as it comes out of the store again. */
export function keep(file: JsonObject): Residue | null {
  return JSON.parse(JSON.stringify(toResidue(file, toFile(toRecord(file)))))
}

/** The file that a record that came from a file is now. */
export function exportAgain(record: VideoRecord, kept: Residue | null): JsonObject {
  return toSourceFile(record, kept)
}
