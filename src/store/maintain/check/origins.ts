import { fields, isWritableName } from '../../../record/fields.ts'
import { isJsonObject, isSameJson, type JsonValue } from '../../../record/json/json-value.ts'
import type { Database } from '../../database.ts'
import { isBasisText, parseExtrasText } from '../dump/dump-lines.ts'
import type { Finding } from './finding.ts'

/** Checks what imports have kept: the values of each source, which the next import compares with, and the extras. */
export async function* checkOrigins(db: Database): AsyncGenerator<Finding> {
  const origins = db.query<{ id: number; path: string; imported: string | null }, []>(
    `SELECT record_id AS id, path, imported FROM origin
     UNION ALL SELECT record_id, path, imported FROM origin_alias ORDER BY 1`,
  )
  for await (const { id, path, imported } of origins.iterate()) {
    const problem = imported === null ? null : findDamage(imported)
    if (problem !== null) yield { id, what: `the values of its last import from ${JSON.stringify(path)} ${problem}` }
  }
  type Kept = { readonly id: number; readonly body: Uint8Array; readonly basis: Uint8Array }
  const extras = db.query<Kept, []>('SELECT record_id AS id, body, basis FROM extras ORDER BY 1')
  for await (const { id, ...kept } of extras.iterate()) if (!isWhole(kept)) yield { id, what: 'its extras are damaged' }
  const categories = db.query<Omit<Kept, 'id'> & { readonly path: string }, []>(
    'SELECT path, body, basis FROM category_origin ORDER BY source, path',
  )
  for await (const { path, ...kept } of categories.iterate()) {
    if (!isWhole(kept)) yield { id: null, what: `the extras of the category ${JSON.stringify(path)} are damaged` }
  }
}

function findDamage(text: string): string | null {
  const values = parseExtrasText(text)
  if (!isJsonObject(values)) return 'are damaged'
  const wrong = Object.entries(values).find(([name, value]) => !isStored(name, value))
  return wrong === undefined ? null : `are damaged: ${JSON.stringify(wrong[0])}`
}

function isStored(name: string, value: JsonValue): boolean {
  const parsed = isWritableName(name) ? fields[name].kind.parse(value) : null
  return parsed?.ok === true && isSameJson(parsed.value, value)
}

function isWhole({ body, basis }: { readonly body: Uint8Array; readonly basis: Uint8Array }): boolean {
  return isJsonObject(parseExtrasText(Buffer.from(body).toString())) && isBasisText(Buffer.from(basis).toString())
}
