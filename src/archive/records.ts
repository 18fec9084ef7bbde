import { isFieldName } from '../record/fields.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../record/json-value.ts'
import { isTimestamp, type Timestamp, toTimestamp } from '../record/timestamp.ts'
import { fitFields, toOwnId, type Unfit } from './fit.ts'
import type { Incoming } from './incoming.ts'

/** Clocks differ, and older programs wrote local time. */
const maxAheadMs = 86_400_000

/** A record in the service's own shape, as old servers, dumps and lines have it. What it lacks gets its default. */
export function* readRecord(value: JsonValue, path: string, now = Date.now): Iterable<Incoming> {
  if (!isJsonObject(value)) return yield { is: 'problem', path, field: null, reason: 'Not one JSON object.' }
  const { id, slug, added, updated } = value
  const fitted = fitFields(value, '')
  if (!fitted.ok) {
    for (const [field, reasons] of fitted.errors) yield { is: 'problem', path, field, reason: reasons.join(' ') }
    return
  }
  const number = toOwnId(id)
  const latest = toTimestamp(now() + maxAheadMs)
  const times = { added: judgeTime(added, latest), updated: judgeTime(updated, latest) }
  const wrongTimes = Object.entries(times).flatMap(([field, reason]) => (reason === null ? [] : [{ field, reason }]))
  const unfit = [...fitted.unfit, ...wrongTimes]
  yield {
    is: 'talk',
    path: number === null ? path : `id ${number}`,
    id: number,
    slug: typeof slug === 'string' ? slug : null,
    added: times.added === null && isTime(added) ? added : null,
    updated: times.updated === null && isTime(updated) ? updated : null,
    changes: fitted.changes,
    unfit,
    isTakenDown: false,
    original: unfit.length === 0 ? null : { is: 'unfit', values: pick(value, unfit) },
  }
}

const isTime = (value: JsonValue | undefined): value is Timestamp => typeof value === 'string' && isTimestamp(value)

/** Why a time cannot be taken; null where it can, or where there is none. */
function judgeTime(value: JsonValue | undefined, latest: Timestamp): string | null {
  if (value === undefined || value === null) return null
  if (!isTime(value)) return 'Must be a time, YYYY-MM-DDThh:mm:ss.mmm.'
  return value > latest ? 'Lies in the future.' : null
}

/** The values that no field could hold; also those which are too many to be told. */
function pick(value: JsonObject, unfit: readonly Unfit[]): JsonObject {
  const names = new Set(unfit.map(({ field }) => field))
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name) || !isFieldName(name)))
}
