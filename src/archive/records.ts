import { isJsonObject, type JsonObject, type JsonValue } from '../record/json-value.ts'
import type { Timestamp } from '../record/timestamp.ts'
import { fitFields, toOwnId, type Unfit } from './fit.ts'
import type { Incoming } from './incoming.ts'

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/

/** A record in the service's own shape, as old servers, dumps and lines have it. What it lacks gets its default. */
export function* readRecord(value: JsonValue, path: string): Iterable<Incoming> {
  if (!isJsonObject(value)) return yield { is: 'problem', path, field: null, reason: 'Not one JSON object.' }
  const { id, slug, added, updated } = value
  const fitted = fitFields(value, '')
  if (!fitted.ok) {
    for (const [field, reasons] of fitted.errors) yield { is: 'problem', path, field, reason: reasons.join(' ') }
    return
  }
  const number = toOwnId(id)
  const { changes, unfit } = fitted
  yield {
    is: 'talk',
    path: number === null ? path : `id ${number}`,
    id: number,
    slug: typeof slug === 'string' ? slug : null,
    added: toTime(added),
    updated: toTime(updated),
    changes,
    unfit,
    isTakenDown: false,
    original: unfit.length === 0 ? null : { is: 'unfit', values: pick(value, unfit) },
  }
}

const toTime = (value: JsonValue | undefined): Timestamp | null =>
  typeof value === 'string' && timePattern.test(value) ? value : null

/** The values that no field could hold. */
function pick(value: JsonObject, unfit: readonly Unfit[]): JsonObject {
  const names = new Set(unfit.map(({ field }) => field))
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)))
}
