import { execute } from '../../http/execute.ts'
import { logBatch } from '../../http/log-batch.ts'
import { Refused } from '../../http/problem/problem.ts'
import { json } from '../../http/respond.ts'
import type { HttpCall, TextAnswer } from '../../http/route.ts'
import { toAsciiJson } from '../../record/json.ts'
import { parseBulk } from '../../record/parse-bulk.ts'
import { readPosted, toAuthor } from '../write.ts'
import { type BatchDeps, toBatchAnswer } from './batches.ts'

/** Changes many records at once, all or none of them (decision 51). */
export async function postBatch(call: HttpCall, deps: BatchDeps): Promise<TextAnswer> {
  const author = toAuthor(call)
  const { body, options } = await readPosted(call, deps.maxBodyBytes)
  const parsed = parseBulk(body, options.isDryRun === true)
  if (!parsed.ok) throw new Refused({ code: 'bad_fields', errors: parsed.errors })
  const { request, reason } = parsed
  // A reason in the body wins over the header.
  const command = { kind: 'bulk', author, request, ...options, ...(reason === null ? {} : { reason }) } as const
  const outcome = await execute(deps, call, command)
  if (outcome.is !== 'batch' || outcome.batch === null) throw new Error(`a bulk change had the outcome ${outcome.is}`)
  const { batch, preview } = outcome
  if (preview !== undefined) {
    const { differences, as_of } = preview
    return json(call, toAsciiJson({ ...batch, differences, as_of }), 'private')
  }
  if (batch.id !== null) logBatch(deps.log, call, batch)
  return toBatchAnswer(call, batch, deps.baseUrl(call), batch.id === null ? 200 : 201)
}
