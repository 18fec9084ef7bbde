import { judgeBodyType, parseObjectBody, readBody } from '../../http/body.ts'
import type { Action, Answer, Call, Route } from '../../http/call.ts'
import { toPrecondition } from '../../http/conditional.ts'
import type { Logger } from '../../http/logger.ts'
import type { Problem } from '../../http/problem.ts'
import { parseCategory } from '../../record/category.ts'
import { isStale } from '../../record/decide.ts'
import type { Store, StoredCategory } from '../../store/store.ts'
import type { BaseUrl } from '../base-url.ts'
import { logBatch, toBatchResponse } from '../batch/batches.ts'
import { toReadFailure, toWriteFailure } from '../failed.ts'
import { toVisibility } from '../list/envelope.ts'
import { categoryHeaders } from '../path-headers.ts'
import { toDescribedRoute } from '../read-route.ts'
import { executeFor, logFailure, parseWriteOptions, toAuthor } from '../write.ts'
import { parseCategoryVersionTag, toCategoryResponse, toDryRunCategory, withFields } from './category-answer.ts'
import { toRecordsAt } from './vocabulary.ts'
import { type CategoryText, toCategoryText } from './vocabulary-page.ts'

export interface CategoryNeeds {
  readonly store: Store
  readonly log: Logger
  readonly maxBodyBytes: number
  readonly baseUrl: BaseUrl
}

const patchTypes = ['application/json', 'application/merge-patch+json'] as const

const stale: Problem = {
  code: 'stale',
  detail: 'The category does not meet your precondition. Read it again, then repeat the change.',
}

/** `/api/v2/category/<slug>`: one of them; renaming it rewrites its records and keeps its slug. */
export function createCategoryRoute(needs: CategoryNeeds): Route {
  const { store, baseUrl, log } = needs

  async function find(call: Call): Promise<CategoryText | Problem> {
    const drafts = toVisibility(call) === 'all'
    const found = await store.findCategory({ slug: call.parameter, drafts }, call.request.signal)
    if (typeof found === 'string') return toReadFailure(found)
    return found === null ? { code: 'no_such_category' } : toCategoryText(found, toRecordsAt(call, baseUrl))
  }

  async function get(call: Call): Promise<Answer> {
    const found = await find(call)
    return 'code' in found ? found : toCategoryResponse(call, found, categoryHeaders)
  }

  async function patch(call: Call): Promise<Answer> {
    const author = toAuthor(call)
    const found = await find(call)
    if ('code' in found) return found
    const read = await readChanges(needs, call, found)
    if ('code' in read) return read
    const { changes, wish, precondition } = read
    const command = { kind: 'category', slug: call.parameter, author, changes, precondition, ...wish } as const
    const outcome = await executeFor(call, store, command)
    if (outcome.is === 'refused') return outcome.refusal.code === 'stale' ? stale : outcome.refusal
    if (outcome.is === 'failed') {
      logFailure(log, call, command, outcome.failure)
      return toWriteFailure(outcome.failure)
    }
    if (outcome.is !== 'batch')
      throw new Error(`a change of a category was answered like another command: ${outcome.is}`)
    if (wish.isDryRun) return toDryRunCategory(withFields(found.text, changes), categoryHeaders)
    const { batch } = outcome
    if (batch === null) log.info('write', { kind: 'category', by: author.name, requestId: call.requestId() })
    else logBatch(log, call, batch)
    if (batch !== null && batch.state !== 'done') return toBatchResponse(batch, categoryHeaders, baseUrl(call))
    return tellStored(call, outcome.category)
  }

  /** Its records as they are by now, but the version that was made: another change may have followed it already. */
  async function tellStored(call: Call, made: StoredCategory | undefined): Promise<Answer> {
    const now = await find(call)
    if ('code' in now) return now
    const told =
      made === undefined ? now : { ...now, text: withFields(now.text, made.fields), versionTag: made.versionTag }
    return toCategoryResponse(call, told, categoryHeaders)
  }

  const read: Action = { role: null, run: get }
  const shape = { name: 'other', negotiates: true, path: '/api/v2/category/:slug', headers: categoryHeaders } as const
  const route = toDescribedRoute(shape, read)
  return { ...route, methods: { ...route.methods, PATCH: { role: 'publisher', run: patch } } }
}

/** What is asked for, or the first thing that is wrong with it. The writer judges the condition once more. */
async function readChanges({ maxBodyBytes }: CategoryNeeds, call: Call, found: CategoryText) {
  const type = judgeBodyType(call.head, patchTypes)
  if (typeof type !== 'string') return { ...type, headers: { 'Accept-Patch': patchTypes.join(', ') } }
  const bytes = await readBody(call.request, call.head, maxBodyBytes)
  if ('code' in bytes) return bytes
  const wish = parseWriteOptions(call)
  if ('code' in wish) return wish
  const precondition = toPrecondition(call.head, parseCategoryVersionTag)
  if (isStale(precondition, found)) return stale
  const body = parseObjectBody(bytes)
  if ('code' in body) return body
  const parsed = parseCategory(body.value)
  if (!parsed.ok) return { code: 'bad_fields', errors: parsed.errors } satisfies Problem
  return { changes: parsed.changes, wish, precondition }
}
