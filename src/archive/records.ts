import { isJsonObject, type JsonValue } from '../record/json-value.ts'
import { parseFields } from '../record/record.ts'
import type { Incoming } from './incoming.ts'

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/

/** A record in the service's own shape, as old servers, dumps and lines have it. What it lacks gets its default. */
export function* readRecord(value: JsonValue, path: string): Iterable<Incoming> {
  if (!isJsonObject(value)) return yield { is: 'problem', path, field: null, reason: 'Not one JSON object.' }
  const { id, slug, added } = value
  const parsed = parseFields(value, 'whole', null)
  if (!parsed.ok) {
    for (const [field, reasons] of parsed.errors) yield { is: 'problem', path, field, reason: reasons.join(' ') }
    return
  }
  const number = typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : null
  yield {
    is: 'talk',
    path: number === null ? path : `id ${number}`,
    id: number,
    slug: typeof slug === 'string' ? slug : null,
    added: typeof added === 'string' && timePattern.test(added) ? added : null,
    changes: parsed.changes,
    original: null,
  }
}
