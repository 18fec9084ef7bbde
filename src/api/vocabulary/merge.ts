import { toPrecondition } from '../../http/content/conditional.ts'
import { execute } from '../../http/execute.ts'
import { logBatch } from '../../http/log-batch.ts'
import { Refused } from '../../http/problem/problem.ts'
import type { Problem } from '../../http/problem/problem-codes.ts'
import type { HttpCall, TextAnswer } from '../../http/route.ts'
import type { MergeCategoriesCommand, MergeNamesCommand, Refusal } from '../../record/command.ts'
import { type NameKind, parseIntoId, parseIntoSlug } from '../../record/name.ts'
import { toBatchAnswer } from '../batch/batches.ts'
import { readPosted, toAuthor } from '../write.ts'
import { type CategoryDeps, findCategory, staleCategory } from './category.ts'
import { parseCategoryVersionTag } from './category-answer.ts'
import { findName, staleName, toNamePrecondition } from './name.ts'

/** Makes a speaker or tag an alias of another (decision 52). The writer refuses one that was merged already. */
export function mergeName(of: NameKind) {
  return async (call: HttpCall<'id'>, deps: CategoryDeps): Promise<TextAnswer> => {
    const author = toAuthor(call)
    await findName(call, deps, of)
    const { body, options } = await readPosted(call, deps.maxBodyBytes)
    const parsed = parseIntoId(body)
    if (!parsed.ok) throw new Refused({ code: 'bad_fields', errors: parsed.errors })
    const wanted = { of, nameId: Number(call.params.id), into: parsed.into, precondition: toNamePrecondition(call) }
    return merge(call, deps, { kind: 'merge names', ...wanted, author, ...options }, staleName)
  }
}

/** Moves all records of a category to another one. */
export async function mergeCategory(call: HttpCall<'slug'>, deps: CategoryDeps): Promise<TextAnswer> {
  const author = toAuthor(call)
  await findCategory(call, deps)
  const { body, options } = await readPosted(call, deps.maxBodyBytes)
  const parsed = parseIntoSlug(body)
  if (!parsed.ok) throw new Refused({ code: 'bad_fields', errors: parsed.errors })
  const precondition = toPrecondition(call.head, parseCategoryVersionTag)
  const wanted = { slug: call.params.slug, into: parsed.into, precondition }
  return merge(call, deps, { kind: 'merge categories', ...wanted, author, ...options }, staleCategory)
}

async function merge(
  call: HttpCall,
  deps: CategoryDeps,
  command: MergeNamesCommand | MergeCategoriesCommand,
  stale: Problem,
): Promise<TextAnswer> {
  const explain = async (refusal: Refusal) => (refusal.code === 'stale' ? stale : refusal)
  const outcome = await execute(deps, call, command, explain)
  if (outcome.is !== 'batch' || outcome.batch === null) throw new Error(`a merge had the outcome ${outcome.is}`)
  if (command.isDryRun !== true) logBatch(deps.log, call, outcome.batch)
  return toBatchAnswer(call, outcome.batch, deps.baseUrl(call))
}
