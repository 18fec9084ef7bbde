import { Refused } from '../../http/problem.ts'
import type { HttpCall, TextAnswer } from '../../http/route.ts'
import { parseNewCategory } from '../../record/category.ts'
import { toAsciiJson } from '../../record/json/body-bytes.ts'
import type { StoredCategory } from '../../store/store.ts'
import { execute, readPosted, toAuthor } from '../write.ts'
import type { CategoryNeeds } from './category.ts'
import { toCategoryAnswer, toDryRunCategory } from './category-answer.ts'

/** Creates a category before it has records. */
export async function createCategory(call: HttpCall, needs: CategoryNeeds): Promise<TextAnswer> {
  const author = toAuthor(call)
  const { body, options } = await readPosted(call, needs.maxBodyBytes)
  const parsed = parseNewCategory(body)
  if (!parsed.ok) throw new Refused({ code: 'bad_fields', errors: parsed.errors })
  const command = { kind: 'create category', author, changes: parsed.changes, ...options } as const
  const outcome = await execute(needs, call, command)
  if (outcome.is !== 'category') throw new Error(`a new category had the outcome ${outcome.is}`)
  const { category, isMade } = outcome
  const text = toNewText(category)
  if (options.isDryRun) return toDryRunCategory(call, text)
  const { slug, versionTag, updated } = category
  if (isMade) needs.log.info('write', { kind: command.kind, slug, by: author.name, requestId: call.requestId() })
  const location = `${needs.baseUrl(call)}/api/v2/category/${slug}`
  return toCategoryAnswer(call, { text, versionTag, modified: updated }, { location })
}

/** With the keys in the order of all categories. */
function toNewText({ slug, added, fields: { title, ...rest } }: StoredCategory): string {
  return toAsciiJson({ title, slug, ...rest, added, videos: [] })
}
