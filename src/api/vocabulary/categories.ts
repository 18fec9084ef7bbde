import type { Answer, Call, Route } from '../../http/call.ts'
import { parseNewCategory } from '../../record/category.ts'
import { toAsciiJson } from '../../record/json/body-bytes.ts'
import type { StoredCategory } from '../../store/store.ts'
import { describeCategory } from '../description.ts'
import { toWriteFailure } from '../failed.ts'
import { listHeaders } from '../path-headers.ts'
import { toDescribeList } from '../read-route.ts'
import { executeFor, logFailure, readPosted, toAuthor } from '../write.ts'
import type { CategoryNeeds } from './category.ts'
import { toCategoryResponse, toDryRunCategory } from './category-answer.ts'
import { createListRoute } from './vocabulary.ts'

/** `/api/v2/category`: all categories, and the place to make one before it has records. */
export function createCategoriesRoute(needs: CategoryNeeds): Route {
  const { store, log, baseUrl } = needs
  const route = createListRoute(needs, 'category')

  async function create(call: Call): Promise<Answer> {
    const author = toAuthor(call)
    const asked = await readNew(needs, call)
    if ('code' in asked) return asked
    const command = { kind: 'create category', author, ...asked } as const
    const outcome = await executeFor(call, store, command)
    if (outcome.is === 'refused') return outcome.refusal
    if (outcome.is === 'failed') {
      logFailure(log, call, command, outcome.failure)
      return toWriteFailure(outcome.failure)
    }
    if (outcome.is !== 'category') throw new Error(`a new category was answered like another command: ${outcome.is}`)
    const { category, isMade } = outcome
    const text = toNewText(category)
    if (asked.isDryRun) return toDryRunCategory(text, listHeaders)
    const { slug, versionTag, updated } = category
    if (isMade) log.info('write', { kind: command.kind, slug, by: author.name, requestId: call.requestId() })
    const headers = new Headers(listHeaders)
    headers.set('Content-Location', `${baseUrl(call)}${route.path}/${slug}`)
    return toCategoryResponse(call, { text, versionTag, modified: updated }, headers, 201)
  }

  const methods = { ...route.methods, OPTIONS: describe }
  return { ...route, methods: { ...methods, POST: { role: 'publisher', run: create } } }
}

async function readNew({ maxBodyBytes }: CategoryNeeds, call: Call) {
  const posted = await readPosted(call, maxBodyBytes)
  if ('code' in posted) return posted
  const { body, ...wish } = posted
  const parsed = parseNewCategory(body)
  if (!parsed.ok) return { code: 'bad_fields', errors: parsed.errors } as const
  return { changes: parsed.changes, ...wish }
}

/** In the order that all categories have. */
function toNewText({ slug, added, fields: { title, ...rest } }: StoredCategory): string {
  return toAsciiJson({ title, slug, ...rest, added, videos: [] })
}

const describe = toDescribeList(
  {
    name: 'Categories',
    description: 'Groups and events that talks belong to. POST makes one that everybody sees, even while it is empty.',
  },
  'publisher',
  describeCategory,
)
