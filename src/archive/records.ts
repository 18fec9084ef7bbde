import { isFieldName } from '../record/fields.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../record/json/json-value.ts'
import { isTimestamp, toTimestamp } from '../record/timestamp.ts'
import { fitFields, toGivenSlug, toOwnId, type Unfit } from './fit.ts'
import type { Incoming } from './incoming.ts'

/** Clocks differ, and older programs wrote local time. */
const maxAheadMs = 86_400_000

/** A record in the form of the API, from a server or a file. Missing fields get their defaults. */
export function* readRecord(value: JsonValue, path: string, now = Date.now): Iterable<Incoming> {
  if (!isJsonObject(value)) return yield { is: 'problem', path, field: null, reason: 'Not a JSON object.' }
  const { id, slug, added, updated } = value
  const fitted = fitFields(value, '')
  if (!fitted.ok) {
    for (const [field, reasons] of fitted.errors) yield { is: 'problem', path, field, reason: reasons.join(' ') }
    return
  }
  const number = toOwnId(id)
  const checkTime = createTimeCheck(now())
  const reasons = { id: checkId(id), slug: checkSlug(slug), added: checkTime(added), updated: checkTime(updated) }
  const wrong = Object.entries(reasons).flatMap(([field, reason]) => (reason === null ? [] : [{ field, reason }]))
  const unfit = [...fitted.unfit, ...wrong]
  yield {
    is: 'talk',
    path: number === null ? path : `id ${number}`,
    id: number,
    slug: toGivenSlug(slug),
    added: reasons.added === null && !isNone(added) ? String(added) : null,
    updated: reasons.updated === null && !isNone(updated) ? String(updated) : null,
    changes: fitted.changes,
    unfit,
    isTakenDown: false,
    original: unfit.length === 0 ? null : { is: 'unfit', values: pick(value, unfit) },
  }
}

/** Why a value is refused; null where it is valid or missing. */
type Check = (value: JsonValue | undefined) => string | null

const isNone = (value: JsonValue | undefined) => value === undefined || value === null || value === ''

const checkId: Check = (id) => (isNone(id) || toOwnId(id) !== null ? null : 'Must be a positive integer.')

const checkSlug: Check = (slug) =>
  isNone(slug) || toGivenSlug(slug) !== null ? null : 'Must be lowercase words joined by hyphens.'

function createTimeCheck(nowMs: number): Check {
  const latest = toTimestamp(nowMs + maxAheadMs)
  return (time) => {
    if (isNone(time)) return null
    if (typeof time !== 'string' || !isTimestamp(time)) return 'Must be a time, YYYY-MM-DDThh:mm:ss.mmm.'
    return time > latest ? 'Must not be in the future.' : null
  }
}

/** The values that do not fit, including those too many to report. */
function pick(value: JsonObject, unfit: readonly Unfit[]): JsonObject {
  const names = new Set(unfit.map(({ field }) => field))
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name) || !isFieldName(name)))
}
