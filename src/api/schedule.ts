import { readBody, requireBodyType } from '../http/body.ts'
import { executeAs, logChange } from '../http/execute.ts'
import { Refused, refuseMissing, requireRead } from '../http/problem.ts'
import { json } from '../http/respond.ts'
import type { Call, HttpCall, TextAnswer } from '../http/route.ts'
import { type JsonObject, toAsciiJson } from '../record/json.ts'
import { type FieldErrors, toUnknownErrors } from '../record/record.ts'
import { parseMoment, type Timestamp, toZoned } from '../record/timestamp.ts'
import type { Schedule } from '../store/activity-reads.ts'
import type { BatchHandlerDeps } from './batches.ts'
import type { ReadDeps } from './envelope.ts'
import { readWriteOptions, requireAuthor, requireObject } from './write.ts'

/** When a draft becomes live; every member is null if that is not set. */
export async function readSchedule(call: Call<'id'>, { store }: Pick<ReadDeps, 'store'>): Promise<TextAnswer> {
  const id = Number(call.params.id)
  if ((await store.read(id)) === null) await refuseMissing(store, id)
  const [schedule = null] = requireRead(await store.listSchedules({ ids: [id] }, call.signal))
  return toAnswer(call, schedule)
}

/** Sets the time at which a draft becomes live. */
export async function putSchedule(call: HttpCall<'id'>, deps: BatchHandlerDeps): Promise<TextAnswer> {
  requireBodyType(call.head, ['application/json'])
  const parsed = parseSchedule(requireObject(await readBody(call, deps.maxBodyBytes)))
  if (!parsed.ok) throw new Refused({ code: 'bad_fields', errors: parsed.errors })
  return change(call, deps, parsed.at)
}

export const deleteSchedule = (call: HttpCall<'id'>, deps: BatchHandlerDeps) => change(call, deps, null)

async function change(call: HttpCall<'id'>, deps: BatchHandlerDeps, publishAt: Timestamp | null): Promise<TextAnswer> {
  const id = Number(call.params.id)
  const author = requireAuthor(call)
  const command = { kind: 'schedule publish', id, publishAt, author, ...readWriteOptions(call) } as const
  const { schedule, wasWritten } = await executeAs('schedule', deps, call, command)
  if (wasWritten) logChange(deps, call, author.name, { kind: 'schedule', id, at: publishAt && toZoned(publishAt) })
  return toAnswer(call, schedule)
}

function toAnswer(call: Call, schedule: Schedule | null): TextAnswer {
  const { at = null, by = null, asked = null, failure = null } = schedule ?? {}
  const shown = { at: at && toZoned(at), by, asked_at: asked && toZoned(asked), failure }
  return json(call, toAsciiJson(shown), 'private')
}

type ParsedSchedule =
  | { readonly ok: true; readonly at: Timestamp }
  | { readonly ok: false; readonly errors: FieldErrors }

const expected = 'Must be a time in UTC, such as 2027-01-31T12:00:00Z.'

function parseSchedule({ at = null, ...others }: JsonObject): ParsedSchedule {
  const errors = toUnknownErrors(others)
  const isWhole = typeof at === 'string' && at.includes('T') && at.endsWith('Z')
  const moment = isWhole ? parseMoment(at, 'first') : null
  if (moment !== null && errors.size === 0) return { ok: true, at: moment }
  if (moment === null) errors.set('at', [expected])
  return { ok: false, errors }
}
